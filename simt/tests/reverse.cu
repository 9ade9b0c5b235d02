// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of one's own on the host SIMT device, as the README of this folder's parent shows it.
// [program]
#include <cuda_runtime.h>
#include <gpuprim/core/shared.cuh>                    // GPUPRIM_SHARED

__global__ void reverse(int* data) {
  GPUPRIM_SHARED(stage, int[64]);
  stage[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = stage[63 - threadIdx.x];
}

int main() {
  int* data = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&data), 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) data[i] = i;
  cudaLaunchConfig_t config{1, 64, 0, nullptr, nullptr, 0};
  cudaError_t error = cudaLaunchKernelEx(&config, reverse, data);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  const bool is_reversed = data[0] == 63 && data[63] == 0;
  cudaFree(data);
  return error == cudaSuccess && is_reversed ? 0 : 1;
}
// [program]
