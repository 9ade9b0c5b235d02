// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace bench {

/// Measurements of one thing, and their quartiles.
class samples {
 public:
  void add(double value) { values_.push_back(value); }
  double median() const { return quantile(0.5); }
  /// Between the two nearest values in proportion.
  double quantile(double q) const {
    if (values_.empty()) return 0;
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const double at = q * double(sorted.size() - 1);
    const std::size_t below = std::size_t(at), above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
  }

 private:
  std::vector<double> values_;
};

/// Calls `measure(i)` for each of `count` things in an order that is another in each round and the same in each run, so
/// that drift hits all alike and each comes behind every other as often: what ran before tells in the time of a lone
/// call.
template <class Measure>
void take_turns(int round, int count, const Measure& measure) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(unsigned(round)));
  for (int i : order) measure(i);
}

}  // namespace bench
