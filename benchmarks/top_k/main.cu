// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Top-k beside CUB in one process: `top_k [results.json [log2 of the largest count [rounds [part of a name]]]]`. A pass
// stands in a CUDA graph among others over copies of the keys, contenders take turns in random order, and the sorted
// results are compared. The floor reads the keys once.
#include "../support/copies.cuh"
#include "../support/floor.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"
#include "contenders.hpp"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

namespace bench {

std::vector<top_k_contender>& top_k_contenders() {
  static std::vector<top_k_contender> all;
  return all;
}

}  // namespace bench

namespace {

using bench::check;
using bench::key_shape;
using bench::top_k_problem;

__device__ unsigned scrambled(std::int64_t i) {
  unsigned x = unsigned(i) * 2654435761u ^ unsigned(i >> 32);
  x ^= x >> 15;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ x >> 16;
}
template <class T>
__global__ void fill_keys(T* out, std::int64_t n, key_shape shape) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned r = scrambled(i);
    switch (shape) {
      case key_shape::random: out[i] = std::is_same_v<T, float> ? T(float(r) * 0x1p-31f - 1.0f) : T(r); break;
      case key_shape::rising: out[i] = T(i); break;
      case key_shape::equal: out[i] = T(7); break;
      default: out[i] = T(r % 3);
    }
  }
}

/// Copies of the keys of one problem, with room for results.
struct top_k_input {
  const top_k_problem& problem;
  std::int64_t n, out_bytes, stride, copies;
  const bench::arena& whole;

  top_k_input(const top_k_problem& p, std::int64_t count, const bench::arena& memory)
      : problem(p), n(count), out_bytes((p.results() * 4 + 511) / 512 * 512),
        stride((n * 4 + 511) / 512 * 512 + 2 * out_bytes), copies(bench::count_copies(stride)), whole(memory) {
    for (std::int64_t c = 0; c < copies; ++c) {
      check(bench::with_key_type(p, [&]<class T>() {
        fill_keys<<<1024, 256>>>(static_cast<T*>(const_cast<void*>(pass(c).in)), n, p.shape);
        return cudaGetLastError();
      }), "fill");
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::top_k_pass pass(std::int64_t i) const {
    char* const at = whole.data() + i % copies * stride;
    char* const out = at + stride - 2 * out_bytes;
    return {at, n, out, reinterpret_cast<int*>(out + out_bytes)};
  }
};

/// The keys that a contender writes, sorted; none if it has no such call.
std::vector<unsigned> find_results(const top_k_input& data, const bench::top_k_contender& who) {
  const auto pass = data.pass(0);
  const auto count = std::size_t(data.problem.results());
  check(cudaMemset(pass.out, 0xcd, count * 4), "poison");
  const cudaError_t e = who.enqueue(data.problem, pass, nullptr);
  if (e == cudaErrorNotSupported) return {};
  check(e, who.name.c_str());
  std::vector<unsigned> keys(count);
  check(cudaMemcpy(keys.data(), pass.out, count * 4, cudaMemcpyDeviceToHost), "copy");
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

int main(int argc, char** argv) {
  const char* json_name = argc > 1 && std::strcmp(argv[1], "-") != 0 ? argv[1] : nullptr;
  const int most_log2 = argc > 2 ? std::atoi(argv[2]) : 28, rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  const char* wanted_name = argc > 4 ? argv[4] : "";
  const std::int64_t most = std::int64_t{1} << most_log2;
  const std::int64_t least = bench::least_copied_bytes + bench::most_copies * bench::MiB;
  const bench::arena arena(std::max(2 * 4 * most, least) + 2 * bench::GiB);
  bench::read_floor floor(arena);
  const double read_rate = double(bench::GiB) * 1e-3 / floor.us(bench::GiB, bench::memory::dram);  // GB/s
  std::printf("read limit %.0f GB/s\n", read_rate);
  auto& all = bench::top_k_contenders();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });  // CUB first
  std::FILE* json = nullptr;
  if (json_name) {
    json = bench::open_results(json_name, std::atoi(all.front().name.c_str() + 4));
    std::fprintf(json, ",\n \"read_gb_per_s\": %.0f,\n \"rows\": [", read_rate);
  }
  bool right = true, is_first_row = true;
  for (const top_k_problem& problem : bench::top_k_problems) {
    if (std::strstr(problem.name, wanted_name) == nullptr) continue;
    std::vector<std::int64_t> counts{problem.rows * problem.length};
    if (problem.rows == 0) {
      counts.clear();
      for (int i = 10; i <= most_log2; i += 2) {
        if (std::int64_t{1} << i >= problem.k) counts.push_back(std::int64_t{1} << i);
      }
    }
    for (std::int64_t n : counts) {
      const top_k_input data(problem, n, arena);
      std::vector<std::unique_ptr<bench::graph_timer>> timers(all.size());
      std::vector<bench::samples> times(all.size());
      std::vector<unsigned> wanted;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto got = find_results(data, all[i]);
        if (got.empty()) continue;
        if (wanted.empty()) wanted = got;
        if (got != wanted) std::printf("%s: other keys\n", all[i].name.c_str());
        right &= got == wanted;
        timers[i] = std::make_unique<bench::graph_timer>(
            std::max<std::int64_t>(data.copies, 4),
            [&, i](std::int64_t p, cudaStream_t s) { return all[i].enqueue(problem, data.pass(p), s); });
      }
      const double floor_us = 1e-3 * double(n) * 4 / read_rate;
      for (int round = 0; round < rounds; ++round) {
        bench::take_turns(round, int(all.size()), [&](int i) {
          const auto at = std::size_t(i);
          if (timers[at]) times[at].add(timers[at]->us_per_pass());
        });
      }
      std::printf("%-40s %10lld floor %8.2f us |", problem.name, static_cast<long long>(n), floor_us);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!timers[i]) continue;
        std::printf(" %s %.2f us, %.2f reads |", all[i].name.c_str(), times[i].median(), times[i].median() / floor_us);
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
