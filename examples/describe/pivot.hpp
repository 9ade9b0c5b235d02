// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pivot: a value near the middle of a column, from which its distances are measured. A variance from
// plain sums of squares is lost to cancellation where the mean is large beside the deviation; one about a
// pivot is not.
//
// The pivot is the median of a sample. At least half of the sample lies on its far side from the mean, so
//   (pivot - mean)^2 <= 2 * column / sample * variance,
// and of the 16 digits of the sum of squares at most log10(2 * column / sample) cancel: six for 2^31
// elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace describe {

/// `at(i)` is element i of the column.
template <class Value, class At>
Value find_pivot(std::int64_t count, const At& at) {
  constexpr std::int64_t sample_size = 4096;
  const std::int64_t size = std::min(count, sample_size);
  std::vector<Value> sample;
  for (std::int64_t i = 0; i < size; ++i) {
    // Evenly spread; in two parts because count * size might overflow.
    const Value value = at(count / size * i + count % size * i / size);
    if (std::isfinite(double(value))) sample.push_back(value);
  }
  if (sample.empty()) return Value{};
  const auto middle = sample.begin() + std::ptrdiff_t(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  return *middle;
}

}  // namespace describe
