// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_by_key and run_length_encode beside CUB in one process; support/contest.cuh has the command line.
#include "../support/contest.cuh"
#include "contenders.hpp"

namespace bench {

std::vector<run_contender>& run_contenders() {
  static std::vector<run_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::run_problem;

template <class T>
__global__ void fill_keys(T* out, std::int64_t n, std::int64_t length) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = T(i / length);
}

/// -1, 0 and 1, so that every sum is exact.
template <class T>
__global__ void fill_values(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = T(int((unsigned(i) * 2654435761u >> 13) % 3u) - 1);
  }
}

/// Copies of the input and the output of one problem.
struct run_input {
  run_problem problem;
  std::int64_t n, runs, key_bytes, value_bytes, stride, copies;
  const bench::arena& whole;

  run_input(run_problem p, std::int64_t count, std::int64_t length, const bench::arena& memory)
      : problem(p),
        n(count),
        runs((count + length - 1) / length),
        key_bytes(p == run_problem::sum_i64_i32 ? 8 : 4),
        value_bytes(p == run_problem::lengths_i32 ? 0 : 4),
        stride((n * (key_bytes + value_bytes) + runs * (key_bytes + 4) + 4 * 256) / 256 * 256 + 256),
        whole(memory) {
    copies = bench::count_copies(stride);
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::run_pass at = pass(c);
      if (key_bytes == 8) fill_keys<<<1024, 256>>>(static_cast<std::int64_t*>(const_cast<void*>(at.keys)), n, length);
      else fill_keys<<<1024, 256>>>(static_cast<int*>(const_cast<void*>(at.keys)), n, length);
      if (p == run_problem::sum_f32) fill_values<<<1024, 256>>>(static_cast<float*>(const_cast<void*>(at.values)), n);
      else if (value_bytes > 0) fill_values<<<1024, 256>>>(static_cast<int*>(const_cast<void*>(at.values)), n);
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::run_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes) {
      char* mine = at;
      at += (bytes + 255) / 256 * 256;
      return mine;
    };
    bench::run_pass p{};
    p.keys = take(n * key_bytes);
    p.values = take(n * value_bytes);
    p.n = n;
    p.unique = take(runs * key_bytes);
    p.results = take(runs * 4);
    p.runs = reinterpret_cast<int*>(whole.data() + copies * stride);
    return p;
  }
  std::int64_t read_bytes() const { return n * (key_bytes + value_bytes); }
  std::int64_t written_bytes() const { return runs * (key_bytes + 4); }
};

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::run_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 24, 12);
  for (run_problem problem : bench::run_problems) {
    if (!contest.has(name_of(problem))) continue;
    for (int log2 = 14; log2 <= std::min(contest.most_log2, 28); log2 += 2) {
      const std::int64_t n = std::int64_t{1} << log2;
      for (std::int64_t length : {std::int64_t{1}, std::int64_t{13}, std::int64_t{1000}, n}) {
        const run_input data(problem, n, length, contest.whole);
        const bench::run_pass first = data.pass(0);
        const auto enqueue = [&](const bench::run_contender& who, std::int64_t copy, cudaStream_t s) {
          return who.enqueue(problem, data.pass(copy), s);
        };
        contest.compete({name_of(problem), n, length}, all, data.copies,
                        {{first.unique, data.runs * data.key_bytes}, {first.results, data.runs * 4}, {first.runs, 4}},
                        enqueue, [&] { return contest.floor_us(data.read_bytes(), data.written_bytes()); });
      }
    }
  }
  return contest.end();
}
