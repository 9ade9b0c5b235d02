// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers lie in banks too, and which register a value gets is the compiler's affair. A program cannot choose, and
// gains nothing by packing values into a float4 for the sake of registers: its members are four registers like any
// others. Four chains of multiply-adds are written as four floats and as one float4, and the registers and cycles of
// both are printed. What it costs to read two registers of one bank is in 06_06_little_arithmetic.cu.
// Source: "Registers" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int rounds = 1024, threads = 1024;

enum class written_as { four_floats, one_float4 };

// [kernel]
template <written_as How>
__global__ void multiply_add(float factor, float other, float* out, long long* cycles) {
  const float first = float(int(threadIdx.x) % 5);
  float sum = 0;
  __syncthreads();
  const long long begin = clock64();
  if constexpr (How == written_as::four_floats) {
    float a = first, b = first + 1, c = first + 2, d = first + 3;
#pragma unroll 16
    for (int round = 0; round < rounds; ++round) {
      a = a * factor + other;
      b = b * factor + other;
      c = c * factor + other;
      d = d * factor + other;
    }
    sum = a + b + c + d;
  } else {
    float4 v = make_float4(first, first + 1, first + 2, first + 3);
#pragma unroll 16
    for (int round = 0; round < rounds; ++round) {
      v = make_float4(v.x * factor + other, v.y * factor + other, v.z * factor + other, v.w * factor + other);
    }
    sum = v.x + v.y + v.z + v.w;
  }
  out[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}
// [kernel]

template <written_as How>
bool show(const char* name) {
  const device_array<float> out(threads);
  const device_array<long long> cycles(1);
  double best = 1e30;
  for (int sample = 0; sample < 3; ++sample) {
    out.poison();
    multiply_add<How><<<1, threads>>>(-1, 3, out.data(), cycles.data());  // x, 3 - x, x, ...
    check(cudaGetLastError());
    best = std::min(best, double(cycles.on_host()[0]) / rounds);
  }
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, multiply_add<How>));
  bool right = true;
  const std::vector<float> got = out.on_host();
  for (int t = 0; t < threads; ++t) right &= got[t] == float(4 * (t % 5) + 6);
  std::printf("%-12s %d registers, a round of %d threads takes %s%s\n", name, attributes.numRegs, threads,
              figure(best, "cycles").c_str(), right ? "" : ": WRONG");
  return right;
}

int main() {
  bool right = show<written_as::four_floats>("four floats:");
  right &= show<written_as::one_float4>("one float4:");
  return verdict(right);
}
