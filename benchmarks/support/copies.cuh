// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// For programs whose passes write as much as they read: how many copies of the data a graph goes over, the rate of a
// copy, and the comparison of what two contenders wrote.
#include "check.hpp"
#include "floor.hpp"
#include "samples.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

/// Copies are apart from each other by more than the L2 cache holds, or few enough that a graph is made quickly.
inline constexpr std::int64_t least_copied_bytes = 512 * MiB, most_copies = 64;

/// Copies of data of so many bytes.
inline std::int64_t count_copies(std::int64_t bytes) {
  return std::min(std::max<std::int64_t>(least_copied_bytes / bytes, 2), most_copies);
}

/// Compiled by the one file of a program that includes it.
static __global__ void count_differences(const unsigned* a, const unsigned* b, std::int64_t n,
                                         unsigned long long* differ) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (a[i] != b[i]) atomicAdd(differ, 1ull);
  }
}

/// The same of both sorted.
inline unsigned long long count_sorted_differences(const unsigned* a, const unsigned* b, std::int64_t n) {
  std::vector<unsigned> words[2];
  for (auto& to : words) {
    to.resize(std::size_t(n));
    check(cudaMemcpy(to.data(), &to == words ? a : b, to.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), "copy");
    std::sort(to.begin(), to.end());
  }
  unsigned long long different = 0;
  for (std::size_t i = 0; i < words[0].size(); ++i) different += words[0][i] != words[1][i];
  return different;
}

/// A thread has four wide loads under way.
static __global__ void __launch_bounds__(512) copy_words(const uint4* from, uint4* to) {
  const std::int64_t first = std::int64_t(blockIdx.x) * 2048 + threadIdx.x;
  uint4 words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) words[i] = from[first + i * 512];
#pragma unroll
  for (int i = 0; i < 4; ++i) to[first + i * 512] = words[i];
}

/// GB/s of a copy of half a GiB, what is read and what is written together.
inline double measure_copy_rate(const arena& memory, int rounds) {
  samples times;
  graph_timer copies(4, [&](std::int64_t, cudaStream_t s) {
    const auto* from = reinterpret_cast<const uint4*>(memory.data() + GiB / 2);
    copy_words<<<unsigned(GiB / 2 / 16 / 2048), 512, 0, s>>>(from, reinterpret_cast<uint4*>(memory.data()));
    return cudaGetLastError();
  });
  for (int i = 0; i < rounds; ++i) times.add(copies.us_per_pass());
  return double(GiB) * 1e-3 / times.median();
}

}  // namespace bench
