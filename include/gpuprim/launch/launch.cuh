// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace gpuprim {

/// Whether a launch may take its place on the GPU before the kernel ahead of it in the stream has ended.
enum class start {
  in_order,  ///< as every CUDA launch
  early,     ///< the kernel calls ptx::wait_for_previous_grid() before it touches global memory
};

/// A one-dimensional grid.
struct launch_shape {
  int grid_size, block_size;
  int dynamic_shared_bytes = 0;
};

/// Launches a kernel. Every launch of the library goes through here.
///
/// @return what CUDA says of the launch; the error is returned and taken off CUDA's error state, which stays as it was.
template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(start when, void (*kernel)(Parameters...), launch_shape shape, cudaStream_t stream,
                                 Arguments&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(shape.grid_size));
  config.blockDim = dim3(unsigned(shape.block_size));
  config.dynamicSmemBytes = std::size_t(shape.dynamic_shared_bytes);
  config.stream = stream;
  cudaLaunchAttribute attribute{};
  if (when == start::early) {
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  if (error != cudaSuccess) (void)cudaGetLastError();
  return error;
}

/// The same without dynamic shared memory.
template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(start when, void (*kernel)(Parameters...), int grid_size, int block_size,
                                 cudaStream_t stream, Arguments&&... arguments) {
  return launch(when, kernel, {grid_size, block_size}, stream, static_cast<Arguments&&>(arguments)...);
}

/// The same in order, for kernels that know nothing of early starts.
template <class... Parameters, class... Arguments>
[[nodiscard]] cudaError_t launch(void (*kernel)(Parameters...), int grid_size, int block_size, cudaStream_t stream,
                                 Arguments&&... arguments) {
  return launch(start::in_order, kernel, {grid_size, block_size}, stream, static_cast<Arguments&&>(arguments)...);
}

}  // namespace gpuprim
