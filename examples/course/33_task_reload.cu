// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of very different length: a lane that is done takes the next task at once and does not wait for the longest of
// its warp. First by hand, an atomic operation for each task, then by gpuprim::task_pool, one for all idle lanes of a
// warp. Good for ray traversal, root finding, tree walks. Prints the useful lane steps of all lane steps.
// Source: Aila and Laine, "Understanding the efficiency of ray traversal on GPUs", 2009 (persistent threads).
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

struct tally {  // in device memory
  unsigned long long useful_steps, all_steps, tasks_taken;
};

// Task t counts the steps from t + 2 down to 1.
__host__ __device__ unsigned collatz(unsigned x) { return x % 2 == 0 ? x / 2 : 3 * x + 1; }

// [plain]
__global__ void run_plain(int tasks, int* lengths, int* runs, tally* sums) {
  const int lane = int(threadIdx.x) % 32, stride = int(gridDim.x * blockDim.x);
  unsigned long long useful = 0, all = 0;
  for (int first = int(blockIdx.x * blockDim.x + threadIdx.x) - lane; first < tasks; first += stride) {
    const int task = first + lane;
    bool busy = task < tasks;
    unsigned x = unsigned(task) + 2;
    for (int steps = 1; __any_sync(0xffffffffu, busy); ++steps) {  // until the longest of the warp is done
      ++all;
      if (!busy) continue;
      ++useful;
      x = collatz(x);
      if (x != 1) continue;
      lengths[task] = steps;
      atomicAdd(&runs[task], 1);
      busy = false;
    }
  }
  atomicAdd(&sums->useful_steps, useful);
  atomicAdd(&sums->all_steps, all);
}
// [plain]

// [reload]
__global__ void run_reload(int tasks, int* lengths, int* runs, tally* sums) {
  unsigned long long useful = 0, all = 0;
  const auto take = [&] { return int(atomicAdd(&sums->tasks_taken, 1ull)); };
  int task = take(), steps = 0;
  unsigned x = unsigned(task) + 2;
  while (__any_sync(0xffffffffu, task < tasks)) {  // a task equal to `tasks` is none: the last is tasks - 1
    ++all;
    if (task >= tasks) continue;
    ++useful;
    ++steps;
    x = collatz(x);
    if (x != 1) continue;
    lengths[task] = steps;
    atomicAdd(&runs[task], 1);
    task = take();  // the reload
    x = unsigned(task) + 2;
    steps = 0;
  }
  atomicAdd(&sums->useful_steps, useful);
  atomicAdd(&sums->all_steps, all);
}
// [reload]

// [pool]
/// All lanes of a warp that are done take their next tasks by one atomic operation.
__global__ void run_pool(int tasks, int* lengths, int* runs, tally* sums) {
  const gpuprim::warp_tile<32> warp;
  gpuprim::task_pool pool{&sums->tasks_taken, tasks};
  unsigned long long useful = 0, all = 0;
  int task = -1, steps = 0;
  unsigned x = 0;
  for (;;) {
    if (const int next = int(pool.next(warp, task < 0)); next >= 0) {
      task = next;
      x = unsigned(task) + 2;
      steps = 0;
    }
    if (!__any_sync(0xffffffffu, task >= 0)) break;
    ++all;
    if (task < 0) continue;
    ++useful;
    ++steps;
    x = collatz(x);
    if (x != 1) continue;
    lengths[task] = steps;
    atomicAdd(&runs[task], 1);
    task = -1;
  }
  atomicAdd(&sums->useful_steps, useful);
  atomicAdd(&sums->all_steps, all);
}
// [pool]

int main() {
  constexpr int n = 3001, blocks = 2, block_size = 128, warps = blocks * block_size / 32;
  std::vector<int> want(n), got(n), runs(n);
  unsigned long long steps = 0;
  double all_steps[3] = {};
  for (int i = 0; i < n; ++i) {
    for (unsigned x = unsigned(i) + 2; x != 1; x = collatz(x)) ++want[i];
    steps += unsigned(want[i]);
  }
  int *lengths = nullptr, *device_runs = nullptr;
  tally *sums = nullptr, got_sums{};
  bool right = true;
  cudaError_t e = cudaMalloc(&lengths, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&device_runs, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMalloc(&sums, sizeof(tally));
  for (int form = 0; form < 3; ++form) {
    if (e == cudaSuccess) e = cudaMemset(lengths, 0, n * sizeof(int));
    if (e == cudaSuccess) e = cudaMemset(device_runs, 0, n * sizeof(int));
    if (e == cudaSuccess) e = cudaMemset(sums, 0, sizeof(tally));
    const auto kernel = form == 0 ? run_plain : form == 1 ? run_reload : run_pool;
    if (e == cudaSuccess) e = gpuprim::launch(kernel, blocks, block_size, nullptr, n, lengths, device_runs, sums);
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), lengths, n * sizeof(int), cudaMemcpyDeviceToHost);
    if (e == cudaSuccess) e = cudaMemcpy(runs.data(), device_runs, n * sizeof(int), cudaMemcpyDeviceToHost);
    if (e == cudaSuccess) e = cudaMemcpy(&got_sums, sums, sizeof(tally), cudaMemcpyDeviceToHost);
    right &= got == want && std::count(runs.begin(), runs.end(), 1) == n && got_sums.useful_steps == steps;
    all_steps[form] = double(got_sums.all_steps);
    const char* name = form == 0 ? "plain" : form == 1 ? "reload" : "pool";
    std::printf("%s: efficiency %.1f %%\n", name, 100.0 * double(steps) / all_steps[form]);
  }
  // A lane idles only once no task is left, so no longer than the longest task of another lane.
  const int longest = *std::max_element(want.begin(), want.end());
  for (int form : {1, 2}) {
    right &= all_steps[form] <= double(steps) + 31.0 * warps * longest && all_steps[form] < all_steps[0];
  }
  (void)cudaFree(lengths), (void)cudaFree(device_runs), (void)cudaFree(sums);
  std::printf("%d tasks, %llu steps: %s (%s)\n", n, steps, right ? "right" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
