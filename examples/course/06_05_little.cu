// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Little's law: to keep a memory busy, latency x bandwidth bytes must be on their way at any time. Compares what a
// launch can have in flight (gpuprim::launch_plan) with what a latency and a bandwidth need. Both are assumed and not
// measured; they can be given as arguments. Without arguments they are 600 ns, and 4800 GB/s, which is the bandwidth in
// the data sheet of an H200.
//   06_05_little [NANOSECONDS GB/S]
// Source: Little; for GPUs, Volkov, "Better performance at lower occupancy".
#include "../measure.hpp"

#include <gpuprim/reduce.cuh>

#include <cmath>

// [law]
/// 1 GB/s is one byte in a nanosecond.
double bytes_needed(double latency_ns, double gigabytes_per_second) { return latency_ns * gigabytes_per_second; }

/// The bandwidth that so many bytes in flight can reach at most.
double reachable_gigabytes_per_second(double bytes_in_flight, double latency_ns, double peak) {
  return std::fmin(peak, bytes_in_flight / latency_ns);
}
// [law]

/// 400 ns and 900 GB/s are 360,000 B; on 80 multiprocessors of 2048 threads 4500 B each, just over 2 B a thread.
bool worked_example() {
  const double bytes = bytes_needed(400, 900);
  const double half_full = reachable_gigabytes_per_second(80 * 1024 * 2.0, 400, 900);  // half the threads, 2 B each
  std::printf("400 ns x 900 GB/s = %.0f B, %.0f B a multiprocessor\n", bytes, bytes / 80);
  return bytes == 360000 && bytes / 80 == 4500 && std::fabs(half_full - 409.6) < 1e-9;
}

int main(int count, char** arguments) {
  const double latency_ns = count > 2 ? std::atof(arguments[1]) : 600;
  const double peak = count > 2 ? std::atof(arguments[2]) : 4800;
  if (count == 2 || !(latency_ns > 0) || !(peak > 0)) {
    std::fprintf(stderr, "usage: 06_05_little [NANOSECONDS GB/S], both greater than 0\n");
    return 1;
  }
  bool right = worked_example();
  const double needed = bytes_needed(latency_ns, peak);
  std::printf("assumed: a latency of %.0f ns and %.0f GB/s, which need %.0f B in flight\n", latency_ns, peak, needed);
  for (int n : {1001, 100003, 1000003}) {
    const measure::device_array<int> in(std::vector<int>(std::size_t(n), 3)), out(1);
    measure::check(gpuprim::reduce(in.data(), n, out.data(), gpuprim::plus{}, 0));
    // [plan]
    const gpuprim::launch_plan plan = gpuprim::reduce_plan(in.data(), n, out.data(), gpuprim::plus{}, 0);
    const double in_flight = std::fmin(double(plan.bytes_in_flight), 4.0 * n);  // no more than the array has
    const double reachable = reachable_gigabytes_per_second(in_flight, latency_ns, peak);
    // [plan]
    std::printf("%d ints: at most %.0f B in flight in %d blocks, enough for %.0f GB/s\n", n, in_flight, plan.grid_size,
                reachable);
    const int resident = plan.blocks_per_multiprocessor * plan.multiprocessors;
    const int threads = std::min(plan.grid_size, resident) * plan.block_size;
    right &= plan.bytes_in_flight > 0 && plan.bytes_in_flight % threads == 0;  // the same for each thread
    right &= out.on_host()[0] == 3 * n;
  }
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
