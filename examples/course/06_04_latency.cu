// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The latency of arithmetic: in a chain, each operation waits for the one before. With one warp and one chain, the
// cycles of a round are the latency of an operation; they stay while more chains or more warps fill the time, and grow
// when the unit is busy. Both are parallelism, of instructions and of threads.
// Source: "Register Dependencies" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int rounds = 256, most_threads = 1024;

// [kernel]
template <class T, int Chains>
__global__ void multiply_add(T factor, T other, T* out, long long* cycles) {
  T x[Chains];
  for (int k = 0; k < Chains; ++k) x[k] = T(int(threadIdx.x) % 5 + k);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 16
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < Chains; ++k) x[k] = x[k] * factor + other;
  }
  T sum = 0;
  for (int k = 0; k < Chains; ++k) sum += x[k];
  out[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}
// [kernel]

/// Cycles that the block takes for one operation of each warp's chain.
template <class T, int Chains>
double run(int threads, bool& right) {
  const device_array<T> out(most_threads);
  const device_array<long long> cycles(1);
  double best = 1e30;
  for (int sample = 0; sample < 3; ++sample) {
    out.poison();
    multiply_add<T, Chains><<<1, threads>>>(T(-1), T(3), out.data(), cycles.data());  // x, 3 - x, x, ...
    check(cudaGetLastError());
    best = std::min(best, double(cycles.on_host()[0]) / rounds);
  }
  const std::vector<T> got = out.on_host();
  for (int t = 0; t < threads; ++t) right &= got[t] == T(Chains * (t % 5) + Chains * (Chains - 1) / 2);
  return best;
}

template <class T>
bool show(const char* name) {
  bool right = true;
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    const double one = run<T, 1>(32 * warps, right), two = run<T, 2>(32 * warps, right);
    const double four = run<T, 4>(32 * warps, right), eight = run<T, 8>(32 * warps, right);
    std::printf("%-7s %2d warps: a round of 1, 2, 4, 8 chains takes %s, %s, %s, %s; at most %s a cycle\n", name, warps,
                figure(one, "cycles").c_str(), figure(two, "").c_str(), figure(four, "").c_str(),
                figure(eight, "").c_str(),
                figure(32 * warps * std::max({1 / one, 2 / two, 4 / four, 8 / eight}), "operations").c_str());
  }
  return right;
}

int main() {
  bool right = show<float>("float");
  right &= show<int>("int");
  right &= show<double>("double");
  return verdict(right);
}
