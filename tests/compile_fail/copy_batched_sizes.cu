// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::copy_batched: the sizes must be integers
#include <gpuprim/transform.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using size = int;
#else
using size = float;
#endif

cudaError_t call(int** in, int** out, const size* sizes) { return gpuprim::copy_batched(in, out, sizes, 9); }
