// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace gpuprim {

/// Launches a kernel on a one-dimensional grid. Every launch of the library goes through here.
///
/// @return what CUDA says of the launch; the error is returned and taken off CUDA's error state, which stays as it was.
template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(void (*kernel)(Parameters...), int grid_size, int block_size, cudaStream_t stream,
                                 Arguments&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(grid_size));
  config.blockDim = dim3(unsigned(block_size));
  config.stream = stream;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  if (error != cudaSuccess) (void)cudaGetLastError();
  return error;
}

}  // namespace gpuprim
