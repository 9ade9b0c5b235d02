// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc's flags do to float arithmetic: -ftz=true takes results below 2^-126 as 0, -prec-div=false and
// -prec-sqrt=false leave the last bit of quotients and roots open, -use_fast_math is all three and the fast functions.
// This file is compiled twice, with and without -use_fast_math, and reports what it finds in itself.
// GPU only: the SIMT device is compiled by the host's compiler, which has other flags.
// Source: "Precision-related Compiler Flags" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "functions.hpp"

using namespace course;

// [functions]
struct quotient {
  static __device__ float value(float x) { return 1.7f / x; }
  static double exact(double x) { return double(1.7f) / x; }
};
struct root {
  static __device__ float value(float x) { return sqrtf(x); }
  static double exact(double x) { return std::sqrt(x); }
};
struct sine {
  static __device__ float value(float x) { return sinf(x); }
  static double exact(double x) { return std::sin(x); }
};

__global__ void halve(const float* in, float* out) { *out = *in * 0.5f; }
// [functions]

int main() {
  const device_array<float> in(std::vector<float>{0x1p-126f}), out(1);
  out.poison();
  halve<<<1, 1>>>(in.data(), out.data());
  check(cudaGetLastError());
  const float half = out.on_host()[0];
  const bool fast = half == 0;
  std::printf("2^-126 / 2 is %s: %s\n",
              fast                ? "0"
              : half == 0x1p-127f ? "2^-127"
                                  : "WRONG",
              fast ? "compiled with -ftz=true" : "as IEEE 754 has it");
  bool right = fast || half == 0x1p-127f;
#if defined(COURSE_FAST_MATH)
  right &= fast;  // by the build
#else
  right &= !fast;
#endif
  right &= show_function<quotient>("1.7f / x", 0.5f, 9, fast ? 4 : 0.501);
  right &= show_function<root>("sqrtf(x)", 0.5f, 9, fast ? 4 : 0.501);
  right &= show_function<sine>("sinf(x), 0.1 to 3", 0.1f, 3, fast ? 1e9 : 4);
  return verdict(right);
}
