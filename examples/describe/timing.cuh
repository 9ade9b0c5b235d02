// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a pass takes on a GPU, and how that compares with the most that this GPU reads.
#pragma once

#include "device.cuh"
#include "report.cuh"

#include <gpuprim/reduce.cuh>

#include <algorithm>
#include <array>
#include <cstdint>

namespace describe {

/// Device time of one call in seconds: the median of 11 batches of 10 calls back to back, after a batch to
/// warm up.
template <class Call>
double median_seconds(const Call& call) {
  constexpr int batches = 11, calls = 10;
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "timing");
  check(cudaEventCreate(&stop), "timing");
  std::array<float, batches + 1> milliseconds;
  for (float& batch : milliseconds) {
    check(cudaEventRecord(start), "timing");
    for (int i = 0; i < calls; ++i) check(call(), "the timed pass");
    check(cudaEventRecord(stop), "timing");
    check(cudaEventSynchronize(stop), "the timed pass");
    check(cudaEventElapsedTime(&batch, start, stop), "timing");
  }
  (void)cudaEventDestroy(start);
  (void)cudaEventDestroy(stop);
  std::sort(milliseconds.begin() + 1, milliseconds.end());
  return double(milliseconds[1 + batches / 2]) * 1e-3 / calls;
}

/// The most that the GPU reads, found by summing a large buffer, and a sentence that says so.
struct read_limit {
  double bytes_per_second;
  std::string sentence;
};

inline read_limit measure_read_limit() {
  std::size_t free_bytes = 0, total_bytes = 0, bytes = std::size_t{1} << 30;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for the free memory");
  while (bytes > free_bytes / 2) bytes /= 2;
  const device_memory buffer(bytes), out(sizeof(unsigned));
  check(cudaMemset(buffer.as<void>(), 1, bytes), "filling a buffer");
  const auto n = std::int64_t(bytes / sizeof(unsigned));
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<unsigned>(n));
  const double seconds = median_seconds([&] {
    return gpuprim::reduce(buffer.as<const unsigned>(), n, out.as<unsigned>(), gpuprim::plus{}, 0u, {.workspace = &ws});
  });
  int device = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device), "asking for the GPU");
  check(cudaGetDeviceProperties(&properties, device), "asking for the GPU");
  const double rate = double(bytes) / seconds;
  return {rate, std::string("Ran on ") + properties.name + ", whose read limit is " + rounded(rate * 1e-9, 4) +
                    " GB/s: measured just now, the sum of " + exact(bytes >> 20) +
                    " MiB. Times are device times of one pass out of many in a row, so a column much smaller than "
                    "the " +
                    exact(properties.l2CacheSize >> 20) +
                    " MiB of L2 cache is read from there, and a short one's time goes into starting and joining "
                    "the blocks."};
}

inline const read_limit& known_read_limit() {
  static const read_limit limit = measure_read_limit();
  return limit;
}

/// `call` is the pass over `bytes` of input.
template <class Call>
std::string timing_line(std::int64_t bytes, const Call& call) {
  const double seconds = median_seconds(call);
  const double rate = double(bytes) / seconds;
  return "  " + rounded(seconds * 1e6, 4) + " us, " + rounded(rate * 1e-9, 4) + " GB/s, " +
         rounded(100 * rate / known_read_limit().bytes_per_second, 3) + " % of the read limit";
}

}  // namespace describe
