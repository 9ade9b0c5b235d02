// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of one's own on the host SIMT device, as the README of this folder's parent shows it.
// [program]
#include <gpuprim/core/shared.cuh>    // GPUPRIM_SHARED
#include <gpuprim/launch/launch.cuh>  // gpuprim::launch

__global__ void reverse(int* data) {
  GPUPRIM_SHARED(stage, int[64]);
  stage[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = stage[63 - threadIdx.x];
}

int main() {
  int* data = nullptr;
  if (cudaMallocManaged(&data, 64 * sizeof(int)) != cudaSuccess) return 1;
  for (int i = 0; i < 64; ++i) data[i] = i;
  cudaError_t error = gpuprim::launch(reverse, 1, 64, nullptr, data);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  const bool is_reversed = data[0] == 63 && data[63] == 0;
  if (error == cudaSuccess) error = cudaFree(data);
  return error == cudaSuccess && is_reversed ? 0 : 1;
}
// [program]
