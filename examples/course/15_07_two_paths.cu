// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work moved between the threads of a block, third form: values are grouped by the path that they take, so that all
// warps but one take a single path. Prints how many of the issued lane steps are useful, and the time, beside the same
// work without redistribution. Good for branches of unequal length.
// Source: Hoberock, Lu, Jia and Hart, "Stream compaction for deferred shading", 2009; Wald, "Active thread compaction
// for GPU path tracing", 2011.
#include "redistribution.hpp"

using namespace course;

constexpr int first_path = 12, second_path = 30;

__host__ __device__ unsigned mix(unsigned x) { return (x ^ x << 7) * 747796405u + 3; }
__host__ __device__ bool takes_first_path(unsigned x) { return scramble(x) >> 16 & 1; }

// [paths]
template <work Work>
__global__ void take_either_path(unsigned* data, int n, unsigned long long* sums) {
  GPUPRIM_SHARED(grouped, unsigned[block_size]);
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), i = int(blockIdx.x) * block_size + rank;
  unsigned mine = i < n ? data[i] : 0;
  const bool is_first = takes_first_path(mine);
  lanes count{sums};
  const auto take_path = [&](bool takes_first, unsigned& x) {
    for (int k = 0; k < first_path; ++k) count.run(takes_first, [&] { x = scramble(x); });
    for (int k = 0; k < second_path; ++k) count.run(!takes_first, [&] { x = mix(x); });
  };
  if constexpr (Work == work::stays) {
    take_path(is_first, mine);
  } else {
    const auto parted = gpuprim::block_partition<block_size>(block, is_first);
    grouped[parted.place] = mine;
    block.sync();
    take_path(rank < parted.counts[0], grouped[rank]);  // one warp at most has lanes of both paths
    block.sync();
    mine = grouped[parted.place];
  }
  if (i < n) data[i] = mine;
  count.add_up();
}
// [paths]

unsigned path_on_host(unsigned x) {
  const bool takes_first = takes_first_path(x);
  for (int k = 0; k < (takes_first ? first_path : second_path); ++k) x = takes_first ? scramble(x) : mix(x);
  return x;
}

int main() {
  return verdict(compare("two paths", take_either_path<work::stays>, take_either_path<work::moves>, path_on_host));
}
