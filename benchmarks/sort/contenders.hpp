// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/keys.hpp"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

enum class sort_call { keys, pairs, merge_sort };

/// A sort of keys of one type, with values of 4 bytes if it sorts pairs.
struct sort_problem {
  const char* name;
  sort_call call;
  char type;  ///< 'u': u32, 'l': u64, 'f': f32, 'd': f64, 'i': i64, 's': u16, 'h': half, 'b': u8
  key_order order = key_order::random;

  int key_bytes() const {
    switch (type) {
      case 'l':
      case 'd':
      case 'i':
        return 8;
      case 's':
      case 'h':
        return 2;
      case 'b':
        return 1;
      default:
        return 4;
    }
  }
  int value_bytes() const { return call == sort_call::pairs ? 4 : 0; }
};
inline constexpr sort_problem sort_problems[] = {
    {"sort keys u32", sort_call::keys, 'u'},
    {"sort keys u64", sort_call::keys, 'l'},
    {"sort keys i64", sort_call::keys, 'i'},
    {"sort keys f32", sort_call::keys, 'f'},
    {"sort keys f32, normal", sort_call::keys, 'f', key_order::normal},
    {"sort keys f64", sort_call::keys, 'd'},
    {"sort keys f64, normal", sort_call::keys, 'd', key_order::normal},
    {"sort keys half", sort_call::keys, 'h'},
    {"sort keys u16", sort_call::keys, 's'},
    {"sort keys u8", sort_call::keys, 'b'},
    {"sort pairs u32, u32", sort_call::pairs, 'u'},
    {"sort pairs u64, u32", sort_call::pairs, 'l'},
    {"sort pairs f64, u32, normal", sort_call::pairs, 'd', key_order::normal},
    {"sort keys u32, all equal", sort_call::keys, 'u', key_order::all_equal},
    {"sort keys u32, 16 distinct", sort_call::keys, 'u', key_order::few_distinct},
    {"sort keys u32, sorted", sort_call::keys, 'u', key_order::sorted},
    {"sort keys u32, nearly sorted", sort_call::keys, 'u', key_order::nearly_sorted},
    {"sort keys u32, reversed", sort_call::keys, 'u', key_order::reversed},
    {"sort keys u32, below 2^20", sort_call::keys, 'u', key_order::below_2_20},
    {"sort keys u32, upper half shared", sort_call::keys, 'u', key_order::upper_shared},
    {"sort keys u32, exponential", sort_call::keys, 'u', key_order::exponential},
    {"sort keys u32, Zipf", sort_call::keys, 'u', key_order::zipf},
    {"sort keys u32, reciprocals", sort_call::keys, 'u', key_order::reciprocal},
    {"sort keys u32, outliers", sort_call::keys, 'u', key_order::with_outliers},
    {"sort keys u64, 16 distinct", sort_call::keys, 'l', key_order::few_distinct},
    {"sort keys u64, exponential", sort_call::keys, 'l', key_order::exponential},
    {"sort keys u64, Zipf", sort_call::keys, 'l', key_order::zipf},
    {"sort keys u64, reciprocals", sort_call::keys, 'l', key_order::reciprocal},
    {"sort pairs u32, u32, Zipf", sort_call::pairs, 'u', key_order::zipf},
    {"merge sort u32", sort_call::merge_sort, 'u'},
    {"merge sort u64", sort_call::merge_sort, 'l'},
};

/// An order that no library takes for `<`.
struct comes_first {
  template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a < b; }
};

struct sort_contender {
  std::string name;
  cudaError_t (*enqueue)(const sort_problem&, const key_pass&, cudaStream_t);
};

std::vector<sort_contender>& sort_contenders();

/// A file's contender enters itself before main begins.
struct enter_sort_contender {
  explicit enter_sort_contender(sort_contender who) { sort_contenders().push_back(who); }
};

/// Calls `go.template operator()<Key>()` with the type of a problem's keys.
template <class Go>
cudaError_t with_key_type(const sort_problem& problem, const Go& go) {
  switch (problem.type) {
    case 'l':
      return go.template operator()<unsigned long long>();
    case 'f':
      return go.template operator()<float>();
    case 'd':
      return go.template operator()<double>();
    case 'i':
      return go.template operator()<long long>();
    case 's':
      return go.template operator()<unsigned short>();
    case 'h':
      return go.template operator()<__half>();
    case 'b':
      return go.template operator()<unsigned char>();
    default:
      return go.template operator()<unsigned>();
  }
}

}  // namespace bench
