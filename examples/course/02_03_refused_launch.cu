// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch that is refused because a block would need more registers than a multiprocessor has: "too many resources
// requested for launch". The compiler does not know how large the blocks will be, and gives a thread as many registers
// as it can use. __launch_bounds__(threads), with one argument, says how large they are at most: the compiler then
// stays within what such a block can have, and spills the rest. A larger block than was promised is refused too.
// GPU only: the SIMT device does not model registers.
// Source: "Occupancy" in NVIDIA's "CUDA C++ Best Practices Guide"; "Launch Bounds" in its "Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int values = 96, largest_block = 1024;

// [kernel]
/// A polynomial whose coefficients are read before the barrier, and whose argument is known after it: each coefficient
/// needs a register meanwhile.
__device__ inline void evaluate(const unsigned* in, unsigned* out) {
  __shared__ unsigned argument;
  unsigned mine[values], sum = 0;
#pragma unroll
  for (int k = 0; k < values; ++k) mine[k] = in[k * largest_block + threadIdx.x];
  if (threadIdx.x == 0) argument = mine[0];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < values; ++k) sum = sum * argument + mine[k];
  out[threadIdx.x] = sum;
}

__global__ void of_any_block(const unsigned* in, unsigned* out) { evaluate(in, out); }
__global__ void __launch_bounds__(1024) of_large_blocks(const unsigned* in, unsigned* out) { evaluate(in, out); }
__global__ void __launch_bounds__(128) of_small_blocks(const unsigned* in, unsigned* out) { evaluate(in, out); }
// [kernel]

int main() {
  std::vector<unsigned> all;
  for (int i = 0; i < values * largest_block; ++i) all.push_back(unsigned(i) * 2654435761u + 5);
  const device_array<unsigned> in(all), out(largest_block);
  bool right = true;
  const auto show = [&](const char* name, void (*kernel)(const unsigned*, unsigned*), int block_size, bool starts) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    out.poison();
    kernel<<<1, block_size>>>(in.data(), out.data());
    const cudaError_t e = cudaGetLastError();  // of the launch, which has this error or none
    right &= (e == cudaSuccess) == starts;
    const std::vector<unsigned> got = out.on_host();
    for (int t = 0; t < (e == cudaSuccess ? block_size : 0); ++t) {
      unsigned sum = 0;
      for (int k = 0; k < values; ++k) sum = sum * all[0] + all[std::size_t(k * largest_block + t)];
      right &= got[t] == sum;
    }
    std::printf("%-24s %3d registers, %3d bytes of local memory, at most %4d threads; %4d threads: %s\n", name,
                attributes.numRegs, int(attributes.localSizeBytes), attributes.maxThreadsPerBlock, block_size,
                cudaGetErrorString(e));
    return e;
  };
  right &= show("no bound:", of_any_block, largest_block, false) == cudaErrorLaunchOutOfResources;
  show("no bound:", of_any_block, 128, true);
  show("__launch_bounds__(1024):", of_large_blocks, largest_block, true);
  show("__launch_bounds__(128):", of_small_blocks, 256, false);
  return verdict(right);
}
