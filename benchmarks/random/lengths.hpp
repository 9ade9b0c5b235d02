// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "calls.hpp"

#include <algorithm>

namespace bench {

/// Lengths of segments or runs that come to `values`, none of which is empty: alike, spread evenly or exponentially,
/// most of them short, or in stretches of short and long ones.
inline std::vector<std::int64_t> random_lengths(random_numbers& random, std::int64_t values, std::string& details) {
  const std::int64_t mean = random.size(random.one_of(2) ? 60 : double(values) + 1), kind = random.below(5);
  details = " mean " + std::to_string(mean) + " kind " + std::to_string(kind);
  std::vector<std::int64_t> lengths;
  for (std::int64_t sum = 0; sum < values; sum += lengths.back()) {
    std::int64_t length = mean;
    if (kind == 1) length = random.below(2 * mean + 1);
    if (kind == 2) length = std::int64_t(-std::log(1 - random.unit()) * double(mean));
    if (kind == 3) length = random.one_of(100) ? 20 * mean : 1;
    if (kind == 4) length = sum * 8 / values % 2 == 0 ? mean : 1;
    lengths.push_back(std::min(std::max<std::int64_t>(length, 1), values - sum));
  }
  return lengths;
}

}  // namespace bench
