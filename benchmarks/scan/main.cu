// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusive scans beside CUB in one process; support/contest.cuh has the command line.
#include "../support/contest.cuh"
#include "contenders.hpp"

namespace bench {

std::vector<scan_contender>& scan_contenders() {
  static std::vector<scan_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::scan_problem;

/// Runs of 1 to 199 keys.
__global__ void fill_keys(int* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = int(i / 200) * 2 + int(i % 200 >= 1 + i / 200 % 199);
  }
}
/// -1, 0 and 1, so that every sum is exact; 0 and 1 of unsigned types.
template <class T>
__global__ void fill_values(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  const int least = T(-1) < T(0) ? -1 : 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = T(int((unsigned(i) * 2654435761u >> 13) % unsigned(2 - least)) + least);
  }
}

/// Offsets of segments: those with even numbers have as many values as their number's hash says, up to twice as many as
/// on the average, and those with odd ones what is left of two.
__global__ void fill_offsets(int* out, std::int64_t segments, std::int64_t n, int length) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i <= segments; i += step) {
    const int first = i % 2 == 0 ? 0 : int((unsigned(i) * 2654435761u >> 8) % unsigned(2 * length + 1));
    out[i] = i == segments ? int(n) : int(i / 2 * 2 * length + first);
  }
}

/// Copies of the input and the output of one problem.
struct scan_input {
  scan_problem problem;
  bench::scan_sizes sizes;
  std::int64_t n, stride, copies;
  const bench::arena& whole;

  scan_input(scan_problem p, std::int64_t count, const bench::arena& memory)
      : problem(p),
        sizes(bench::sizes_of(p)),
        n(count),
        stride((n * (sizes.key_bytes + sizes.in_bytes + sizes.out_bytes) + offset_bytes() + 5 * 512) / 512 * 512 + 512),
        whole(memory) {
    copies = bench::count_copies(stride);
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::scan_pass at = pass(c);
      if (sizes.key_bytes > 0) fill_keys<<<1024, 256>>>(static_cast<int*>(const_cast<void*>(at.keys)), n);
      if (offset_bytes() > 0) {
        fill_offsets<<<1024, 256>>>(const_cast<int*>(at.offsets), sizes.segments(n), n, sizes.length);
      }
      check(bench::with_types(p,
                              [&]<class T, class, bench::scan_parts>() {
                                fill_values<<<1024, 256>>>(static_cast<T*>(const_cast<void*>(at.in)), n);
                                return cudaGetLastError();
                              }),
            "fill");
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::scan_pass pass(std::int64_t i) const {
    char* at = whole.data() + i % copies * stride;
    const auto take = [&](std::int64_t bytes) {
      char* mine = at + sizes.bytes_past;
      at += (bytes + sizes.bytes_past + 255) / 256 * 256;
      return mine;
    };
    bench::scan_pass p{};
    p.keys = take(n * sizes.key_bytes);
    p.in = take(n * sizes.in_bytes);
    p.n = n;
    p.out = take(n * sizes.out_bytes);
    p.offsets = reinterpret_cast<const int*>(take(offset_bytes()));
    return p;
  }
  std::int64_t offset_bytes() const { return sizes.length > 0 && !sizes.is_fixed ? 4 * (sizes.segments(n) + 1) : 0; }
  std::int64_t read_bytes() const { return n * (sizes.key_bytes + sizes.in_bytes) + offset_bytes(); }
  std::int64_t written_bytes() const { return n * sizes.out_bytes; }
};

}  // namespace

int main(int argc, char** argv) {
  auto& entered = bench::scan_contenders();
  bench::sort_by_name(entered);
  bench::contest contest(argc, argv, entered.front().name, 20, 8);
  for (int number = 0; number < bench::scan_problem_count; ++number) {
    const auto problem = scan_problem(number);
    const bench::scan_sizes sizes = bench::sizes_of(problem);
    if (!contest.has(sizes.name)) continue;
    std::vector<bench::scan_contender> all;
    for (const auto& who : entered) {
      if (sizes.length == 0 || who.has_segments) all.push_back(who);
    }
    for (std::int64_t n : bench::counts_up_to(contest.most_log2)) {
      const scan_input data(problem, n, contest.whole);
      const auto enqueue = [&](const bench::scan_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, data.pass(copy), s);
      };
      contest.compete({sizes.name, n}, all, data.copies, {{data.pass(0).out, data.written_bytes()}}, enqueue,
                      [&] { return contest.floor_us(data.read_bytes(), data.written_bytes()); });
    }
  }
  return contest.end();
}
