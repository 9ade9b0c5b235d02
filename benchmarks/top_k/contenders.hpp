// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/keys.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// The k largest of n keys, or, where `rows` is not 0, of each of as many rows of `length` keys.
struct top_k_problem {
  const char* name;
  char type;  ///< 'u': u32, 'f': f32
  std::int64_t k;
  key_order order = key_order::random;
  std::int64_t rows = 0, length = 0;
  bool has_positions = false;  ///< which are written beside the keys, sorted

  std::int64_t results() const { return rows == 0 ? k : rows * k; }
};
inline constexpr top_k_problem top_k_problems[] = {
    {"u32, k = 16", 'u', 16},
    {"u32, k = 1000", 'u', 1000},
    {"u32, k = 65536", 'u', 65536},
    {"f32, k = 16", 'f', 16},
    {"f32, k = 1000", 'f', 1000},
    {"f32, k = 65536", 'f', 65536},
    {"u32, k = 1000, sorted", 'u', 1000, key_order::sorted},
    {"u32, k = 1000, all equal", 'u', 1000, key_order::all_equal},
    {"u32, k = 1000, 16 distinct", 'u', 1000, key_order::few_distinct},
    {"f32, k = 1000, sorted with positions", 'f', 1000, key_order::random, 0, 0, true},
    {"f32, k = 50 of 1 row of 128,256", 'f', 50, key_order::random, 1, 128256, true},
    {"f32, k = 20 of 1 row of 32,000", 'f', 20, key_order::random, 1, 32000, true},
    {"f32, k = 100 of 8 rows of 128,256", 'f', 100, key_order::random, 8, 128256, true},
    {"f32, k = 1 of 8 rows of 151,936", 'f', 1, key_order::random, 8, 151936, true},
    {"f32, k = 40 of 8 rows of 151,936", 'f', 40, key_order::random, 8, 151936, true},
    {"f32, k = 1000 of 8 rows of 151,936", 'f', 1000, key_order::random, 8, 151936, true},
    {"f32, k = 40 of 8 rows of 151,936, sorted", 'f', 40, key_order::sorted, 8, 151936, true},
    {"f32, k = 40 of 8 rows of 151,936, 16 distinct", 'f', 40, key_order::few_distinct, 8, 151936, true},
    {"f32, k = 50 of 16 rows of 128,256", 'f', 50, key_order::random, 16, 128256, true},
    {"f32, k = 100 of 32 rows of 262,144", 'f', 100, key_order::random, 32, 262144, true},
    {"f32, k = 20 of 64 rows of 32,000", 'f', 20, key_order::random, 64, 32000, true},
    {"f32, k = 40 of 64 rows of 151,936", 'f', 40, key_order::random, 64, 151936, true},
    {"f32, k = 50 of 256 rows of 32,000", 'f', 50, key_order::random, 256, 32000, true},
    {"f32, k = 50 of 256 rows of 131,072", 'f', 50, key_order::random, 256, 131072, true},
    {"f32, k = 50 of 4096 rows of 32,000", 'f', 50, key_order::random, 4096, 32000, true},
};

struct top_k_contender {
  std::string name;
  /// Positions, of 4 bytes, are the values that it writes. cudaErrorNotSupported where it has no such call.
  cudaError_t (*enqueue)(const top_k_problem&, const key_pass&, cudaStream_t);
};

std::vector<top_k_contender>& top_k_contenders();

/// A file's contender enters itself before main begins.
struct enter_top_k_contender {
  explicit enter_top_k_contender(top_k_contender who) { top_k_contenders().push_back(who); }
};

/// Calls `go.template operator()<T>()` with the type of a problem's keys.
template <class Go>
cudaError_t with_key_type(const top_k_problem& problem, const Go& go) {
  if (problem.type == 'f') return go.template operator()<float>();
  return go.template operator()<unsigned>();
}

}  // namespace bench
