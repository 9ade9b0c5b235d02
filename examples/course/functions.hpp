// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the programs on mathematical functions share: how fast one is, and how far from the exact value.
#include "course.hpp"

namespace course {

/// Threads take turns over so many parts of the range.
constexpr int parts = 1024;

/// out[i] = f(from + i * step), with one rounding of the argument.
template <class Function>
__global__ void evaluate(float from, float step, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = Function::value(__fmaf_rn(float(i), step, from));
}

/// Many values a thread, of which one sum is left, so that neither memory nor launches are what takes the time.
template <class Function>
__global__ void evaluate_many(float from, float part, float step, int calls, float* sums) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  float x = from + float(thread % parts) * part, sum = 0;
#pragma unroll 4
  for (int k = 0; k < calls; ++k) {
    sum += Function::value(x);
    x += step;
  }
  sums[thread] = sum;
}

/// Shows a function, which has `value` for the device and `exact` for the host, over arguments from `from` to `to`. It
/// is right if no value is more than `most_ulps` from the exact one.
template <class Function>
bool show_function(const char* name, float from, float to, double most_ulps) {
  constexpr int block_size = 256, calls = 512;
  const int n = usual_size(2000, 1 << 18);
  const float step = (to - from) / float(n), part = (to - from) / parts;
  const device_array<float> out(static_cast<std::size_t>(n));
  out.poison();
  evaluate<Function><<<blocks_for(n, block_size), block_size>>>(from, step, n, out.data());
  check(cudaGetLastError());
  const std::vector<float> got = out.on_host();
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    worst = std::max(worst, ulps(got[i], Function::exact(double(std::fma(float(i), step, from)))));
  }
  const int blocks = on_gpu ? 8 * attribute(cudaDevAttrMultiProcessorCount) : 1;
  const device_array<float> sums(std::size_t(blocks) * block_size);
  const double us = time_us([&] {
    evaluate_many<Function><<<blocks, block_size>>>(from, part, part / calls, on_gpu ? calls : 1, sums.data());
  });
  const std::string speed = figure(1e-3 * blocks * block_size * calls / us, "G/s");
  std::printf("%-22s %12s, largest error %.2f ulp%s\n", name, speed.c_str(), worst,
              worst <= most_ulps ? "" : ": WRONG");
  return worst <= most_ulps;
}

}  // namespace course
