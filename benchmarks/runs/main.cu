// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_by_key and run_length_encode beside CUB in one process: `runs [results.json [log2 of the largest count
// [rounds]]]`. A pass stands in a CUDA graph among others over copies of everything, contenders take turns, and all
// that they write is compared. The floor takes what is written, and as much of what is read, at the rate of a copy, and
// the rest at the read limit.
#include "../support/copies.cuh"
#include "../support/floor.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"
#include "contenders.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>

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
      : problem(p), n(count), runs((count + length - 1) / length), key_bytes(p == run_problem::sum_i64_i32 ? 8 : 4),
        value_bytes(p == run_problem::lengths_i32 ? 0 : 4),
        stride((n * (key_bytes + value_bytes) + runs * (key_bytes + 4) + 4 * 256) / 256 * 256 + 256), whole(memory) {
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

/// Whether a contender writes what the first one writes.
bool agrees(const run_input& data, const bench::run_contender& who, void* wanted, unsigned long long* differ,
            bool first) {
  const auto pass = data.pass(0);
  check(cudaMemset(pass.unique, 0xcd, std::size_t(data.runs * data.key_bytes)), "poison");
  check(cudaMemset(pass.results, 0xcd, std::size_t(data.runs * 4)), "poison");
  check(who.enqueue(data.problem, pass, nullptr), who.name.c_str());
  int runs = 0;
  check(cudaMemcpy(&runs, pass.runs, sizeof runs, cudaMemcpyDeviceToHost), "copy");
  char* keys = static_cast<char*>(wanted);
  char* results = keys + data.runs * data.key_bytes;
  unsigned long long found = 0;
  if (first) {
    check(cudaMemcpy(keys, pass.unique, std::size_t(data.runs * data.key_bytes), cudaMemcpyDeviceToDevice), "copy");
    check(cudaMemcpy(results, pass.results, std::size_t(data.runs * 4), cudaMemcpyDeviceToDevice), "copy");
  } else {
    check(cudaMemset(differ, 0, 8), "clear");
    bench::count_differences<<<1024, 256>>>(reinterpret_cast<unsigned*>(keys), static_cast<unsigned*>(pass.unique),
                                     data.runs * data.key_bytes / 4, differ);
    bench::count_differences<<<1024, 256>>>(reinterpret_cast<unsigned*>(results), static_cast<unsigned*>(pass.results),
                                     data.runs, differ);
    check(cudaMemcpy(&found, differ, 8, cudaMemcpyDeviceToHost), "copy");
  }
  if (runs != data.runs || found != 0) std::printf("%s: %d runs, %llu words differ\n", who.name.c_str(), runs, found);
  return runs == data.runs && found == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json_name = argc > 1 ? argv[1] : nullptr;
  const int most_log2 = argc > 2 ? std::atoi(argv[2]) : 28, rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  const std::int64_t most = std::int64_t{1} << most_log2;
  const std::int64_t least = bench::least_copied_bytes + bench::most_copies * bench::MiB;
  const bench::arena arena(std::max(2 * 24 * most, least) + bench::GiB);
  void* wanted = nullptr;
  check(cudaMalloc(&wanted, std::size_t(12 * most)), "allocate");
  unsigned long long* differ = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&differ), 8), "allocate");
  bench::read_floor floor(arena);
  const double read_rate = double(bench::GiB) * 1e-3 / floor.us(bench::GiB, bench::memory::dram);  // GB/s
  const double copy_rate = bench::measure_copy_rate(arena, rounds);
  std::printf("read limit %.0f GB/s, copy %.0f GB/s\n", read_rate, copy_rate);

  auto& all = bench::run_contenders();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });  // CUB is the first
  std::FILE* json = nullptr;
  if (json_name) {
    json = bench::open_results(json_name, std::atoi(all.front().name.c_str() + 4));
    std::fprintf(json, ",\n \"read_gb_per_s\": %.0f,\n \"copy_gb_per_s\": %.0f,\n \"rows\": [", read_rate, copy_rate);
  }
  bool right = true, is_first_row = true;
  for (run_problem problem : bench::run_problems) {
    for (int log2 : {14, 16, 18, 20, 22, 24, 26, 28}) {
      for (std::int64_t length : {std::int64_t{1}, std::int64_t{13}, std::int64_t{1000}, std::int64_t{1} << log2}) {
        if (log2 > most_log2) continue;
        const run_input data(problem, std::int64_t{1} << log2, length, arena);
        const double floor_us = 1e-3 * (double(data.read_bytes() - data.written_bytes()) / read_rate +
                                        2.0 * double(data.written_bytes()) / copy_rate);
        std::vector<std::unique_ptr<bench::graph_timer>> timers;
        std::vector<bench::samples> times(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
          right &= agrees(data, all[i], wanted, differ, i == 0);
          timers.push_back(std::make_unique<bench::graph_timer>(
              std::max<std::int64_t>(data.copies, 4),
              [&](std::int64_t p, cudaStream_t s) { return all[i].enqueue(problem, data.pass(p), s); }));
        }
        for (int round = 0; round < rounds; ++round) {
          bench::take_turns(round, int(all.size()), [&](int i) {
            times[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass());
          });
        }
        std::printf("%-24s 2^%d, runs of %-10lld floor %8.2f us |", name_of(problem), log2,
                    static_cast<long long>(length), floor_us);
        for (std::size_t i = 0; i < all.size(); ++i) {
          std::printf(" %s %.2f us, %.1f %%, %.2f x |", all[i].name.c_str(), times[i].median(),
                      100 * floor_us / times[i].median(), times[0].median() / times[i].median());
          if (json) {
            std::fprintf(json,
                         "%s\n {\"problem\": \"%s\", \"n\": %lld, \"run_length\": %lld, \"contender\": \"%s\", "
                         "\"us\": %.3f, \"quartiles\": [%.3f, %.3f], \"floor_us\": %.3f}",
                         is_first_row ? "" : ",", name_of(problem), static_cast<long long>(data.n),
                         static_cast<long long>(length), all[i].name.c_str(), times[i].median(),
                         times[i].quantile(0.25), times[i].quantile(0.75), floor_us);
            is_first_row = false;
          }
        }
        std::printf("\n");
        std::fflush(stdout);
      }
    }
  }
  if (json) {
    std::fprintf(json, "\n]}\n");
    std::fclose(json);
  }
  return right ? 0 : 1;
}
