// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segmented sums of floats beside CUB's in one process: `segmented [values [rounds [mix]]]`. Each pass stands in a CUDA
// graph among others over a second copy of everything, contenders take turns, and results are compared exactly. A row
// gives the median time, and the percentage that the time to move the bytes at the read limit is of it.
#include "../support/floor.hpp"
#include "../support/samples.hpp"
#include "../support/timing.hpp"
#include "contenders.hpp"
#include "mixes.hpp"

#include <cstdlib>
#include <memory>

namespace {

using bench::check;

constexpr int copies = 2, passes = 4;

/// -1, 0 and 1, so that every sum is exact.
__global__ void fill_values(float* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = float(int((unsigned(i) * 2654435761u >> 13) % 3u) - 1);
  }
}

template <class Offset>
__global__ void fill_offsets(Offset* out, const std::int64_t* from, std::int64_t count, std::int64_t length) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    out[i] = Offset(from ? from[i] : i * length);
  }
}

__global__ void count_differences(const float* a, const float* b, std::int64_t n, unsigned long long* differ) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    if (!(a[i] == b[i])) atomicAdd(differ, 1ull);
  }
}

template <class T>
struct device_memory {
  explicit device_memory(std::int64_t n) {
    check(cudaMalloc(reinterpret_cast<void**>(&data), std::size_t(n) * sizeof(T)), "allocate");
  }
  ~device_memory() { (void)cudaFree(data); }
  device_memory(const device_memory&) = delete;
  T* data = nullptr;
};

struct contender {
  const char* name;
  cudaError_t (*enqueue)(const bench::segmented_pass&, cudaStream_t);
  int offset_bytes;  ///< 0 for the forms with one length
};

struct input {
  std::int64_t n, segments;
  const bench::mix& how;
  const float* values;
  device_memory<int> offsets32;
  device_memory<std::int64_t> offsets64;
  device_memory<float> out, wanted;

  input(const bench::mix& m, const float* data, std::int64_t most)
      : n(m.length ? most / m.length * m.length : m.offsets.back()), segments(m.segments(most)), how(m), values(data),
        offsets32(copies * (segments + 1)), offsets64(copies * (segments + 1)), out(copies * segments), wanted(segments) {
    device_memory<std::int64_t> from(std::int64_t(m.offsets.size()) + 1);
    check(cudaMemcpy(from.data, m.offsets.data(), m.offsets.size() * 8, cudaMemcpyHostToDevice), "copy");
    for (int c = 0; c < copies; ++c) {
      const auto* source = m.length ? nullptr : from.data;
      fill_offsets<<<1024, 256>>>(offsets32.data + c * (segments + 1), source, segments + 1, m.length);
      fill_offsets<<<1024, 256>>>(offsets64.data + c * (segments + 1), source, segments + 1, m.length);
    }
    check(cudaDeviceSynchronize(), "fill");
  }
  bench::segmented_pass pass(std::int64_t i, int offset_bytes) const {
    const std::int64_t c = i % copies;
    const void* offsets = offset_bytes == 4 ? static_cast<const void*>(offsets32.data + c * (segments + 1))
                                            : static_cast<const void*>(offsets64.data + c * (segments + 1));
    return {values + c * n, offsets, segments, how.length, out.data + c * segments};
  }
};

/// Whether a contender's results are those of the first.
bool agrees(const input& data, const contender& who, bool first) {
  const auto pass = data.pass(0, who.offset_bytes);
  check(cudaMemset(pass.out, 0xff, std::size_t(data.segments) * 4), "poison");
  check(who.enqueue(pass, nullptr), who.name);
  if (first) {
    check(cudaMemcpy(data.wanted.data, pass.out, std::size_t(data.segments) * 4, cudaMemcpyDeviceToDevice), "copy");
    return true;
  }
  device_memory<unsigned long long> differ(1);
  check(cudaMemset(differ.data, 0, 8), "clear");
  count_differences<<<1024, 256>>>(data.wanted.data, pass.out, data.segments, differ.data);
  unsigned long long found = 1;
  check(cudaMemcpy(&found, differ.data, 8, cudaMemcpyDeviceToHost), "copy");
  if (found != 0) std::printf("%s: %llu results differ\n", who.name, found);
  return found == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : std::int64_t{1} << 28;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
  const bench::arena arena(copies * n * 4 + bench::MiB);
  fill_values<<<1024, 256>>>(reinterpret_cast<float*>(arena.data()), copies * n);
  bench::read_floor floor(arena);
  const double gb_per_s = double(n) * 4e-3 / floor.us(n * 4, bench::memory::dram);
  std::printf("read limit %.0f GB/s at %lld bytes, CUB %d\n", gb_per_s, static_cast<long long>(n * 4),
              bench::cub_version());

  std::vector<contender> all{{"CUB offsets", bench::cub_offsets32, 4},
                             {"gpuprim offsets", bench::gpuprim_offsets32, 4},
                             {"gpuprim offsets64", bench::gpuprim_offsets64, 8}};
  std::vector<contender> fixed = all;
  if (bench::cub_has_fixed()) fixed.push_back({"CUB fixed", bench::cub_fixed, 0});
  fixed.push_back({"gpuprim fixed", bench::gpuprim_fixed, 0});

  std::vector<bench::mix> mixes;
  for (std::int64_t length : {4, 16, 64, 256, 1024, 16384, 1 << 20}) {
    if (length <= n) mixes.push_back(bench::fixed_mix(length));
  }
  mixes.push_back(bench::zipf_mix(n, 1.0, 1 << 16));
  mixes.push_back(bench::zipf_mix(n, 1.5, 1 << 20));
  mixes.push_back(bench::giant_mix(n, 1000000));

  bool right = true;
  for (const bench::mix& m : mixes) {
    if (argc > 3 && m.name != argv[3]) continue;
    const input data(m, reinterpret_cast<const float*>(arena.data()), n);
    const auto& who = m.length ? fixed : all;
    std::vector<std::unique_ptr<bench::graph_timer>> timers;
    std::vector<bench::samples> times(who.size());
    for (std::size_t i = 0; i < who.size(); ++i) {
      right &= agrees(data, who[i], i == 0);
      timers.push_back(std::make_unique<bench::graph_timer>(
          passes, [&](std::int64_t p, cudaStream_t s) { return who[i].enqueue(data.pass(p, who[i].offset_bytes), s); }));
    }
    for (int round = 0; round < rounds; ++round) {
      bench::take_turns(round, int(who.size()), [&](int i) { times[i].add(timers[i]->us_per_pass()); });
    }
    for (std::size_t i = 0; i < who.size(); ++i) {
      const double bytes = double(data.n) * 4 + double(data.segments) * (4 + who[i].offset_bytes);
      const double us = times[i].median();
      std::printf("%-44s %9lld segments  %-18s %10.2f us  %5.1f %% of the floor  %7.2f x of CUB offsets\n",
                  m.name.c_str(), static_cast<long long>(data.segments), who[i].name, us,
                  100 * bytes * 1e-3 / gb_per_s / us, times[0].median() / us);
    }
    std::fflush(stdout);
  }
  return right ? 0 : 1;
}
