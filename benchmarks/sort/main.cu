// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts beside CUB in one process; support/contest.cuh has the command line. The floor is a read of the keys, in which
// digits are counted, and for each 8 bits of a key a pass that reads and writes keys and values; for merge sort one
// such pass.
#include "../support/contest.cuh"
#include "contenders.hpp"

#include <cmath>

namespace bench {

std::vector<sort_contender>& sort_contenders() {
  static std::vector<sort_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::key_order;
using bench::sort_call;
using bench::sort_problem;

__device__ std::uint64_t scramble(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return i ^ i >> 31;
}
/// Keys whose bits are random but for floating types, of which no NaN is made.
template <class Key>
__global__ void fill_keys(Key* out, std::int64_t n, key_order order) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::uint64_t bits = scramble(std::uint64_t(i));
    if constexpr (std::is_floating_point_v<Key>) {
      out[i] = Key(int(bits >> 32)) * Key(1e-3);
    } else {
      switch (order) {
        case key_order::random: out[i] = Key(bits); break;
        case key_order::all_equal: out[i] = Key(0x12345678); break;
        case key_order::few_distinct: out[i] = Key(scramble(bits % 16)); break;
        case key_order::sorted: out[i] = Key(i); break;
        case key_order::reversed: out[i] = Key(n - i); break;
        case key_order::zipf: out[i] = Key(1 / (double(bits >> 11) * 0x1p-53 + 1e-9)); break;
      }
    }
  }
}
__global__ void fill_positions(unsigned* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = unsigned(i);
}

/// Copies of the input and the output of one problem.
struct sort_input {
  const sort_problem& problem;
  std::int64_t n, stride, copies;
  const bench::arena& whole;

  sort_input(const sort_problem& p, std::int64_t count, const bench::arena& memory)
      : problem(p), n(count), stride(2048 + 2 * n * (p.key_bytes() + p.value_bytes())), whole(memory) {
    stride = (stride + 511) / 512 * 512;
    copies = bench::count_copies(stride);
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::sort_pass at = pass(c);
      check(bench::with_key_type(p, [&]<class Key>() {
        fill_keys<<<1024, 256>>>(static_cast<Key*>(const_cast<void*>(at.keys)), n, p.order);
        return cudaGetLastError();
      }), "fill");
      if (p.value_bytes() > 0) fill_positions<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.values)), n);
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::sort_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes) {
      char* mine = at;
      at += (bytes + 255) / 256 * 256;
      return mine;
    };
    bench::sort_pass p{};
    p.n = n;
    p.keys = take(n * problem.key_bytes());
    p.values = take(n * problem.value_bytes());
    p.keys_out = take(n * problem.key_bytes());
    p.values_out = take(n * problem.value_bytes());
    return p;
  }
};

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::sort_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 24, 12);
  for (const sort_problem& problem : bench::sort_problems) {
    if (!contest.has(problem.name)) continue;
    for (std::int64_t n : bench::counts_up_to(contest.most_log2)) {
      const sort_input data(problem, n, contest.whole);
      const bench::sort_pass first = data.pass(0);
      const auto enqueue = [&](const bench::sort_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, data.pass(copy), s);
      };
      const std::int64_t key_bytes = n * problem.key_bytes(), bytes = key_bytes + n * problem.value_bytes();
      contest.compete({problem.name, n}, all, data.copies,
                      {{first.keys_out, key_bytes}, {first.values_out, n * problem.value_bytes()}}, enqueue, [&] {
                        if (problem.call == sort_call::merge_sort) return contest.floor_us(bytes, bytes);
                        return contest.floor_us(key_bytes, 0) + problem.key_bytes() * contest.floor_us(bytes, bytes);
                      });
    }
  }
  return contest.end();
}
