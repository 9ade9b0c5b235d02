// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms beside CUB's in one process: `histogram [samples [rounds [results.json]]]`. Each pass stands in a CUDA
// graph among others over further copies of the samples, contenders take turns, and counts are compared. A row gives
// the median time, and the percentage that the time to read the samples is of it.
#include "../support/floor.hpp"
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"
#include "contenders.hpp"

#include <cstdlib>
#include <memory>

namespace {

using bench::check;
using bench::kind;

enum class mix { uniform, one, half, few };
constexpr const char* mix_names[] = {"uniform", "all in one bin", "half in one bin", "few neighbours"};
constexpr const char* kind_names[] = {"even f32", "even i32",   "even u16", "even u8",
                                      "even i8",  "ranges f32", "rgba u8"};

__device__ unsigned scramble(unsigned long long i) {
  i = (i + 1) * 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return unsigned(i ^ i >> 31);
}

/// Words of 4 bytes: a float from 0 to 1, an int, or four bytes.
__global__ void fill(unsigned* out, std::int64_t words, kind what, mix how) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step) {
    unsigned bits = scramble(i);
    if (how == mix::one || (how == mix::half && scramble(~i) % 2 == 0)) bits = 0x4d4d4d4du;
    if (how == mix::few) bits = 0x4d4d4d4du + (bits % 4096 << 8);
    const bool is_float = what == kind::f32 || what == kind::ranges;
    out[i] = is_float ? __float_as_uint(float(bits >> 8) * 0x1p-24f) : what == kind::i32 ? bits >> 1 : bits;
  }
}

struct row {
  kind what;
  int bins;
  mix how;
  std::int64_t n;
  bool log_levels = false;
};

struct program {
  bench::arena arena;
  bench::read_floor floor;
  unsigned* counts = nullptr;
  float* levels = nullptr;
  int rounds;
  std::FILE* json;
  bool right = true;
  const char* comma = "";

  program(std::int64_t bytes, int r, const char* path)
      : arena(bench::arena_bytes(bytes)), floor(arena), rounds(r), json(path ? bench::open_to_write(path) : nullptr) {
    check(cudaMalloc(&counts, 3 << 22), "allocate");
    check(cudaMalloc(&levels, (1 << 22) + 4), "allocate");
  }

  void make_levels(const row& r) {
    std::vector<float> made;
    for (int i = 0; i <= r.bins; ++i) {
      const float even = float(i) / float(r.bins);
      made.push_back(r.log_levels ? even * even * even * even : even);
    }
    check(cudaMemcpy(levels, made.data(), made.size() * 4, cudaMemcpyHostToDevice), "copy");
  }

  void measure(const row& r) {
    const int size = r.what == kind::u16 ? 2 : r.what == kind::u8 || r.what == kind::i8 || r.what == kind::rgba ? 1 : 4;
    const std::int64_t bytes = r.n * size;
    const auto where = bench::usual_memory(bytes);
    const bench::slices input(arena, bytes, 0, where);
    const std::int64_t passes = bytes > bench::GiB / 4 ? 4 : std::min<std::int64_t>(input.passes(), 64);
    fill<<<1024, 256>>>(reinterpret_cast<unsigned*>(arena.data()), arena.bytes() / 4, r.what, r.how);
    if (r.what == kind::ranges) make_levels(r);
    const std::size_t words = std::size_t(r.bins) * (r.what == kind::rgba ? 3 : 1);
    const auto pass = [&](std::int64_t i) { return bench::histogram_pass{input[i], r.n, r.bins, levels, counts}; };
    const auto& who = bench::contenders();
    int agreeing = 0;
    std::vector<std::vector<unsigned>> results;
    std::vector<std::unique_ptr<bench::graph_timer>> timers;
    for (const auto& one : who) {
      check(cudaMemset(counts, 0xff, words * 4), "poison");
      check(one.run(r.what, pass(0), nullptr), one.library.c_str());
      results.emplace_back(words);
      check(cudaMemcpy(results.back().data(), counts, words * 4, cudaMemcpyDeviceToHost), "copy");
      const bool agrees = results.back() == results.front();
      agreeing += agrees;
      if (!agrees) std::printf("%s: counts differ\n", one.library.c_str());
      timers.push_back(std::make_unique<bench::graph_timer>(
          passes, [&](std::int64_t i, cudaStream_t s) { return one.run(r.what, pass(i), s); }));
    }
    right &= agreeing > 1;  // CUB 3.0 miscounts signed bytes: one other that agrees is enough
    std::vector<bench::samples> times(who.size());
    for (int round = 0; round < rounds; ++round) {
      bench::take_turns(round, int(who.size()),
                        [&](int i) { times[std::size_t(i)].add(timers[std::size_t(i)]->us_per_pass()); });
    }
    const double floor_us = floor.us(bytes, where);
    const std::string name = std::string(kind_names[int(r.what)]) + (r.log_levels ? ", levels i^4" : "");
    std::printf("%-24s %8d bins %-16s n %-10lld", name.c_str(), r.bins, mix_names[int(r.how)],
                static_cast<long long>(r.n));
    if (json) {
      std::fprintf(json,
                   "%s\n  {\"samples\": \"%s\", \"bins\": %d, \"data\": \"%s\", \"n\": %lld, \"memory\": \"%s\", "
                   "\"floor_us\": %.3f",
                   comma, name.c_str(), r.bins, mix_names[int(r.how)], static_cast<long long>(r.n),
                   bench::name_of(where), floor_us);
      comma = ",";
    }
    for (std::size_t i = 0; i < who.size(); ++i) {
      const double us = times[i].median();
      std::printf("  %s %.1f us %.0f GB/s %.0f%%", who[i].library.c_str(), us, double(bytes) * 1e-3 / us,
                  100 * floor_us / us);
      if (json) {
        std::fprintf(json, ", \"%s\": {\"us\": %.3f, \"quartiles\": [%.3f, %.3f], \"gb_per_s\": %.1f}",
                     who[i].library.c_str(), us, times[i].quantile(0.25), times[i].quantile(0.75),
                     double(bytes) * 1e-3 / us);
      }
    }
    if (json) std::fprintf(json, "}");
    std::printf("\n");
    std::fflush(stdout);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : std::int64_t{1} << 28;
  program all(n * 4, argc > 2 ? std::atoi(argv[2]) : 7, argc > 3 ? argv[3] : nullptr);
  cudaDeviceProp gpu;
  check(cudaGetDeviceProperties(&gpu, 0), "find a GPU");
  const double read_limit = double(n) * 4e-3 / all.floor.us(n * 4, bench::memory::dram);
  std::printf("%s, read limit %.0f GB/s\n", gpu.name, read_limit);
  if (all.json) {
    std::fprintf(all.json,
                 "{\"gpu\": \"%s\", \"statistic\": \"median of %d\", \"read_limit_gb_per_s\": %.1f, \"rows\": [",
                 gpu.name, all.rounds, read_limit);
  }
  for (int bins : {16, 64, 256, 1024, 2048, 4096, 16384, 65536, 1 << 17, 1 << 18, 1 << 20}) {
    for (mix how : {mix::uniform, mix::one, mix::half}) all.measure({kind::f32, bins, how, n});
  }
  all.measure({kind::f32, 256, mix::few, n});
  for (int bins : {256, 2048}) all.measure({kind::i32, bins, mix::uniform, n});
  for (int bins : {256, 2048}) all.measure({kind::u16, bins, mix::uniform, 2 * n});
  for (int bins : {256, 2048, 16384, 65536}) all.measure({kind::ranges, bins, mix::uniform, n});
  all.measure({kind::ranges, 256, mix::uniform, n, true});
  for (mix how : {mix::uniform, mix::one}) {
    for (kind what : {kind::u8, kind::i8, kind::rgba}) all.measure({what, 256, how, 4 * n});
  }
  for (std::int64_t few = 1 << 12; few < n; few *= 8) all.measure({kind::f32, 256, mix::uniform, few});
  for (std::int64_t few : {1 << 12, 1 << 15, 1 << 18, 1 << 21}) {
    for (kind what : {kind::u8, kind::rgba}) all.measure({what, 256, mix::uniform, 4 * few});
    for (int bins : {4096, 1 << 16, 1 << 20}) all.measure({kind::f32, bins, mix::uniform, few});
    for (int bins : {256, 4096, 1 << 16}) all.measure({kind::ranges, bins, mix::uniform, few});
    all.measure({kind::ranges, 4096, mix::uniform, few, true});
  }
  if (all.json) {
    std::fprintf(all.json, "\n]}\n");
    std::fclose(all.json);
  }
  return all.right ? 0 : 1;
}
