// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects, partitions and unique beside CUB in one process; support/contest.cuh has the command line.
#include "../support/contest.cuh"
#include "contenders.hpp"

namespace bench {

std::vector<select_contender>& select_contenders() {
  static std::vector<select_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::select_call;
using bench::select_problem;

__device__ unsigned number_below_100(std::int64_t i) {
  unsigned x = unsigned(i) * 2654435761u ^ unsigned(i >> 32);
  x ^= x >> 15;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  return x % 100u;
}
template <class T>
__global__ void fill_numbers(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = T(number_below_100(i));
  }
}
template <class T>
__global__ void fill_runs(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = T(i / 2);
}
__global__ void fill_flags(unsigned char* out, std::int64_t n, unsigned percent) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = number_below_100(i) < percent;
  }
}

/// Copies of the input and the output of one problem.
struct select_input {
  const select_problem& problem;
  std::int64_t n, stride, copies;
  const bench::arena& whole;

  select_input(const select_problem& p, std::int64_t count, const bench::arena& memory)
      : problem(p),
        n(count),
        stride(4096 + n * (2 * p.element_bytes() + p.flag_bytes() + 2 * p.value_bytes())),
        whole(memory) {
    stride = (stride + 511) / 512 * 512;
    copies = bench::count_copies(stride);
    const bool has_runs = p.call == select_call::unique || p.call == select_call::unique_by_key;
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::select_pass at = pass(c);
      check(bench::with_element_type(p,
                                     [&]<class T>() {
                                       T* const to = static_cast<T*>(const_cast<void*>(at.in));
                                       if (has_runs) fill_runs<<<1024, 256>>>(to, n);
                                       else fill_numbers<<<1024, 256>>>(to, n);
                                       return cudaGetLastError();
                                     }),
            "fill");
      if (p.flag_bytes() > 0) {
        fill_flags<<<1024, 256>>>(static_cast<unsigned char*>(const_cast<void*>(at.flags)), n, unsigned(p.percent));
      }
      if (p.value_bytes() > 0) fill_numbers<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.values)), n);
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::select_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes) {
      char* mine = at + problem.bytes_past;
      at += (bytes + problem.bytes_past + 255) / 256 * 256;
      return mine;
    };
    bench::select_pass p{};
    p.n = n;
    p.in = take(n * problem.element_bytes());
    p.flags = take(n * problem.flag_bytes());
    p.values = take(n * problem.value_bytes());
    p.out = take(n * problem.element_bytes());
    p.values_out = take(n * problem.value_bytes());
    p.count = reinterpret_cast<long long*>(whole.data() + copies * stride);
    return p;
  }
  std::int64_t read_bytes() const {
    return n * (problem.element_bytes() + problem.flag_bytes() + problem.value_bytes());
  }
  std::int64_t written_bytes(std::int64_t count) const {
    return problem.call == select_call::partition_if ? n * problem.element_bytes()
                                                     : count * (problem.element_bytes() + problem.value_bytes());
  }
};

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::select_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 16, 8);
  for (const select_problem& problem : bench::select_problems) {
    if (!contest.has(problem.name)) continue;
    for (std::int64_t n : bench::counts_up_to(contest.most_log2)) {
      const select_input data(problem, n, contest.whole);
      const bench::select_pass first = data.pass(0);
      const auto enqueue = [&](const bench::select_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, data.pass(copy), s);
      };
      contest.compete(
          {problem.name, n}, all, data.copies,
          {{first.out, n * problem.element_bytes()}, {first.values_out, n * problem.value_bytes()}, {first.count, 8}},
          enqueue, [&] {
            long long count = 0;
            check(cudaMemcpy(&count, first.count, sizeof count, cudaMemcpyDeviceToHost), "copy");
            return contest.floor_us(data.read_bytes(), data.written_bytes(count));
          });
    }
  }
  return contest.end();
}
