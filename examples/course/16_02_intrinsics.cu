// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and their fast forms: __sinf and its kind are a few instructions, of which the special function unit does
// the main one, and are less exact; __sinf and __cosf are bad far from 0, and __expf for large arguments. Take one
// where it was measured and its error does no harm; -use_fast_math takes all of them. sinf, cosf and tanf are slow far
// from 0: from 105615 on they branch to a loop that multiplies the argument by many digits of 2 / pi, read from memory.
// GPU only: the SIMT device computes with the functions of the host, whose errors are others.
// Source: "Math Libraries" in NVIDIA's "CUDA C++ Best Practices Guide"; the errors are in its "Programming Guide".
#include "functions.hpp"

using namespace course;

// [functions]
struct sin_function {
  static __device__ float value(float x) { return sinf(x); }
  static double exact(double x) { return std::sin(x); }
};
struct sin_fast : sin_function {
  static __device__ float value(float x) { return __sinf(x); }
};
struct exp_function {
  static __device__ float value(float x) { return expf(x); }
  static double exact(double x) { return std::exp(x); }
};
struct exp_fast : exp_function {
  static __device__ float value(float x) { return __expf(x); }
};
struct log_function {
  static __device__ float value(float x) { return logf(x); }
  static double exact(double x) { return std::log(x); }
};
struct log_fast : log_function {
  static __device__ float value(float x) { return __logf(x); }
};
struct pow_function {
  static __device__ float value(float x) { return powf(x, 1.7f); }
  static double exact(double x) { return std::pow(x, double(1.7f)); }
};
struct pow_fast : pow_function {
  static __device__ float value(float x) { return __powf(x, 1.7f); }
};
struct quotient {
  static __device__ float value(float x) { return 1.7f / x; }
  static double exact(double x) { return double(1.7f) / x; }
};
struct quotient_fast : quotient {
  static __device__ float value(float x) { return __fdividef(1.7f, x); }
};
struct tan_function {
  static __device__ float value(float x) { return tanf(x); }
  static double exact(double x) { return std::tan(x); }
};
struct tan_fast : tan_function {
  static __device__ float value(float x) { return __tanf(x); }
};
struct complement {  // of the error function; 1 - erff(x) would lose all digits
  static __device__ float value(float x) { return erfcf(x); }
  static double exact(double x) { return std::erfc(x); }
};
// [functions]

int main() {
  constexpr double any = 1e9;  // a fast form may be as far off as it is
  bool right = show_function<sin_function>("sinf, 0.1 to 3", 0.1f, 3, 4);
  right &= show_function<sin_fast>("__sinf, 0.1 to 3", 0.1f, 3, any);
  right &= show_function<sin_function>("sinf, 100 to 110", 100, 110, 4);
  right &= show_function<sin_fast>("__sinf, 100 to 110", 100, 110, any);
  right &= show_function<sin_function>("sinf, 1e6 to 1e6 + 9", 1e6f, 1e6f + 9, 4);
  right &= show_function<exp_function>("expf, -1 to 1", -1, 1, 4);
  right &= show_function<exp_fast>("__expf, -1 to 1", -1, 1, any);
  right &= show_function<exp_fast>("__expf, 60 to 80", 60, 80, any);
  right &= show_function<log_function>("logf, 2 to 100", 2, 100, 4);
  right &= show_function<log_fast>("__logf, 2 to 100", 2, 100, any);
  right &= show_function<log_fast>("__logf, 0.9 to 1.1", 0.9f, 1.1f, any);
  right &= show_function<pow_function>("powf, 0.5 to 9", 0.5f, 9, 10);
  right &= show_function<pow_fast>("__powf, 0.5 to 9", 0.5f, 9, any);
  right &= show_function<quotient>("1.7f / x", 0.5f, 9, 0.501);
  right &= show_function<quotient_fast>("__fdividef", 0.5f, 9, any);
  right &= show_function<tan_function>("tanf, 0.1 to 1.5", 0.1f, 1.5f, 6);
  right &= show_function<tan_fast>("__tanf, 0.1 to 1.5", 0.1f, 1.5f, any);
  right &= show_function<complement>("erfcf, 1 to 5", 1, 5, 8);
  return verdict(right);
}
