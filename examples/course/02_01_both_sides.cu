// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small __host__ __device__ function tested on both sides. The results need not be equal: the GPU's compiler joins a
// multiplication and an addition to one operation with one rounding. How far they may be apart is derived and not
// guessed: Horner's rule of degree d has 2 d roundings, so its error is at most 2 d u / (1 - 2 d u) times the same
// polynomial of the absolute values, u = 2^-24.
// Source: Higham, "Accuracy and Stability of Numerical Algorithms".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#include <cfloat>
#include <cmath>

// [function]
/// e^x for small x, by its series.
template <class T>
__host__ __device__ T exponential(T x) {
  T sum = T(1.0 / 5040);
  for (double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0, 1.0}) sum = sum * x + T(c);
  return sum;
}
// [function]

__global__ void apply(const float* in, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = exponential(in[i]);
}

int main() {
  constexpr int n = 4001, block_size = 128, degree = 7;
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back(float(i - n / 2) / float(n));
  const measure::device_array<float> in(values), out(n);
  out.poison();
  measure::check(
      gpuprim::launch(apply, (n + block_size - 1) / block_size, block_size, nullptr, in.data(), n, out.data()));
  const std::vector<float> got = out.on_host();
  // [bound]
  constexpr double u = FLT_EPSILON / 2, steps = 2 * degree + 1;  // one more: the coefficients are rounded too
  bool right = true;
  int different = 0;
  for (int i = 0; i < n; ++i) {
    const double bound = steps * u / (1 - steps * u) * exponential(std::fabs(double(values[i])));
    const double exact = exponential(double(values[i]));
    const float on_host = exponential(values[i]);
    right &= std::fabs(double(got[i]) - exact) <= bound && std::fabs(double(on_host) - exact) <= bound;
    different += got[i] != on_host;
  }
  // [bound]
  std::printf("%d of %d values differ between the host and the device, all within the bound: %s\n", different, n,
              right ? "right" : "WRONG");
  return right ? 0 : 1;
}
