// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/check.hpp"
#include "calls.hpp"

#include <algorithm>

namespace bench {

/// Lengths of segments or runs that come to at most `values`, each of at least `least`: alike, spread evenly or
/// exponentially, most of them short, or in stretches of short and long ones.
inline std::vector<std::int64_t> random_lengths(random_numbers& random, std::int64_t values, std::int64_t least,
                                                std::string& details) {
  const std::int64_t mean = random.size(random.one_of(2) ? 60 : double(values) + 1), kind = random.below(5);
  details = " mean " + std::to_string(mean) + " kind " + std::to_string(kind);
  std::vector<std::int64_t> lengths;
  for (std::int64_t sum = 0; sum < values; sum += lengths.back()) {
    std::int64_t length = mean;
    if (kind == 1) length = random.below(2 * mean + 1);
    if (kind == 2) length = std::int64_t(-std::log(1 - random.unit()) * double(mean));
    if (kind == 3) length = random.one_of(100) ? 20 * mean : 1;
    if (kind == 4) length = sum * 8 / values % 2 == 0 ? mean : 1;
    lengths.push_back(std::min(std::max(length, std::max<std::int64_t>(least, 1)), values - sum));
  }
  return lengths;
}

template <class T>
void upload(char* to, const std::vector<T>& values) {
  check(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
}

}  // namespace bench
