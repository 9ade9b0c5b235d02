// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Element types and operators that gpuprim and CUB both get.

namespace bench {

/// 12 bytes: no wide load divides it.
struct point3 {
  float x, y, z;
};

struct add_points {
  __host__ __device__ point3 operator()(const point3& a, const point3& b) const {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};

/// 32 bytes and more that are aligned to 4, as an array in a struct is.
template <int Count>
struct floats {
  float x[Count];
};

struct add_floats {
  template <int Count>
  __host__ __device__ floats<Count> operator()(floats<Count> a, const floats<Count>& b) const {
    for (int i = 0; i < Count; ++i) a.x[i] += b.x[i];
    return a;
  }
};

/// The value of larger magnitude, the first of two alike: an operator that no library has a shortcut for.
struct larger_magnitude {
  __host__ __device__ float operator()(float a, float b) const {
    return (b < 0 ? -b : b) > (a < 0 ? -a : a) ? b : a;
  }
};

}  // namespace bench
