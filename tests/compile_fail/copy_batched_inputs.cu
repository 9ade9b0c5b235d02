// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::copy_batched: the inputs, the outputs and the sizes must be pointers or random-access
#include <gpuprim/transform.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using inputs = const int* const*;
#else
struct inputs {};
#endif

cudaError_t call(inputs in, int** out, const int* sizes) { return gpuprim::copy_batched(in, out, sizes, 9); }
