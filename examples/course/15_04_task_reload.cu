// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of very different length: a lane that is done takes the next task at once and does not wait for the longest of
// its warp. First by hand, an atomic operation for each task, then by gpuprim::task_pool, one for all idle lanes of a
// warp. Good for ray traversal, root finding, tree walks. Prints the useful lane steps of all lane steps.
// Source: Aila and Laine, "Understanding the efficiency of ray traversal on GPUs", 2009 (persistent threads).
#include "redistribution.hpp"

using namespace course;

// Task t counts the steps from t + 2 down to 1.
struct work_list {
  int tasks, *lengths, *runs;
  unsigned long long *taken, *sums;
  __device__ void finish(int task, int steps) const {
    lengths[task] = steps;
    atomicAdd(&runs[task], 1);
  }
};

// [plain]
__global__ void run_plain(work_list list) {
  const int lane = int(threadIdx.x) % 32, stride = int(gridDim.x * blockDim.x);
  lanes count{list.sums};
  for (int first = int(blockIdx.x * blockDim.x + threadIdx.x) - lane; first < list.tasks; first += stride) {
    const int task = first + lane;
    bool busy = task < list.tasks;
    unsigned x = unsigned(task) + 2;
    for (int steps = 1; __any_sync(0xffffffffu, busy); ++steps) {  // until the longest of the warp is done
      count.run(busy, [&] {
        x = collatz(x);
        if (x != 1) return;
        list.finish(task, steps);
        busy = false;
      });
    }
  }
  count.add_up();
}
// [plain]

// [reload]
__global__ void run_reload(work_list list) {
  const auto take = [&] { return int(atomicAdd(list.taken, 1ull)); };
  int task = take(), steps = 0;
  unsigned x = unsigned(task) + 2;
  lanes count{list.sums};
  while (__any_sync(0xffffffffu,
                    task < list.tasks)) {  // the last task is tasks - 1; from `tasks` on there is none
    count.run(task < list.tasks, [&] {
      ++steps;
      x = collatz(x);
      if (x != 1) return;
      list.finish(task, steps);
      task = take();  // the reload
      x = unsigned(task) + 2;
      steps = 0;
    });
  }
  count.add_up();
}
// [reload]

// [pool]
/// All lanes of a warp that are done take their next tasks by one atomic operation.
__global__ void run_pool(work_list list) {
  const gpuprim::warp_tile<32> warp;
  gpuprim::task_pool pool{list.taken, list.tasks};
  int task = -1, steps = 0;
  unsigned x = 0;
  lanes count{list.sums};
  for (;;) {
    if (const int next = int(pool.next(warp, task < 0)); next >= 0) {
      task = next;
      x = unsigned(task) + 2;
      steps = 0;
    }
    if (!__any_sync(0xffffffffu, task >= 0)) break;
    count.run(task >= 0, [&] {
      ++steps;
      x = collatz(x);
      if (x != 1) return;
      list.finish(task, steps);
      task = -1;
    });
  }
  count.add_up();
}
// [pool]

int main() {
  constexpr int n = 3001, blocks = 2, warps = blocks * block_size / 32;
  std::vector<int> want(n);
  double useful = 0, plain = 0;
  for (int i = 0; i < n; ++i) {
    for (unsigned x = unsigned(i) + 2; x != 1; x = collatz(x)) ++want[std::size_t(i)];
    useful += want[std::size_t(i)];
  }
  // A lane idles only once no task is left, so no longer than the longest task of another lane.
  const double most = useful + 31.0 * warps * *std::max_element(want.begin(), want.end());
  bool right = true;
  for (const auto kernel : {run_plain, run_reload, run_pool}) {
    const device_array<int> lengths(std::vector<int>(n, 0)), runs(std::vector<int>(n, 0));
    const device_array<unsigned long long> sums(std::vector<unsigned long long>(3, 0));
    const work_list list{n, lengths.data(), runs.data(), sums.data() + 2, sums.data()};
    check(gpuprim::launch(kernel, blocks, block_size, nullptr, list));
    const double issued = double(sums.on_host()[1]);
    right &= lengths.on_host() == want && runs.on_host() == std::vector<int>(n, 1);
    right &= double(sums.on_host()[0]) == useful;
    if (kernel == run_plain) plain = issued;
    else right &= issued <= most && issued < plain;
    const char* const name = kernel == run_plain ? "plain" : kernel == run_reload ? "reload" : "pool";
    std::printf("%s: efficiency %.1f %%\n", name, 100.0 * useful / issued);
  }
  return verdict(right);
}
