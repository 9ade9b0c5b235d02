// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce: reproducible needs a BlockSize of 128, 256, 512 or 1024
#include <gpuprim/reduce.cuh>

cudaError_t call(const float* in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  constexpr int block_size = 128;
#else
  constexpr int block_size = 96;
#endif
  using plus = gpuprim::plus<float>;
  return gpuprim::reduce<plus, block_size>(gpuprim::reproducible, in, 9, out, plus{}, 0.0f);
}
