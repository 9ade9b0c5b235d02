// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Redistribution of work inside a block, in three forms: unfinished tasks move to the first threads, so that whole
// warps run out of work; values that need an optional step move there for the step and back; two paths are grouped, so
// that all warps but one take a single path. Prints how many of the issued lane steps are useful, beside the same work
// without redistribution. Good for ray tracing, particles, Monte Carlo methods, branches of unequal length.
// Source: Hoberock, Lu, Jia and Hart, "Stream compaction for deferred shading", 2009; Wald, "Active thread compaction
// for GPU path tracing", 2011.
#include <gpuprim/compact.cuh>
#include <gpuprim/reduce.cuh>

#include <cstdio>
#include <vector>

constexpr int block_size = 128, round_steps = 16, optional_steps = 20, first_path = 12, second_path = 30;

enum class work { stays, moves };

struct task {
  int number, steps;
  unsigned x;
};

__host__ __device__ unsigned collatz(unsigned x) { return x % 2 == 0 ? x / 2 : 3 * x + 1; }
__host__ __device__ unsigned scramble(unsigned x) { return (x ^ x >> 15) * 2654435769u + 1; }
__host__ __device__ unsigned mix(unsigned x) { return (x ^ x << 7) * 747796405u + 3; }
__host__ __device__ bool needs_step(unsigned x) { return scramble(x) >> 16 & 1 && scramble(x) >> 17 & 1; }
__host__ __device__ bool takes_first_path(unsigned x) { return scramble(x) >> 16 & 1; }

/// Counts the lane steps of the calling thread.
struct lanes {
  unsigned long long useful = 0, issued = 0;

  /// One step of those lanes that are active. A warp issues it for all of its lanes, or for none.
  template <class Step>
  __device__ void run(bool is_active, const Step& step) {
    if (gpuprim::warp_rank(gpuprim::warp_tile<32>{}, is_active).count == 0) return;
    ++issued;
    if (!is_active) return;
    ++useful;
    step();
  }

  __device__ void add_to(unsigned long long* sums) const {
    const gpuprim::this_block block;
    const auto all_useful = gpuprim::block_reduce<block_size>(block, useful, gpuprim::plus{});
    const auto all_issued = gpuprim::block_reduce<block_size>(block, issued, gpuprim::plus{});
    if (block.thread_rank() != 0) return;
    atomicAdd(&sums[0], all_useful);
    atomicAdd(&sums[1], all_issued);
  }
};

// [unfinished]
/// Element i becomes the number of Collatz steps from it to 1.
template <work Work>
__global__ void finish_tasks(unsigned* data, int n, unsigned long long* sums) {
  GPUPRIM_SHARED(unfinished, task[block_size]);
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), i = int(blockIdx.x) * block_size + rank;
  task mine{i, 0, i < n ? data[i] : 1};
  lanes count;
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
  count.add_to(sums);
}
// [unfinished]

// [optional]
template <work Work>
__global__ void take_optional_step(unsigned* data, int n, unsigned long long* sums) {
  GPUPRIM_SHARED(moved, unsigned[block_size]);
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), i = int(blockIdx.x) * block_size + rank;
  unsigned mine = i < n ? data[i] : 0;
  bool needs = i < n && needs_step(mine);
  lanes count;
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
  count.add_to(sums);
}
// [optional]

// [paths]
template <work Work>
__global__ void take_either_path(unsigned* data, int n, unsigned long long* sums) {
  GPUPRIM_SHARED(grouped, unsigned[block_size]);
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), i = int(blockIdx.x) * block_size + rank;
  unsigned mine = i < n ? data[i] : 0;
  const bool is_first = takes_first_path(mine);
  lanes count;
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
  count.add_to(sums);
}
// [paths]

unsigned host_finish(unsigned x) {
  unsigned steps = 0;
  for (; x != 1; x = collatz(x)) ++steps;
  return steps;
}
unsigned host_optional(unsigned x) {
  const int steps = needs_step(x) ? optional_steps : 0;
  for (int k = 0; k < steps; ++k) x = scramble(x);
  return x;
}
unsigned host_paths(unsigned x) {
  const bool takes_first = takes_first_path(x);
  for (int k = 0; k < (takes_first ? first_path : second_path); ++k) x = takes_first ? scramble(x) : mix(x);
  return x;
}

using kernel = void (*)(unsigned*, int, unsigned long long*);

/// Runs the work where it lies and moved. True if both are right, and moving it makes more of the lanes useful.
bool compare(const char* name, kernel stays, kernel moves, unsigned (*on_host)(unsigned)) {
  constexpr int n = 5003, blocks = (n + block_size - 1) / block_size;
  std::vector<unsigned> values(n), want(n), got(n);
  for (int i = 0; i < n; ++i) want[std::size_t(i)] = on_host(values[std::size_t(i)] = unsigned(i) + 2);
  unsigned* data = nullptr;
  unsigned long long *sums = nullptr, got_sums[2][2] = {};
  cudaError_t e = cudaMalloc(&data, n * sizeof(unsigned));
  if (e == cudaSuccess) e = cudaMalloc(&sums, sizeof got_sums[0]);
  bool right = true;
  for (int form = 0; form < 2; ++form) {
    if (e == cudaSuccess) e = cudaMemcpy(data, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    if (e == cudaSuccess) e = cudaMemset(sums, 0, sizeof got_sums[0]);
    if (e == cudaSuccess) e = gpuprim::launch(form == 0 ? stays : moves, blocks, block_size, nullptr, data, n, sums);
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), data, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    if (e == cudaSuccess) e = cudaMemcpy(got_sums[form], sums, sizeof got_sums[0], cudaMemcpyDeviceToHost);
    right &= got == want;
  }
  (void)cudaFree(data), (void)cudaFree(sums);
  double efficiency[2];
  for (int form = 0; form < 2; ++form) efficiency[form] = 100.0 * double(got_sums[form][0]) / double(got_sums[form][1]);
  right &= e == cudaSuccess && got_sums[0][0] == got_sums[1][0] && efficiency[1] > efficiency[0];
  std::printf("%s: lane efficiency %.1f %% where it lies, %.1f %% redistributed: %s (%s)\n", name, efficiency[0],
              efficiency[1], right ? "right" : "wrong", cudaGetErrorString(e));
  return right;
}

int main() {
  bool right = compare("unfinished tasks", finish_tasks<work::stays>, finish_tasks<work::moves>, host_finish);
  right &= compare("an optional step", take_optional_step<work::stays>, take_optional_step<work::moves>, host_optional);
  right &= compare("two paths", take_either_path<work::stays>, take_either_path<work::moves>, host_paths);
  return right ? 0 : 1;
}
