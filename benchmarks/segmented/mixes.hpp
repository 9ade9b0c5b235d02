// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How an array is cut into segments.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bench {

struct mix {
  std::string name;
  std::int64_t length;                ///< of every segment, or 0
  std::vector<std::int64_t> offsets;  ///< where there is not one length
  std::int64_t count = 0;             ///< of segments of one length, or 0 for as many as there is room for

  std::int64_t segments(std::int64_t n) const {
    if (count) return count;
    return length ? n / length : std::int64_t(offsets.size()) - 1;
  }
  std::int64_t values() const { return length ? count * length : offsets.back(); }
};

inline mix fixed_mix(std::int64_t length) { return {"length " + std::to_string(length), length, {}}; }

/// Few segments, whose values stay in the L2 cache: a call is as long as its launch and what it waits for.
inline std::vector<mix> few_mixes() {
  std::vector<mix> all;
  const auto add = [&](std::int64_t count, std::int64_t length) {
    all.push_back({std::to_string(count) + " of " + std::to_string(length), length, {}, count});
  };
  add(100, 100);
  add(100, 10000);
  add(1000, 64);
  add(1000, 1000);
  add(4000, 64);
  add(4000, 1000);
  add(10000, 64);
  add(100000, 64);
  return all;
}

/// Lengths k from 1 to `longest` with a probability in proportion to k^-exponent.
inline mix zipf_mix(std::int64_t n, double exponent, int longest) {
  std::vector<double> sums;
  double sum = 0;
  for (int k = 1; k <= longest; ++k) sums.push_back(sum += std::pow(k, -exponent));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pick(0, sum);
  char name[64];
  std::snprintf(name, sizeof name, "Zipf %.1f to %d", exponent, longest);
  mix result{name, 0, {0}};
  while (result.offsets.back() < n) {
    const std::int64_t k = std::lower_bound(sums.begin(), sums.end(), pick(random)) - sums.begin() + 1;
    result.offsets.push_back(std::min(n, result.offsets.back() + k));
  }
  return result;
}

/// Lengths from 0 to `longest`, each as often.
inline mix uniform_mix(std::int64_t n, int longest) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<int> pick(0, longest);
  mix result{"0 to " + std::to_string(longest), 0, {0}};
  while (result.offsets.back() < n) result.offsets.push_back(std::min(n, result.offsets.back() + pick(random)));
  return result;
}

/// One segment of half of all values among `others` of 0 to 200; what is then left over is left out.
inline mix giant_mix(std::int64_t n, int others) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> pick(0, 200);
  mix result{"one of n / 2 among " + std::to_string(others) + " of 0 to 200", 0, {0}};
  for (int i = 0; i <= others; ++i) {
    result.offsets.push_back(std::min(n, result.offsets.back() + (i == others / 2 ? n / 2 : pick(random))));
  }
  return result;
}

}  // namespace bench
