// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges, set operations and searches for many values beside CUB and Thrust in one process; support/contest.cuh has the
// command line.
#include "../support/contest.cuh"
#include "contenders.hpp"

namespace bench {

std::vector<merge_contender>& merge_contenders() {
  static std::vector<merge_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::merge_call;
using bench::merge_problem;

__device__ unsigned scramble(std::uint64_t i) {
  unsigned x = unsigned(i) * 2654435761u ^ unsigned(i >> 32);
  x ^= x >> 15;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  return x;
}
/// Numbers in order, below `range`: each lies anywhere in its share of it. Or the same ones in no order.
template <class T>
__global__ void fill_sorted(T* out, std::int64_t n, std::uint64_t range, unsigned seed, bool is_unordered) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  const std::uint64_t share = range / std::uint64_t(n);
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::uint64_t at =
        is_unordered ? (std::uint64_t(scramble(std::uint64_t(i))) * std::uint64_t(n)) >> 32 : std::uint64_t(i);
    const double begin = double(range) / double(n) * double(at);
    out[i] = T(std::uint64_t(begin) + (share > 1 ? scramble(at + (std::uint64_t{seed} << 32)) % share : 0));
  }
}
__global__ void fill_positions(unsigned* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = unsigned(i);
}

/// Copies of the inputs and the outputs of one problem.
struct merge_data {
  const merge_problem& problem;
  std::int64_t n, a_count, b_count, stride, copies;
  const bench::arena& whole;

  merge_data(const merge_problem& p, std::int64_t count, const bench::arena& memory)
      : problem(p),
        n(count),
        a_count(p.first_count(count)),
        b_count(n - a_count),
        stride(8192 + n * 2 * (p.element_bytes() + p.value_bytes())),
        whole(memory) {
    if (p.call == merge_call::lower_bound) stride += a_count * 4;
    stride = (stride + 511) / 512 * 512;
    copies = bench::count_copies(stride);
    const std::int64_t longer = a_count > b_count ? a_count : b_count;
    const std::uint64_t range = p.are_alike ? 2 * std::uint64_t(longer) : p.type == 'b' ? 256 : std::uint64_t{1} << 32;
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::merge_bench_pass at = pass(c);
      check(bench::with_element_type(
                p,
                [&]<class T>() {
                  const auto fill = [&](const void* to, std::int64_t of, unsigned seed, bool is_unordered) {
                    if (of > 0)
                      fill_sorted<<<1024, 256>>>(static_cast<T*>(const_cast<void*>(to)), of, range, seed, is_unordered);
                  };
                  fill(at.a, a_count, 1, p.is_unordered);
                  fill(at.b, b_count, 2, false);
                  return cudaGetLastError();
                }),
            "fill");
      if (p.value_bytes() > 0) {
        fill_positions<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.a_values)), a_count);
        fill_positions<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.b_values)), b_count);
      }
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::merge_bench_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes) {
      char* mine = at + problem.bytes_past;
      at += (bytes + problem.bytes_past + 255) / 256 * 256;
      return mine;
    };
    bench::merge_bench_pass p{};
    p.a_count = a_count;
    p.b_count = b_count;
    p.a = take(a_count * problem.element_bytes());
    p.b = take(b_count * problem.element_bytes());
    p.a_values = take(a_count * problem.value_bytes());
    p.b_values = take(b_count * problem.value_bytes());
    p.out = take(out_bytes());
    p.values_out = take(n * problem.value_bytes());
    p.count = reinterpret_cast<std::size_t*>(whole.data() + copies * stride);
    return p;
  }
  std::int64_t out_bytes() const {
    return problem.call == merge_call::lower_bound ? a_count * 4 : n * problem.element_bytes();
  }
  std::int64_t written_bytes(std::int64_t count) const {
    return problem.has_count() ? count * problem.element_bytes() : out_bytes() + n * problem.value_bytes();
  }
};

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::merge_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 24, 12);
  for (const merge_problem& problem : bench::merge_problems) {
    if (!contest.has(problem.name)) continue;
    for (std::int64_t n : bench::counts_up_to(contest.most_log2)) {
      const merge_data data(problem, n, contest.whole);
      const bench::merge_bench_pass first = data.pass(0);
      const auto enqueue = [&](const bench::merge_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, data.pass(copy), s);
      };
      contest.compete({problem.name, n}, all, data.copies,
                      {{first.out, data.out_bytes()}, {first.values_out, n * problem.value_bytes()}, {first.count, 8}},
                      enqueue, [&] {
                        std::size_t count = 0;
                        check(cudaMemcpy(&count, first.count, sizeof count, cudaMemcpyDeviceToHost), "copy");
                        const std::int64_t read = n * (problem.element_bytes() + problem.value_bytes());
                        return contest.floor_us(read, data.written_bytes(std::int64_t(count)));
                      });
    }
  }
  return contest.end();
}
