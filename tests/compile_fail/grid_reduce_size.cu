// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::grid_reduce: BlockSize must be a multiple of 32
#include <gpuprim/reduce.cuh>

__global__ void call(const float* in, float* out, gpuprim::grid_reduce_state<float> state) {
#if defined(GPUPRIM_TEST_CONTROL)
  constexpr int block_size = 96;
#else
  constexpr int block_size = 100;
#endif
  gpuprim::grid_reduce<block_size>(gpuprim::this_block{}, in[threadIdx.x], gpuprim::plus{}, state,
                                   [&](float total) { *out = total; });
}
