// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workspace.hpp"

#include <gpuprim/histogram.cuh>

#include <cub/device/device_histogram.cuh>

#include <algorithm>

namespace {

using namespace bench;

template <class T>
constexpr double upper = sizeof(T) == 1 ? 256 : 1e6;

/// Evenly spread, skewed, all alike, or nine in ten.
template <class T>
std::int64_t place_samples(random_numbers& random, const call_memory& memory, std::string& details) {
  const std::int64_t n = random.size(1 << 23), kind = random.below(4);
  const double power = 1 + 6 * random.unit(), one = random.unit();
  std::vector<T> samples;
  for (std::int64_t i = 0; i < n; ++i) {
    const double even = random.unit();
    const double x = kind == 0 ? even : kind == 1 ? std::pow(even, power) : kind == 3 && random.one_of(10) ? even : one;
    samples.push_back(static_cast<T>(x * (upper<T> - 0.01)));
  }
  upload(memory.in, samples);
  details += " n " + std::to_string(n) + " kind " + std::to_string(kind);
  return n;
}

int random_bins(random_numbers& random, double most) { return int(random.size(random.one_of(2) ? 4000 : most)); }

template <class T, class Level>
comparison even(random_numbers& random, const call_memory& memory) {
  std::string details;
  int bins = random_bins(random, 300000);
  const std::int64_t n = place_samples<T>(random, memory, details);
  const auto* const in = reinterpret_cast<const T*>(memory.in);
  auto* const counts = reinterpret_cast<int*>(memory.out);
  const Level first = 0, last = Level(upper<T>);
  const auto cub_bytes = [&] {
    std::size_t bytes = 0;
    const auto e = cub::DeviceHistogram::HistogramEven(nullptr, bytes, in, counts, bins + 1, first, last, n);
    check(e, "ask CUB for the storage of a histogram");
    return bytes;
  };
  while (cub_bytes() > call_memory::bytes) bins /= 2;  // so many, of each of its blocks
  return {"even bins of " + std::to_string(sizeof(T)) + " bytes", "bins " + std::to_string(bins) + details,
          [=](std::int64_t, cudaStream_t s) {
            return gpuprim::histogram(in, n, counts, gpuprim::even_bins<Level>{bins, first, last}, options_of(s));
          },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceHistogram::HistogramEven(memory.temporary, bytes, in, counts, bins + 1, first, last, n,
                                                       s);
          }};
}

/// Levels evenly spread, at random, or close together at one end.
template <class T>
comparison ranges(random_numbers& random, const call_memory& memory) {
  std::string details;
  const int bins = random_bins(random, 60000), spread = int(random.below(3));
  std::vector<T> levels;
  for (int i = 0; i <= bins; ++i) {
    const double at = double(i) / bins;
    levels.push_back(static_cast<T>(upper<T> * (spread == 0 ? at : spread == 1 ? random.unit() : at * at * at * at)));
  }
  std::sort(levels.begin(), levels.end());
  upload(memory.second, levels);
  details = "bins " + std::to_string(bins) + " spread " + std::to_string(spread);
  const std::int64_t n = place_samples<T>(random, memory, details);
  const auto* const in = reinterpret_cast<const T*>(memory.in);
  const auto* const at = reinterpret_cast<const T*>(memory.second);
  auto* const counts = reinterpret_cast<int*>(memory.out);
  return {"between levels of " + std::to_string(sizeof(T)) + " bytes", details,
          [=](std::int64_t, cudaStream_t s) {
            return gpuprim::histogram(in, n, counts, gpuprim::bin_ranges<T>{at, bins}, options_of(s));
          },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceHistogram::HistogramRange(memory.temporary, bytes, in, counts, bins + 1, at, n, s);
          }};
}

const enter_comparisons entered({even<unsigned char, int>, even<int, int>, even<float, float>, even<double, double>,
                                 ranges<int>, ranges<float>});

}  // namespace
