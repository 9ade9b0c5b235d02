// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roots in place of pow: 22 exponents that are small fractions, each by one to three roots. Both forms are timed, and
// their errors printed: each root is rounded, so that the roots together may be further from the exact value than powf.
// Source: "Exponentiation With Small Fractional Arguments" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "functions.hpp"

#include <utility>

using namespace course;

constexpr int forms = 22;

/// Numerator and denominator of each exponent.
constexpr int exponents[forms][2] = {{1, 9}, {-1, 9}, {1, 6}, {-1, 6}, {1, 4}, {-1, 4}, {1, 3}, {-1, 3},
                                     {1, 2}, {-1, 2}, {2, 3}, {-2, 3}, {3, 4}, {-3, 4}, {7, 6}, {-7, 6},
                                     {5, 4}, {-5, 4}, {4, 3}, {-4, 3}, {3, 2}, {-3, 2}};

__host__ __device__ inline float square(float x) { return x * x; }
__device__ inline float times_root(float x) { return x * sqrtf(x); }

template <int Form>
struct by_roots {
  // [roots]
  static __device__ float value(float x) {
    if constexpr (Form == 0) return rcbrtf(rcbrtf(x));
    if constexpr (Form == 1) return cbrtf(rcbrtf(x));
    if constexpr (Form == 2) return rcbrtf(rsqrtf(x));
    if constexpr (Form == 3) return rcbrtf(sqrtf(x));
    if constexpr (Form == 4) return rsqrtf(rsqrtf(x));
    if constexpr (Form == 5) return sqrtf(rsqrtf(x));
    if constexpr (Form == 6) return cbrtf(x);
    if constexpr (Form == 7) return rcbrtf(x);
    if constexpr (Form == 8) return sqrtf(x);
    if constexpr (Form == 9) return rsqrtf(x);
    if constexpr (Form == 10) return square(cbrtf(x));
    if constexpr (Form == 11) return square(rcbrtf(x));
    if constexpr (Form == 12) return times_root(sqrtf(x));
    if constexpr (Form == 13) return times_root(rsqrtf(x));
    if constexpr (Form == 14) return x * rcbrtf(rsqrtf(x));
    if constexpr (Form == 15) return 1 / x * rcbrtf(sqrtf(x));
    if constexpr (Form == 16) return x * rsqrtf(rsqrtf(x));
    if constexpr (Form == 17) return 1 / x * sqrtf(rsqrtf(x));
    if constexpr (Form == 18) return x * cbrtf(x);
    if constexpr (Form == 19) return 1 / x * rcbrtf(x);
    if constexpr (Form == 20) return x * sqrtf(x);
    return 1 / x * rsqrtf(x);
  }
  // [roots]
  static constexpr double exponent = double(exponents[Form][0]) / exponents[Form][1];
  static double exact(double x) { return std::pow(x, exponent); }
};

template <int Form>
struct by_pow : by_roots<Form> {
  static __device__ float value(float x) { return powf(x, float(by_roots<Form>::exponent)); }
};

template <int Form>
bool show() {
  char name[64];
  std::snprintf(name, sizeof name, "x^(%d/%d) by roots", exponents[Form][0], exponents[Form][1]);
  bool right = show_function<by_roots<Form>>(name, 0.1f, 9, 9);
  right &= show_function<by_pow<Form>>("  by powf", 0.1f, 9, 10);
  return right;
}

template <int... Form>
bool show_all(std::integer_sequence<int, Form...>) {
  return (int(show<Form>()) & ...) != 0;
}

int main() { return verdict(show_all(std::make_integer_sequence<int, forms>())); }
