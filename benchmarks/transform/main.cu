// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streaming passes beside CUB in one process, and then transpositions beside a copy of the same bytes.
// support/contest.cuh has the command line; a fifth argument asks for gpuprim's other launch shapes too.
#include "../support/contest.cuh"
#include "contenders.hpp"

namespace bench {

std::vector<stream_contender>& stream_contenders() {
  static std::vector<stream_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::stream_task;

/// Small numbers; for a search, in ascending order.
__global__ void fill_floats(float* out, std::int64_t n, bool ascend) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = ascend ? float(i / 3) : float((unsigned(i) * 2654435761u >> 13) % 1000u);
  }
}
/// A permutation of the positions, or values to search for, or small numbers whose sums are exact.
__global__ void fill_second(unsigned* out, std::int64_t n, stream_task task) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const auto at = unsigned(std::uint64_t(unsigned(i) * 2654435761u) * std::uint64_t(n) >> 32);
    const unsigned value = task == stream_task::search ? at / 3 : at % 1000u;
    out[i] = task == stream_task::gather ? at : __float_as_uint(float(value));
  }
}

/// Copies of the arrays of one problem.
struct stream_input {
  const bench::stream_problem& problem;
  std::int64_t n, stride, copies;
  const bench::arena& whole;

  stream_input(const bench::stream_problem& p, std::int64_t count, const bench::arena& memory)
      : problem(p), n(count), whole(memory) {
    stride = (read_bytes() + written_bytes() + 5 * 512) / 512 * 512 + 512;
    copies = bench::count_copies(stride);
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::stream_pass at = pass(c);
      auto* const words = static_cast<float*>(const_cast<void*>(at.in));
      fill_floats<<<1024, 256>>>(reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(words) / 4 * 4),
                                 n * in_bytes() / 4, p.task == stream_task::search);
      if (has_second()) {
        fill_second<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.second)), n, p.task);
      }
      check(cudaGetLastError(), "fill");
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::stream_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes, int past) {
      char* mine = at + past;
      at += (bytes + past + 255) / 256 * 256;
      return mine;
    };
    bench::stream_pass p{};
    p.in = take(n * in_bytes(), problem.in_past);
    p.second = take(has_second() ? n * 4 : 0, 0);
    p.n = n;
    p.out = take(written_bytes(), problem.out_past);
    return p;
  }
  int bytes() const { return bench::bytes_of(problem.type); }
  bool is_one_of(std::initializer_list<stream_task> tasks) const {
    return std::find(tasks.begin(), tasks.end(), problem.task) != tasks.end();
  }
  int in_bytes() const { return is_one_of({stream_task::fill, stream_task::for_each}) ? 0 : bytes(); }
  bool has_second() const { return is_one_of({stream_task::add, stream_task::gather, stream_task::search}); }
  std::int64_t read_bytes() const { return n * (in_bytes() + (has_second() ? 4 : 0)); }
  std::int64_t written_bytes() const { return n * bytes(); }
};

}  // namespace

int main(int argc, char** argv) {
  const bool has_shapes = argc > 5;
  auto& all = bench::stream_contenders();
  bench::sort_by_name(all);
  const auto is_other = [](const bench::stream_contender& who) { return !who.is_shape; };
  const auto shapes = std::stable_partition(all.begin(), all.end(), is_other);
  if (!has_shapes) all.erase(shapes, all.end());
  bench::contest contest(argc, argv, all.front().name, 24, 12);
  for (const bench::stream_problem& problem : bench::stream_problems()) {
    if (!contest.has(problem.name)) continue;
    for (std::int64_t n : bench::counts_up_to(std::min(contest.most_log2, problem.most_log2))) {
      const stream_input data(problem, n, contest.whole);
      const auto enqueue = [&](const bench::stream_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, data.pass(copy), s);
      };
      contest.compete({problem.name, n}, all, data.copies, {{data.pass(0).out, data.written_bytes()}}, enqueue,
                      [&] { return contest.floor_us(data.read_bytes(), data.written_bytes()); });
    }
  }
  bool right = true;
  if (contest.has("transpose")) {
    right = bench::time_transpositions(contest.whole.data(), contest.whole.bytes(), contest.rounds, contest.json(),
                                       contest.is_first_row());
  }
  return contest.end(right);
}
