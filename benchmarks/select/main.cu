// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects, partitions and unique beside CUB in one process: `select [results.json [log2 of the largest count [rounds
// [part of a name]]]]`. A pass stands in a CUDA graph among others over copies of everything, contenders take turns in
// random order, and all that they write is compared. The floor takes what is written, and as much of what is read, at
// the rate of a copy, and the rest of what is read at the read limit.
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
      : problem(p), n(count), stride(4096 + n * (2 * p.element_bytes() + p.flag_bytes() + 2 * p.value_bytes())),
        whole(memory) {
    stride = (stride + 511) / 512 * 512;
    copies = bench::count_copies(stride);
    const bool has_runs = p.call == select_call::unique || p.call == select_call::unique_by_key;
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::select_pass at = pass(c);
      check(bench::with_element_type(p, [&]<class T>() {
        T* const to = static_cast<T*>(const_cast<void*>(at.in));
        if (has_runs) fill_runs<<<1024, 256>>>(to, n);
        else fill_numbers<<<1024, 256>>>(to, n);
        return cudaGetLastError();
      }), "fill");
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

/// Whether a contender writes what the first one writes. `count`: gets how many there are.
bool agrees(const select_input& data, const bench::select_contender& who, char* wanted, unsigned long long* differ,
            bool first, long long& count) {
  const auto pass = data.pass(0);
  const std::int64_t bytes = data.n * data.problem.element_bytes(), more = data.n * data.problem.value_bytes();
  check(cudaMemset(pass.out, 0xcd, std::size_t(bytes)), "poison");
  check(cudaMemset(pass.values_out, 0xcd, std::size_t(more)), "poison");
  check(who.enqueue(data.problem, pass, nullptr), who.name.c_str());
  long long found_count = 0;
  check(cudaMemcpy(&found_count, pass.count, 8, cudaMemcpyDeviceToHost), "copy");
  unsigned long long found = 0;
  if (first) {
    count = found_count;
    check(cudaMemcpy(wanted, pass.out, std::size_t(bytes), cudaMemcpyDeviceToDevice), "copy");
    check(cudaMemcpy(wanted + bytes / 4 * 4, pass.values_out, std::size_t(more), cudaMemcpyDeviceToDevice), "copy");
  } else {
    check(cudaMemset(differ, 0, 8), "clear");
    bench::count_differences<<<1024, 256>>>(reinterpret_cast<unsigned*>(wanted), static_cast<unsigned*>(pass.out),
                                            bytes / 4, differ);
    bench::count_differences<<<1024, 256>>>(reinterpret_cast<unsigned*>(wanted + bytes / 4 * 4),
                                            static_cast<unsigned*>(pass.values_out), more / 4, differ);
    check(cudaMemcpy(&found, differ, 8, cudaMemcpyDeviceToHost), "copy");
  }
  if (found != 0 || found_count != count) {
    std::printf("%s: %lld selected, not %lld; %llu words differ\n", who.name.c_str(), found_count, count, found);
  }
  return found == 0 && found_count == count;
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
  const char* json_name = argc > 1 && std::strcmp(argv[1], "-") != 0 ? argv[1] : nullptr;
  const int most_log2 = argc > 2 ? std::atoi(argv[2]) : 28, rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  const char* wanted_name = argc > 4 ? argv[4] : "";
  const std::int64_t most = std::int64_t{1} << most_log2;
  const std::int64_t least = bench::least_copied_bytes + bench::most_copies * bench::MiB;
  const bench::arena arena(std::max(2 * 16 * most, least) + bench::GiB);
  void* wanted = nullptr;
  check(cudaMalloc(&wanted, std::size_t(8 * most)), "allocate");
  unsigned long long* differ = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&differ), 8), "allocate");
  bench::read_floor floor(arena);
  const double read_rate = double(bench::GiB) * 1e-3 / floor.us(bench::GiB, bench::memory::dram);  // GB/s
  const double copy_rate = bench::measure_copy_rate(arena, rounds);
  std::printf("read limit %.0f GB/s, copy %.0f GB/s\n", read_rate, copy_rate);

  auto& all = bench::select_contenders();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });  // CUB first
  std::FILE* json = nullptr;
  if (json_name) {
    json = bench::open_results(json_name, std::atoi(all.front().name.c_str() + 4));
    std::fprintf(json, ",\n \"read_gb_per_s\": %.0f,\n \"copy_gb_per_s\": %.0f,\n \"rows\": [", read_rate, copy_rate);
  }
  bool right = true, is_first_row = true;
  for (const select_problem& problem : bench::select_problems) {
    if (std::strstr(problem.name, wanted_name) == nullptr) continue;
    for (std::int64_t n : counts_up_to(most_log2)) {
      const select_input data(problem, n, arena);
      long long count = 0;
      std::vector<std::unique_ptr<bench::graph_timer>> timers;
      std::vector<bench::samples> times(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        right &= agrees(data, all[i], static_cast<char*>(wanted), differ, i == 0, count);
        timers.push_back(std::make_unique<bench::graph_timer>(
            std::max<std::int64_t>(data.copies, 4),
            [&](std::int64_t p, cudaStream_t s) { return all[i].enqueue(problem, data.pass(p), s); }));
      }
      const double written = double(data.written_bytes(count)), paired = std::min(double(data.read_bytes()), written);
      const double floor_us =
          1e-3 * ((double(data.read_bytes()) - paired) / read_rate + (written + paired) / copy_rate);
      for (int round = 0; round < rounds; ++round) {
        bench::take_turns(round, int(all.size()), [&](int i) {
          times[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass());
        });
      }
      std::printf("%-40s %10lld floor %8.2f us |", problem.name, static_cast<long long>(n), floor_us);
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::printf(" %s %.2f us, %.2f x |", all[i].name.c_str(), times[i].median(),
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
  if (json) {
    std::fprintf(json, "\n]}\n");
    std::fclose(json);
  }
  return right ? 0 : 1;
}
