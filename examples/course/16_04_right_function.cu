// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that fits in place of a general one: rsqrtf(x) for 1 / sqrtf(x), sinpif(x) for sinf(pi * x), sincosf for
// both, exp2f and exp10f for powf with that base, products for small whole powers. Which of the two is faster and which
// is closer to what is meant is printed for each pair, because it is not the same for all: sinpif(x) is closer, since
// pi times x is rounded, and a root that is not exact may be the faster one.
// GPU only: the SIMT device computes with the functions of the host, whose errors are others.
// Source: "Math Libraries" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "functions.hpp"

using namespace course;

constexpr float pi = 3.14159274f;
constexpr double exact_pi = 3.14159265358979323846;

// [functions]
struct inverse_root {
  static __device__ float value(float x) { return 1 / sqrtf(x); }
  static double exact(double x) { return 1 / std::sqrt(x); }
};
struct rsqrt_function : inverse_root {
  static __device__ float value(float x) { return rsqrtf(x); }
};
struct sin_of_product {
  static __device__ float value(float x) { return sinf(pi * x); }
  static double exact(double x) { return std::sin(exact_pi * std::fmod(x, 2)); }
};
struct sinpi_function : sin_of_product {
  static __device__ float value(float x) { return sinpif(x); }
};
struct sin_and_cos {
  static __device__ float value(float x) { return sinf(x) * cosf(x); }
  static double exact(double x) { return std::sin(x) * std::cos(x); }
};
struct sincos_function : sin_and_cos {
  static __device__ float value(float x) {
    float sine, cosine;
    sincosf(x, &sine, &cosine);
    return sine * cosine;
  }
};
struct power_of_2 {
  static __device__ float value(float x) { return powf(2, x); }
  static double exact(double x) { return std::exp2(x); }
};
struct exp2_function : power_of_2 {
  static __device__ float value(float x) { return exp2f(x); }
};
struct power_of_10 {
  static __device__ float value(float x) { return powf(10, x); }
  static double exact(double x) { return std::pow(10.0, x); }
};
struct exp10_function : power_of_10 {
  static __device__ float value(float x) { return exp10f(x); }
};
struct cube_by_pow {
  static __device__ float value(float x) { return powf(x, 3); }
  static double exact(double x) { return x * x * x; }
};
struct cube : cube_by_pow {
  static __device__ float value(float x) { return x * x * x; }
};
// [functions]

int main() {
  bool right = show_function<inverse_root>("1 / sqrtf(x)", 0.1f, 9, 2);
  right &= show_function<rsqrt_function>("rsqrtf(x)", 0.1f, 9, 3);
  right &= show_function<sin_of_product>("sinf(pi * x)", 100.1f, 100.9f, 1e9);  // pi * x is rounded
  right &= show_function<sinpi_function>("sinpif(x)", 100.1f, 100.9f, 2);
  right &= show_function<sin_and_cos>("sinf, cosf", 0.1f, 1.5f, 10);
  right &= show_function<sincos_function>("sincosf", 0.1f, 1.5f, 10);
  right &= show_function<power_of_2>("powf(2, x)", -9, 9, 10);
  right &= show_function<exp2_function>("exp2f(x)", -9, 9, 4);
  right &= show_function<power_of_10>("powf(10, x)", -9, 9, 10);
  right &= show_function<exp10_function>("exp10f(x)", -9, 9, 4);
  right &= show_function<cube_by_pow>("powf(x, 3)", 0.1f, 9, 10);
  right &= show_function<cube>("x * x * x", 0.1f, 9, 2);
  return verdict(right);
}
