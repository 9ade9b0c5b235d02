// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusive scans beside CUB in one process: `scan [results.json [log2 of the largest count [rounds [part of a
// name]]]]`. A pass stands in a CUDA graph among others over copies of everything, contenders take turns in random
// order, and all that they write is compared. The floor takes what is written, and as much of what is read, at the rate
// of a copy, and the rest of what is read at the read limit.
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
      : problem(p), sizes(bench::sizes_of(p)), n(count),
        stride((n * (sizes.key_bytes + sizes.in_bytes + sizes.out_bytes) + offset_bytes() + 5 * 512) / 512 * 512 + 512),
        whole(memory) {
    copies = bench::count_copies(stride);
    for (std::int64_t c = 0; c < copies; ++c) {
      const bench::scan_pass at = pass(c);
      if (sizes.key_bytes > 0) fill_keys<<<1024, 256>>>(static_cast<int*>(const_cast<void*>(at.keys)), n);
      if (offset_bytes() > 0) {
        fill_offsets<<<1024, 256>>>(const_cast<int*>(at.offsets), sizes.segments(n), n, sizes.length);
      }
      check(bench::with_types(p, [&]<class T, class, bench::scan_parts>() {
        fill_values<<<1024, 256>>>(static_cast<T*>(const_cast<void*>(at.in)), n);
        return cudaGetLastError();
      }), "fill");
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

/// Whether a contender writes what the first one writes.
bool agrees(const scan_input& data, const bench::scan_contender& who, void* wanted, unsigned long long* differ,
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
  if (found != 0) std::printf("%s: %llu words differ\n", who.name.c_str(), found);
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
  const std::int64_t most = std::int64_t{1} << most_log2;
  const std::int64_t least = bench::least_copied_bytes + bench::most_copies * bench::MiB;
  const bench::arena arena(std::max(2 * 20 * most, least) + bench::GiB);
  void* wanted = nullptr;
  check(cudaMalloc(&wanted, std::size_t(8 * most)), "allocate");
  unsigned long long* differ = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&differ), 8), "allocate");
  bench::read_floor floor(arena);
  const double read_rate = double(bench::GiB) * 1e-3 / floor.us(bench::GiB, bench::memory::dram);  // GB/s
  const double copy_rate = bench::measure_copy_rate(arena, rounds);
  std::printf("read limit %.0f GB/s, copy %.0f GB/s\n", read_rate, copy_rate);

  auto& entered = bench::scan_contenders();
  std::sort(entered.begin(), entered.end(), [](const auto& a, const auto& b) { return a.name < b.name; });  // CUB first
  std::FILE* json = nullptr;
  if (json_name) {
    json = bench::open_results(json_name, std::atoi(entered.front().name.c_str() + 4));
    std::fprintf(json, ",\n \"read_gb_per_s\": %.0f,\n \"copy_gb_per_s\": %.0f,\n \"rows\": [", read_rate, copy_rate);
  }
  bool right = true, is_first_row = true;
  for (int number = 0; number < bench::scan_problem_count; ++number) {
    const auto problem = scan_problem(number);
    const bench::scan_sizes sizes = bench::sizes_of(problem);
    if (std::strstr(sizes.name, wanted_name) == nullptr) continue;
    std::vector<bench::scan_contender> all;
    for (const auto& who : bench::scan_contenders()) {
      if (sizes.length == 0 || who.has_segments) all.push_back(who);
    }
    for (std::int64_t n : counts_up_to(most_log2)) {
      const scan_input data(problem, n, arena);
      const double paired = double(std::min(data.read_bytes(), data.written_bytes()));
      const double floor_us = 1e-3 * ((double(data.read_bytes()) - paired) / read_rate +
                                      (double(data.written_bytes()) + paired) / copy_rate);
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
      std::printf("%-40s %10lld floor %8.2f us |", data.sizes.name, static_cast<long long>(n), floor_us);
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::printf(" %s %.2f us, %.2f x |", all[i].name.c_str(), times[i].median(),
                    times[0].median() / times[i].median());
        if (json) {
          std::fprintf(json,
                       "%s\n {\"problem\": \"%s\", \"n\": %lld, \"contender\": \"%s\", \"us\": %.3f, "
                       "\"quartiles\": [%.3f, %.3f], \"floor_us\": %.3f}",
                       is_first_row ? "" : ",", data.sizes.name, static_cast<long long>(n), all[i].name.c_str(),
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
