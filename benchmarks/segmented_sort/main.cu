// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of segments beside CUB in one process; support/contest.cuh has the command line. The floor is one pass that
// reads and writes keys and values.
#include "../support/contest.cuh"
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

template <class T>
__global__ void fill_numbers(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    unsigned x = unsigned(i) * 2654435761u;
    x ^= x >> 15;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    out[i] = T(x);
  }
}

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

/// Copies of the input and the output of one problem; all have the same offsets.
struct segmented_sort_input {
  const segmented_sort_problem& problem;
  std::int64_t n, stride, copies, segments;
  const bench::arena& whole;
  int* offsets = nullptr;

  segmented_sort_input(const segmented_sort_problem& p, std::int64_t count, const bench::arena& memory)
      : problem(p), n(p.is_fixed ? count / p.length * p.length : count),
        stride(2048 + 2 * n * (p.key_bytes() + p.value_bytes())), whole(memory) {
    stride = (stride + 511) / 512 * 512;
    copies = bench::count_copies(stride);
    const std::vector<int> begins = make_offsets(p, n);
    segments = std::int64_t(begins.size()) - 1;
    check(cudaMalloc(&offsets, begins.size() * sizeof(int)), "allocate");
    check(cudaMemcpy(offsets, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice), "copy");
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::segmented_sort_pass at = pass(c);
      check(bench::with_key_type(p, [&]<class Key>() {
        fill_numbers<<<1024, 256>>>(static_cast<Key*>(const_cast<void*>(at.keys)), n);
        return cudaGetLastError();
      }), "fill");
      if (p.has_values) fill_numbers<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.values)), n);
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  ~segmented_sort_input() { (void)cudaFree(offsets); }
  segmented_sort_input(const segmented_sort_input&) = delete;
  segmented_sort_input& operator=(const segmented_sort_input&) = delete;

  bench::segmented_sort_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes) {
      char* mine = at;
      at += (bytes + 255) / 256 * 256;
      return mine;
    };
    bench::segmented_sort_pass p{};
    p.n = n;
    p.segments = segments;
    p.offsets = offsets;
    p.keys = take(n * problem.key_bytes());
    p.values = take(n * problem.value_bytes());
    p.keys_out = take(n * problem.key_bytes());
    p.values_out = take(n * problem.value_bytes());
    return p;
  }
};

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::segmented_sort_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 24, 12);
  for (const segmented_sort_problem& problem : bench::segmented_sort_problems) {
    if (!contest.has(problem.name)) continue;
    for (int log2 = 16; log2 <= contest.most_log2; log2 += 5) {
      const segmented_sort_input data(problem, std::int64_t{1} << log2, contest.whole);
      const bench::segmented_sort_pass first = data.pass(0);
      const auto enqueue = [&](const bench::segmented_sort_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, data.pass(copy), s);
      };
      const std::int64_t key_bytes = data.n * problem.key_bytes(), value_bytes = data.n * problem.value_bytes();
      contest.compete({problem.name, data.n}, all, data.copies,
                      {{first.keys_out, key_bytes}, {first.values_out, value_bytes}}, enqueue, [&] {
                        return contest.floor_us(key_bytes + value_bytes, key_bytes + value_bytes);
                      });
    }
  }
  return contest.end();
}
