// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polynomial whose coefficients are the same for all threads, from several places. If the whole warp reads one
// address of constant memory, no thread needs a load or a register for it. Where the address is known at compile time,
// nvcc makes it an operand of the instruction (sm_75, sm_80, sm_86), or reads it once into a register that the warp
// shares, on the uniform path (sm_90). Where the index is computed in a loop, the uniform path reads it in each round,
// on all of these. From global memory the coefficients are loaded into registers of each thread. Literals stand in the
// instruction. To see it: cuobjdump -sass.
// Source: "Constant Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int degree = 16, block_size = 256, values_each = on_gpu ? 4096 : 64;

enum class from { literals, constant_memory, constant_by_index, global_memory };

__constant__ float constant_coefficients[degree];

__host__ __device__ constexpr float coefficient(int k) { return float(k % 5 - 2); }

// [kernel]
template <from Where>
__device__ float evaluate(const float* coefficients, float x) {
  float sum = 0;
  if constexpr (Where == from::constant_by_index) {
#pragma unroll 1  // the index is a variable of the loop
    for (int k = 0; k < degree; ++k) sum = sum * x + constant_coefficients[k];
  } else {
#pragma unroll  // all indices are constants
    for (int k = 0; k < degree; ++k) {
      if constexpr (Where == from::literals) sum = sum * x + coefficient(k);
      if constexpr (Where == from::constant_memory) sum = sum * x + constant_coefficients[k];
      if constexpr (Where == from::global_memory) sum = sum * x + coefficients[k];
    }
  }
  return sum;
}

template <from Where>
__global__ void add_values(const float* __restrict__ coefficients, float* sums) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0, x = float(thread % 3 - 1);  // -1, 0 or 1: all sums are exact
#pragma unroll 1
  for (int i = 0; i < values_each; ++i, x = -x) sum += evaluate<Where>(coefficients, x);
  sums[thread] = sum;
}
// [kernel]

template <from Where>
bool show(const char* name, const float* coefficients, int blocks) {
  const device_array<float> sums(std::size_t(blocks) * block_size);
  sums.poison();
  const double us = time_us([&] { add_values<Where><<<blocks, block_size>>>(coefficients, sums.data()); });
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, add_values<Where>));
  bool right = true;
  const std::vector<float> got = sums.on_host();
  for (int thread = 0; thread < blocks * block_size; ++thread) {
    float want = 0, x = float(thread % 3 - 1);
    for (int i = 0; i < 2; ++i, x = -x) {
      float sum = 0;
      for (int k = 0; k < degree; ++k) sum = sum * x + coefficient(k);
      want += sum;
    }
    right &= got[thread] == want * (values_each / 2);
  }
  std::printf("%-42s %2d registers, %s%s\n", name, attributes.numRegs, figure(us, "us").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int usual = on_gpu ? 8 * attribute(cudaDevAttrMultiProcessorCount) : 2;
  const int blocks = size_to_run(count, arguments, usual, 1 << 16);
  std::vector<float> coefficients;
  for (int k = 0; k < degree; ++k) coefficients.push_back(coefficient(k));
  check(cudaMemcpyToSymbol(constant_coefficients, coefficients.data(), degree * sizeof(float)));
  const device_array<float> in_global(coefficients);
  bool right = show<from::literals>("literals:", in_global.data(), blocks);
  right &= show<from::constant_memory>("constant memory, operands:", in_global.data(), blocks);
  right &= show<from::constant_by_index>("constant memory, an index at run time:", in_global.data(), blocks);
  right &= show<from::global_memory>("global memory, in registers:", in_global.data(), blocks);
  return verdict(right);
}
