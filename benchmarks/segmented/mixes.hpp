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
  std::int64_t gap = 0;               ///< values between segments of one length

  std::int64_t segments(std::int64_t n) const { return length ? n / (length + gap) : std::int64_t(offsets.size()) - 1; }
};

inline mix fixed_mix(std::int64_t length) { return {"length " + std::to_string(length), length, {}}; }

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

/// Exponentially distributed lengths.
inline mix exponential_mix(std::int64_t n, int average) {
  std::mt19937_64 random(4);
  std::exponential_distribution<double> pick(1.0 / average);
  mix result{"exponential, " + std::to_string(average), 0, {0}};
  while (result.offsets.back() < n) {
    result.offsets.push_back(std::min(n, result.offsets.back() + std::int64_t(pick(random))));
  }
  return result;
}

/// One value a segment, but for each hundredth.
inline mix spiky_mix(int segments, int longest) {
  mix result{std::to_string(segments) + " of 1, one of 100 of " + std::to_string(longest), 0, {0}};
  for (int i = 0; i < segments; ++i) result.offsets.push_back(result.offsets.back() + (i % 100 == 50 ? longest : 1));
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
