// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments of a warp take one vote and the shuffles of a reduce; items of a histogram are counted by one instruction
// each, with no branch around what is outside of the bins.
// expect: kernel segments
// expect: sass <= 1 VOTE
// expect: sass <= 5 SHFL\.DOWN
// expect: kernel count
// expect: sass >= 8 ATOMS\.POPC\.INC
// expect: sass <= 8 ATOMS
// expect: kernel segments|count
// expect: no-local-memory
// expect: sass <= 0 ^(@!?U?P\d )?(WARPSYNC|BSSY|BSYNC|BRA\.DIV)
#include <gpuprim/block/block_histogram.cuh>
#include <gpuprim/warp/warp_segmented_reduce.cuh>

__global__ void segments(const float* in, const bool* heads, float* out) {
  const int i = int(threadIdx.x);
  out[i] = gpuprim::warp_segmented_reduce(gpuprim::warp_tile<32>{}, in[i], heads[i], gpuprim::plus{});
}

__global__ void __launch_bounds__(256) count(const int* in, unsigned* out) {
  GPUPRIM_SHARED(counts, unsigned[256]);
  int items[8];
  for (int i = 0; i < 8; ++i) items[i] = in[unsigned(i) * 256 + threadIdx.x];
  gpuprim::block_histogram<256>(gpuprim::this_block{}, items, counts);
  out[threadIdx.x] = counts[threadIdx.x];
}
