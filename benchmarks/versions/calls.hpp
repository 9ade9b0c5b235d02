// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/timing.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Device memory that all calls share, and that outlives them. Bits of `keys` are random, both sorted arrays ascend,
/// `runs` has a few equal keys behind each other, and `offsets` are of segments of different lengths.
struct version_memory {
  const unsigned *keys, *values, *sorted, *other_sorted;
  const int* runs;
  const std::int64_t* offsets;
  std::vector<std::int64_t> host_offsets;
  void *out, *second_out, *third_out;

  /// Segments that end within `n` elements.
  std::int64_t segments(std::int64_t n) const {
    return std::upper_bound(host_offsets.begin(), host_offsets.end(), n) - host_offsets.begin() - 1;
  }
};

/// A call of gpuprim alone over `n` elements, of which the process measures the version that it was compiled with.
struct version_call {
  std::string name;
  enqueue_pass (*make)(std::int64_t n, const version_memory&);
};

std::vector<version_call>& version_calls();

/// A file's calls enter themselves before main begins.
struct enter_version_calls {
  explicit enter_version_calls(const std::vector<version_call>& some) {
    version_calls().insert(version_calls().end(), some.begin(), some.end());
  }
};

}  // namespace bench
