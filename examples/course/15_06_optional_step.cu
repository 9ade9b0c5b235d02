// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work moved between the threads of a block, second form: values that need an optional step move to the first threads
// for the step, and back. Prints how many of the issued lane steps are useful, and the time, beside the same
// work without redistribution. Good for a long step that few elements need.
// Source: Hoberock, Lu, Jia and Hart, "Stream compaction for deferred shading", 2009; Wald, "Active thread compaction
// for GPU path tracing", 2011.
#include "redistribution.hpp"

using namespace course;

constexpr int optional_steps = 20;

__host__ __device__ bool needs_step(unsigned x) { return scramble(x) >> 16 & 1 && scramble(x) >> 17 & 1; }

// [optional]
template <work Work>
__global__ void take_optional_step(unsigned* data, int n, unsigned long long* sums) {
  GPUPRIM_SHARED(moved, unsigned[block_size]);
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), i = int(blockIdx.x) * block_size + rank;
  unsigned mine = i < n ? data[i] : 0;
  bool needs = i < n && needs_step(mine);
  lanes count{sums};
  const auto step = [&](bool is_active, unsigned& x) {
    for (int k = 0; k < optional_steps; ++k) count.run(is_active, [&] { x = scramble(x); });
  };
  if constexpr (Work == work::stays) {
    step(needs, mine);
  } else {
    const auto [place, needy] = gpuprim::block_rank<block_size>(block, needs);
    if (needs) moved[place] = mine;
    block.sync();
    step(rank < needy, moved[rank]);  // full warps, but for the last one
    block.sync();
    if (needs) mine = moved[place];  // back to where it was
  }
  if (i < n) data[i] = mine;
  count.add_up();
}
// [optional]

unsigned step_on_host(unsigned x) {
  const int steps = needs_step(x) ? optional_steps : 0;
  for (int k = 0; k < steps; ++k) x = scramble(x);
  return x;
}

int main() {
  return verdict(
      compare("an optional step", take_optional_step<work::stays>, take_optional_step<work::moves>, step_on_host));
}
