// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Functions that gpuprim and CUB both get.
#include "../support/numbers.hpp"

namespace bench {

struct square {
  __host__ __device__ float operator()(float x) const { return x * x; }
  /// Of an element of several.
  template <int Count>
  __host__ __device__ float operator()(const numbers<float, Count>& many) const {
    float sum = 0;
    for (int i = 0; i < Count; ++i) sum += many.x[i] * many.x[i];
    return sum;
  }
};

struct is_odd {
  __host__ __device__ bool operator()(float x) const { return int(x) & 1; }
};

/// Of all elements, and of none: a search ends at once, or reads everything.
struct is_there {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};
struct is_missing {
  __host__ __device__ bool operator()(float x) const { return x == -1; }
};

}  // namespace bench
