// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/keys.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// How long segments are: all as long as `length`; any length from 0 to twice that; by Zipf's law; or a few that have
/// all keys.
enum class segment_mix { even, random, zipf, few };

/// Sorts of the segments of an array, of keys alone or with values of 4 bytes.
struct segmented_sort_problem {
  const char* name;
  char type;  ///< 'u': u32, 'f': f32, 'l': u64
  segment_mix mix;
  std::int64_t length = 0;  ///< or how many segments there are, where they are few
  bool has_values = false;
  bool is_fixed = false;  ///< whether gpuprim is told the length in place of offsets

  int key_bytes() const { return type == 'l' ? 8 : 4; }
  int value_bytes() const { return has_values ? 4 : 0; }
};
inline constexpr segmented_sort_problem segmented_sort_problems[] = {
    {"segments of 16, u32", 'u', segment_mix::even, 16},
    {"segments of 100, u32", 'u', segment_mix::even, 100},
    {"segments of 1000, u32", 'u', segment_mix::even, 1000},
    {"segments of 10000, u32", 'u', segment_mix::even, 10000},
    {"segments of 100000, u32", 'u', segment_mix::even, 100000},
    {"segments of mean 7, u32", 'u', segment_mix::random, 7},
    {"segments by Zipf, u32", 'u', segment_mix::zipf},
    {"4 segments, u32", 'u', segment_mix::few, 4},
    {"1 segment, u32", 'u', segment_mix::few, 1},
    {"rows of 1000, u32", 'u', segment_mix::even, 1000, false, true},
    {"segments of 100, f32", 'f', segment_mix::even, 100},
    {"segments of 1000, u64", 'l', segment_mix::even, 1000},
    {"segments of 16, u32, u32", 'u', segment_mix::even, 16, true},
    {"segments of 1000, u32, u32", 'u', segment_mix::even, 1000, true},
    {"segments of 10000, u32, u32", 'u', segment_mix::even, 10000, true},
    {"segments of mean 7, u32, u32", 'u', segment_mix::random, 7, true},
    {"segments by Zipf, u32, u32", 'u', segment_mix::zipf, 0, true},
};

struct segmented_sort_pass : key_pass {
  std::int64_t segments;
  const int* offsets;
};

struct segmented_sort_contender {
  std::string name;
  cudaError_t (*enqueue)(const segmented_sort_problem&, const segmented_sort_pass&, cudaStream_t);
};

std::vector<segmented_sort_contender>& segmented_sort_contenders();

/// A file's contender enters itself before main begins.
struct enter_segmented_sort_contender {
  explicit enter_segmented_sort_contender(segmented_sort_contender who) { segmented_sort_contenders().push_back(who); }
};

/// Calls `go.template operator()<Key>()` with the type of a problem's keys.
template <class Go>
cudaError_t with_key_type(const segmented_sort_problem& problem, const Go& go) {
  switch (problem.type) {
    case 'l':
      return go.template operator()<unsigned long long>();
    case 'f':
      return go.template operator()<float>();
    default:
      return go.template operator()<unsigned>();
  }
}

}  // namespace bench
