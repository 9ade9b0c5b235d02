// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work moved between the threads of a block, first form: tasks that are unfinished move to the first threads, so that
// whole warps run out of work. Prints how many of the issued lane steps are useful, and the time, beside the same
// work without redistribution. Good for ray tracing, particles, Monte Carlo methods.
// Source: Hoberock, Lu, Jia and Hart, "Stream compaction for deferred shading", 2009; Wald, "Active thread compaction
// for GPU path tracing", 2011.
#include "redistribution.hpp"

using namespace course;

constexpr int round_steps = 16;

struct task {
  int number, steps;
  unsigned x;
};

// [unfinished]
/// Element i becomes the number of Collatz steps from it to 1.
template <work Work>
__global__ void finish_tasks(unsigned* data, int n, unsigned long long* sums) {
  GPUPRIM_SHARED(unfinished, task[block_size]);
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), i = int(blockIdx.x) * block_size + rank;
  task mine{i, 0, i < n ? data[i] : 1};
  lanes count{sums};
  for (int left = block_size; left > 0;) {
    for (int step = 0; step < round_steps; ++step) {
      count.run(mine.x != 1, [&] {
        mine.x = collatz(mine.x);
        ++mine.steps;
        if (mine.x == 1) data[mine.number] = unsigned(mine.steps);
      });
    }
    left = gpuprim::block_compact<block_size>(block, mine, mine.x != 1, unfinished);
    if constexpr (Work == work::stays) continue;
    block.sync();
    if (rank < left) mine = unfinished[rank];  // the tasks fill the first warps
    else mine.x = 1;                           // the other warps have no task any more
  }
  count.add_up();
}
// [unfinished]

unsigned finish_on_host(unsigned x) {
  unsigned steps = 0;
  for (; x != 1; x = collatz(x)) ++steps;
  return steps;
}

int main() {
  return verdict(compare("unfinished tasks", finish_tasks<work::stays>, finish_tasks<work::moves>, finish_on_host));
}
