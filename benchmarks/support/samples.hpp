// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Calls `measure(i)` for each of `count` things, so that drift hits all alike: each is first in its turn,
/// and comes as often behind its neighbour on the one side as on the other.
template <class Measure>
void take_turns(int round, int count, const Measure& measure) {
  const bool backwards = round / count % 2 == 1;
  for (int i = 0; i < count; ++i) measure((round + (backwards ? count - 1 - i : i)) % count);
}

}  // namespace bench
