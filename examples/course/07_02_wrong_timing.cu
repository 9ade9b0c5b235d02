// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five mistakes of timing, each figure beside the right one. Every wrong figure here is deliberate.
//   no wait           a launch returns before the kernel has run: this is the time of the call
//   clock()           processor time of the process, in coarse ticks: nothing while the host sleeps, and again no wait
//   first call        loads code and wakes the GPU
//   one small input   comes from the L2 cache and not from memory
//   no check          a block that cannot launch takes no time at all; here it is an error and never a time
// compute-sanitizer reports the launch that must fail, unless it is called with --report-api-errors no. Timing under
// such a tool or a profiler is a sixth mistake: run this program under one and compare.
//   07_02_wrong_timing [N]
// Source: "Timing" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#include <chrono>
#include <ctime>

constexpr int block_size = 256;

__global__ void add_one(unsigned* data, int n) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x)) data[i] += 1;
}

cudaError_t run(unsigned* data, int n, int threads = block_size) {
  return gpuprim::launch(add_one, (n + block_size - 1) / block_size, threads, nullptr, data, n);
}

double us_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(10007, 1 << 27));
  const int small = std::min(n, 1 << 22);  // 16 MiB stay in the cache
  const measure::device_array<unsigned> data(static_cast<std::size_t>(n));
  measure::check(cudaMemset(data.data(), 0, std::size_t(n) * sizeof(unsigned)));
  measure::check(cudaDeviceSynchronize());
  // [wrong]
  auto begin = std::chrono::steady_clock::now();
  measure::check(run(data.data(), n));
  measure::check(cudaDeviceSynchronize());
  const double first_call = us_since(begin);

  begin = std::chrono::steady_clock::now();
  measure::check(run(data.data(), n));
  const double no_wait = us_since(begin);
  measure::check(cudaDeviceSynchronize());

  const std::clock_t ticks = std::clock();
  measure::check(run(data.data(), n));
  const double by_clock = 1e6 * double(std::clock() - ticks) / CLOCKS_PER_SEC;
  measure::check(cudaDeviceSynchronize());

  begin = std::chrono::steady_clock::now();
  const cudaError_t refused = run(data.data(), n, 2048);  // whose error nobody looks at
  (void)cudaDeviceSynchronize();
  const double no_check = us_since(begin);
  // [wrong]
  // [right]
  measure::event_timer timer;
  int runs = 3;
  const double right_us = timer.us([&](int) { return ++runs, run(data.data(), n); });
  const double in_cache = timer.us([&](int) { return run(data.data(), small); }, 32);  // wrong again
  // [right]
  if (measure::on_gpu) {
    const double bytes = 8.0 * n;
    std::printf("right: %.2f us, %.0f GB/s\n", right_us, measure::gb_per_s(bytes, right_us));
    std::printf("no wait: %.2f us, %.0f GB/s\n", no_wait, measure::gb_per_s(bytes, no_wait));
    std::printf("clock(): %.2f us\n", by_clock);
    std::printf("first call: %.2f us, %.0f GB/s\n", first_call, measure::gb_per_s(bytes, first_call));
    std::printf("one small input, again and again: %.0f GB/s\n", measure::gb_per_s(8.0 * small, in_cache));
    std::printf("no check: %.2f us for a kernel that never ran: %s\n", no_check, cudaGetErrorString(refused));
  }
  bool right = refused != cudaSuccess && data.on_host()[std::size_t(n) - 1] >= unsigned(runs);
  if (measure::on_gpu && n > 1 << 26) right &= no_wait < 0.5 * right_us && no_check < 0.5 * right_us;
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
