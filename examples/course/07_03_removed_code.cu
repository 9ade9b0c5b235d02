// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code whose result goes nowhere is removed. Of the three kernels, which do the same arithmetic, the second stores
// nothing, so that nothing of it is left and its time says nothing about the arithmetic. The third stores under a
// condition that is never true, which only the host knows: everything is computed, and hardly anything written. To see
// it: cuobjdump -sass.
// Source: "Unit Testing" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

enum class stores { always, never, under_a_condition };

__host__ __device__ inline unsigned iterate(unsigned x, int rounds) {
  for (int round = 0; round < rounds; ++round) x = (x ^ x >> 15) * 2246822519u;
  return x;
}

// [kernel]
template <stores When>
__global__ void compute(int rounds, unsigned forbidden, unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const unsigned x = iterate(thread, rounds) | 1;
  if constexpr (When == stores::always) out[thread] = x;
  if constexpr (When == stores::under_a_condition) {
    if (x == forbidden) out[thread] = x;  // the host passes an even number
  }
}
// [kernel]

template <stores When>
bool show(const char* name, int rounds) {
  const int blocks = on_gpu ? 16 * attribute(cudaDevAttrMultiProcessorCount) : 2;
  const std::size_t threads = std::size_t(blocks) * block_size;
  const device_array<unsigned> out(std::vector<unsigned>(threads, 2));
  const double us = time_us([&] { compute<When><<<blocks, block_size>>>(rounds, 0, out.data()); });
  const std::vector<unsigned> got = out.on_host();
  bool right = true;
  for (std::size_t i = 0; i < threads; i += 37) {
    right &= got[i] == (When == stores::always ? iterate(unsigned(i), rounds) | 1 : 2);
  }
  std::printf("%-28s %s%s\n", name, figure(us, "us").c_str(), right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(10, 2000), 1 << 20);
  bool right = show<stores::always>("stored:", rounds);
  right &= show<stores::never>("not stored:", rounds);
  right &= show<stores::under_a_condition>("stored if it is never true:", rounds);
  return verdict(right);
}
