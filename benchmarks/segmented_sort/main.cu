// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments beside CUB in one process; support/contest.cuh has the command line. All are timed as calls: CUB's
// waits for the GPU, and cannot be captured in a graph. The floor is one pass that reads and writes keys and values.
#include "../support/contest.cuh"
#include "../support/key_copies.cuh"
#include "contenders.hpp"

#include <algorithm>
#include <random>

namespace bench {

std::vector<segmented_sort_contender>& segmented_sort_contenders() {
  static std::vector<segmented_sort_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::segment_mix;
using bench::segmented_sort_problem;

/// Where the segments of n keys begin, and n.
std::vector<int> make_offsets(const segmented_sort_problem& problem, std::int64_t n) {
  std::mt19937 random(7);
  std::vector<int> offsets{0};
  while (offsets.back() < n) {
    const std::int64_t left = n - offsets.back();
    std::int64_t length = problem.length;
    if (problem.mix == segment_mix::random) length = random() % (2 * problem.length + 1);
    if (problem.mix == segment_mix::few) length = (n + problem.length - 1) / problem.length;
    if (problem.mix == segment_mix::zipf) length = std::int64_t(std::min(1e6, 4294967296.0 / (random() + 1.0)));
    offsets.push_back(offsets.back() + int(std::min(length, left)));
  }
  return offsets;
}

/// Where the segments begin, on the device.
struct device_offsets {
  std::int64_t segments;
  int* data = nullptr;

  explicit device_offsets(const std::vector<int>& offsets) : segments(std::int64_t(offsets.size()) - 1) {
    check(cudaMalloc(&data, offsets.size() * sizeof(int)), "allocate");
    check(cudaMemcpy(data, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice), "copy");
  }
  ~device_offsets() { (void)cudaFree(data); }
  device_offsets(const device_offsets&) = delete;
  device_offsets& operator=(const device_offsets&) = delete;
};

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::segmented_sort_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 24, 12, bench::timed_in::calls);
  for (const segmented_sort_problem& problem : bench::segmented_sort_problems) {
    if (!contest.has(problem.name)) continue;
    for (int log2 = 16; log2 <= contest.most_log2; log2 += 5) {
      const std::int64_t most = std::int64_t{1} << log2;
      const std::int64_t n = problem.is_fixed ? most / problem.length * problem.length : most;
      const std::int64_t key_bytes = n * problem.key_bytes(), value_bytes = n * problem.value_bytes();
      const bench::key_copies copies(problem, bench::key_order::random, n,
                                     {key_bytes, value_bytes, key_bytes, value_bytes}, contest.whole);
      const device_offsets offsets(make_offsets(problem, n));
      const auto enqueue = [&](const bench::segmented_sort_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, {copies[copy], offsets.segments, offsets.data}, s);
      };
      contest.compete({problem.name, n}, all, copies.count(),
                      {{copies[0].keys_out, key_bytes}, {copies[0].values_out, value_bytes}}, enqueue,
                      [&] { return contest.floor_us(key_bytes + value_bytes, key_bytes + value_bytes); });
    }
  }
  return contest.end();
}
