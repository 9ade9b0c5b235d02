// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/driver.cuh>
#include <gpuprim/launch/launch_plan.cuh>
#include <gpuprim/launch/options.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {

/// Whether a launch may take its place on the GPU before the kernel ahead of it in the stream has ended.
enum class start {
  in_order,  ///< as every CUDA launch
  early,     ///< the kernel calls ptx::wait_for_previous_grid() before it touches global memory
};

namespace detail {

/// Launches through the driver, because the runtime looks a kernel up by its name, which takes long for a long name.
/// An error is returned, and CUDA's error state is left alone.
[[gnu::noinline]] inline cudaError_t launch_function(start when, const launch_shape& shape, cudaStream_t stream,
                                                     void** parameters) {
  CUlaunchAttribute attributes[2]{};
  CUlaunchConfig config{};
  if (when == start::early) {
    CUlaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  if (shape.cluster_size > 1) {
    CUlaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = unsigned(shape.cluster_size);
    attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  }
  config.gridDimX = unsigned(shape.grid_size);
  config.blockDimX = unsigned(shape.block_size);
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = unsigned(shape.dynamic_shared_bytes);
  config.hStream = stream;
  config.attrs = attributes;
  return static_cast<cudaError_t>(driver::get().launch_kernel(&config, shape.function, parameters, nullptr));
}

/// Launches through the runtime.
template <class... Parameters>
cudaError_t launch_kernel(start when, void (*kernel)(Parameters...), const dim3& grid, const dim3& block,
                          int dynamic_shared_bytes, cudaStream_t stream, Parameters&... parameters) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = std::size_t(dynamic_shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = when == start::early;
#if defined(SIMT_DEVICE)
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, parameters...);
#else  // as cudaLaunchKernelEx does, which takes addresses by an operator & that a parameter's type may have
  void* pointers[] = {detail::pointer_to(parameters)..., nullptr};
  const cudaError_t error = cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), pointers);
#endif
  if (error != cudaSuccess) (void)cudaGetLastError();
  return error;
}

}  // namespace detail

/// Launches a kernel of a call of the library. If the call is a dry run, the launch is described at most. Every launch
/// of the library goes through here.
template <class... Parameters>
[[nodiscard]] cudaError_t launch(start when, void (*kernel)(Parameters...), const launch_shape& shape,
                                 const options& how, std::type_identity_t<Parameters>... arguments) {
  if (detail::is_dry_run(how)) return detail::describe_main_launch(reinterpret_cast<const void*>(kernel), shape, how);
  if (!shape.function) {
    return detail::launch_kernel(when, kernel, dim3(unsigned(shape.grid_size)), dim3(unsigned(shape.block_size)),
                                 shape.dynamic_shared_bytes, how.stream, arguments...);
  }
  void* pointers[] = {detail::pointer_to(arguments)..., nullptr};
  return detail::launch_function(when, shape, how.stream, pointers);
}

/// Launches a kernel. The arguments convert to the kernel's
/// parameters.
///
/// @return what CUDA says of the launch. The error is taken off CUDA's error state; unless `shape` names the function,
///         so is one that was there before.
template <class... Parameters>
[[nodiscard]] cudaError_t launch(start when, void (*kernel)(Parameters...), const launch_shape& shape,
                                 cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  return gpuprim::launch(when, kernel, shape, options{.stream = stream}, arguments...);
}

/// Launches a kernel that has no code for an early start, without dynamic shared memory: `kernel<<<grid, block, 0,
/// stream>>>(arguments...)`, which the host SIMT device takes too. Grid and block have one, two or three dimensions.
template <class... Parameters>
[[nodiscard]] cudaError_t launch(void (*kernel)(Parameters...), const dim3& grid, const dim3& block,
                                 cudaStream_t stream, std::type_identity_t<Parameters>... arguments) {
  return detail::launch_kernel(start::in_order, kernel, grid, block, 0, stream, arguments...);
}

namespace detail {

/// Copies device memory as a part of a call.
inline cudaError_t copy_bytes(void* to, const void* from, std::int64_t bytes, const options& how) {
  if (is_dry_run(how)) return cudaSuccess;
  return cudaMemcpyAsync(to, from, std::size_t(bytes), cudaMemcpyDeviceToDevice, how.stream);
}

}  // namespace detail

}  // namespace gpuprim
