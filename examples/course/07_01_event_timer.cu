// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time by events against time by the host's clock. Events measure what the GPU does between them; the host's clock,
// with a wait at the end, has the launch and the wait in it as well. One run says little: the median of many is
// stable, the mean is not, because a first call loads code and others disturb now and then. The timer is in
// measure.hpp.
//   07_01_event_timer [N]
// Source: "Timing" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#include <chrono>

__global__ void scale(const float* in, int n, float* out) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x)) out[i] = 3 * in[i];
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(10007, 1 << 27)), block_size = 256;
  std::vector<float> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[i] = float(i % 4096);
  const measure::device_array<float> in(values), out(values.size());
  out.poison();
  const auto run = [&](int size) {
    return gpuprim::launch(scale, (size + block_size - 1) / block_size, block_size, nullptr, in.data(), size,
                           out.data());
  };
  // [events]
  measure::event_timer timer;
  const double by_events = timer.us([&](int) { return run(n); });
  // [events]
  const double of_half = timer.us([&](int) { return run(n / 2); });
  // [host]
  std::vector<double> by_host;
  for (int i = 0; i < 11; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    measure::check(run(n));
    measure::check(cudaDeviceSynchronize());  // without it, this is the time of a launch
    by_host.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(by_host.begin(), by_host.end());
  // [host]
  std::vector<float> want(values);
  for (float& x : want) x *= 3;
  bool right = out.on_host() == want;
  if (measure::on_gpu) {
    std::printf("events: %.2f us, %.2f us for half of it; host clock with a wait: median %.2f us, longest %.2f us\n",
                by_events, of_half, by_host[5], by_host[10]);
    // A large input takes about twice as long as its half; the host's clock never shows less than the events.
    if (n > 1 << 26) right &= by_events > 1.5 * of_half && by_events < 2.5 * of_half && by_host[5] > 0.95 * by_events;
  }
  std::printf("%d values: %s\n", n, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
