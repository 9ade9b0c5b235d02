// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streaming passes beside CUB in one process: `transform [results.json [log2 of the largest count [rounds [part of a
// name [shapes]]]]]`; with `shapes`, gpuprim's other launch shapes too. A pass stands in a CUDA graph among others over
// copies of everything, contenders take turns in random order, and all that they write is compared. Then transpositions
// beside a copy of the same bytes. The floor is the bytes that must be moved at the rate of a copy.
#include "../support/copies.cuh"
#include "../support/results.hpp"
#include "contenders.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>

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
/// A permutation of the positions, or values to search for.
__global__ void fill_second(unsigned* out, std::int64_t n, bool are_indices) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const auto at = unsigned(std::uint64_t(unsigned(i) * 2654435761u) * std::uint64_t(n) >> 32);
    out[i] = are_indices ? at : __float_as_uint(float(at / 3));
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
        fill_second<<<1024, 256>>>(static_cast<unsigned*>(const_cast<void*>(at.second)), n,
                                   p.task == stream_task::gather);
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

/// Whether a contender writes what the first one writes.
bool agrees(const stream_input& data, const bench::stream_contender& who, void* wanted, unsigned long long* differ,
            bool first) {
  const auto pass = data.pass(0);
  const auto bytes = std::size_t(data.written_bytes());
  check(cudaMemset(pass.out, 0xcd, bytes), "poison");
  check(who.enqueue(data.problem, pass, nullptr), who.name.c_str());
  unsigned long long found = 0;
  if (first) {
    check(cudaMemcpy(wanted, pass.out, bytes, cudaMemcpyDeviceToDevice), "copy");
  } else {
    check(cudaMemset(differ, 0, 8), "clear");
    bench::count_differences<<<1024, 256>>>(static_cast<unsigned*>(wanted), static_cast<unsigned*>(pass.out),
                                            data.written_bytes() / 4, differ);
    check(cudaMemcpy(&found, differ, 8, cudaMemcpyDeviceToHost), "copy");
  }
  if (found != 0) std::printf("%s, %s: %llu words differ\n", data.problem.name, who.name.c_str(), found);
  return found == 0;
}

/// Powers of two, and sizes between them.
std::vector<std::int64_t> counts_up_to(int log2) {
  std::vector<std::int64_t> counts;
  for (int i = 10; i <= log2; i += 2) {
    counts.push_back(std::int64_t{1} << i);
    if (i >= 14 && i + 2 <= log2) counts.push_back((std::int64_t{1} << i) * 5 / 2 + 7);
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json_name = argc > 1 ? argv[1] : nullptr;
  const int most_log2 = argc > 2 ? std::atoi(argv[2]) : 28, rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  const char* wanted_name = argc > 4 ? argv[4] : "";
  const bool has_shapes = argc > 5;
  const std::int64_t most = std::int64_t{1} << most_log2;
  const std::int64_t least = bench::least_copied_bytes + bench::most_copies * bench::MiB;
  const bench::arena arena(std::max(2 * 24 * most, least) + 3 * bench::GiB);
  void* wanted = nullptr;
  check(cudaMalloc(&wanted, std::size_t(12 * most)), "allocate");
  unsigned long long* differ = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&differ), 8), "allocate");
  const double copy_rate = bench::measure_copy_rate(arena, rounds);
  std::printf("copy %.0f GB/s\n", copy_rate);

  auto& entered = bench::stream_contenders();
  std::sort(entered.begin(), entered.end(), [](const auto& a, const auto& b) {  // CUB first
    return a.is_shape != b.is_shape ? b.is_shape : a.name < b.name;
  });
  std::FILE* json = nullptr;
  if (json_name && json_name[0]) {
    json = bench::open_results(json_name, std::atoi(entered.front().name.c_str() + 4));
    std::fprintf(json, ",\n \"copy_gb_per_s\": %.0f,\n \"rows\": [", copy_rate);
  }
  bool right = true, is_first_row = true;
  for (const bench::stream_problem& problem : bench::stream_problems()) {
    if (std::strstr(problem.name, wanted_name) == nullptr) continue;
    for (std::int64_t n : counts_up_to(std::min(most_log2, problem.most_log2))) {
      const stream_input data(problem, n, arena);
      std::vector<bench::stream_contender> all;
      for (const auto& who : entered) {
        if (who.is_shape && !has_shapes) continue;
        const cudaError_t error = who.enqueue(problem, data.pass(0), nullptr);
        if (error != cudaErrorNotSupported) {
          check(error, who.name.c_str());
          all.push_back(who);
        }
      }
      const double floor_us = 1e-3 * double(data.read_bytes() + data.written_bytes()) / copy_rate;
      std::vector<std::unique_ptr<bench::graph_timer>> timers;
      std::vector<bench::samples> times(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        right &= agrees(data, all[i], wanted, differ, i == 0);
        timers.push_back(std::make_unique<bench::graph_timer>(
            std::max<std::int64_t>(data.copies, 4),
            [&, i](std::int64_t p, cudaStream_t s) { return all[i].enqueue(problem, data.pass(p), s); }));
      }
      for (int round = 0; round < rounds; ++round) {
        bench::take_turns(round, int(all.size()), [&](int i) {
          times[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass());
        });
      }
      std::printf("%-42s %10lld floor %8.2f us |", problem.name, static_cast<long long>(n), floor_us);
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::printf(" %s %.2f us, %.3f x |", all[i].name.c_str(), times[i].median(),
                    times[0].median() / times[i].median());
        if (json) {
          std::fprintf(json,
                       "%s\n {\"problem\": \"%s\", \"n\": %lld, \"contender\": \"%s\", \"us\": %.3f, "
                       "\"quartiles\": [%.3f, %.3f], \"floor_us\": %.3f}",
                       is_first_row ? "" : ",", problem.name, static_cast<long long>(n), all[i].name.c_str(),
                       times[i].median(), times[i].quantile(0.25), times[i].quantile(0.75), floor_us);
          is_first_row = false;
        }
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  if (std::strstr("transpose", wanted_name)) {
    right &= bench::time_transpositions(arena.data(), arena.bytes(), rounds, json, is_first_row);
  }
  if (json) {
    std::fprintf(json, "\n]}\n");
    std::fclose(json);
  }
  return right ? 0 : 1;
}
