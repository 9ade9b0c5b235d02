// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::copy_batched: each output must take the elements of its input
#include <gpuprim/transform.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int*;
#else
using output = void*;
#endif

cudaError_t call(int** in, output* out, const int* sizes) { return gpuprim::copy_batched(in, out, sizes, 9); }
