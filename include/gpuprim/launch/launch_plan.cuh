// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/launch/occupancy.hpp>
#include <gpuprim/launch/options.cuh>
#include <gpuprim/launch/outcome.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace gpuprim::inline v0_2_0 {

/// A one-dimensional grid.
struct launch_shape {
  int grid_size,                      ///< blocks
      block_size;                     ///< threads in a block
  int dynamic_shared_bytes = 0;       ///< of a block
  cudaFunction_t function = nullptr;  ///< the launched kernel's in the current context, where it is known
  int cluster_size = 1;               ///< blocks in a cluster; more than 1 only where the function is known
  int thread_bytes = 0;               ///< that a thread requests at once; 0 in what only helps a call's main launch
};

/// How a kernel is launched, and how well it fills the GPU.
struct launch_plan {
  int grid_size = 0;                                       ///< blocks
  int block_size = 0;                                      ///< threads in a block
  int registers_per_thread = 0;                            ///< as compiled
  int shared_bytes = 0;                                    ///< static and dynamic shared memory of a block
  int blocks_per_multiprocessor = 0;                       ///< that fit at once, from the occupancy API
  int multiprocessors = 0;                                 ///< of the GPU
  double theoretical_occupancy = 0;                        ///< resident warps over the most that the GPU holds, 0 to 1
  occupancy_limiter limiter = occupancy_limiter::threads;  ///< what keeps one more block from a multiprocessor
  std::int64_t bytes_in_flight = 0;  ///< that the resident threads have requested at once, on the whole GPU

  /// Writes one line.
  void print(std::FILE* to = stdout) const {
    std::fprintf(to,
                 "grid %d x block %d, %d registers, %d B shared, %d blocks on each of %d multiprocessors, "
                 "occupancy %.0f %% limited by %s, %lld B in flight\n",
                 grid_size, block_size, registers_per_thread, shared_bytes, blocks_per_multiprocessor, multiprocessors,
                 100 * theoretical_occupancy, name_of(limiter), static_cast<long long>(bytes_in_flight));
  }
};

/// Queries what the current device's multiprocessors can hold, and how many there are.
[[nodiscard]] inline cudaError_t find_limits(multiprocessor_limits& sm, int& multiprocessors) {
  int device = 0, major = 0;
  cudaError_t error = cudaGetDevice(&device);
  auto ask = [&](int& to, cudaDeviceAttr what) {
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&to, what, device);
  };
  ask(major, cudaDevAttrComputeCapabilityMajor);
  ask(multiprocessors, cudaDevAttrMultiProcessorCount);
  ask(sm.threads, cudaDevAttrMaxThreadsPerMultiProcessor);
  ask(sm.blocks, cudaDevAttrMaxBlocksPerMultiprocessor);
  ask(sm.registers, cudaDevAttrMaxRegistersPerMultiprocessor);
  ask(sm.shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  ask(sm.reserved_shared_bytes, cudaDevAttrReservedSharedMemoryPerBlock);
  sm.shared_unit = major >= 8 ? 128 : 256;
  return error;
}

namespace detail {

/// Fills a plan in. It is slow, and no launch calls it.
[[gnu::noinline]] inline cudaError_t describe_launch(const void* kernel, const launch_shape& shape, launch_plan& plan) {
  cudaFuncAttributes attributes;
  multiprocessor_limits sm;
  int blocks = 0, multiprocessors = 0;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, kernel)) return e;
  if (cudaError_t e = find_limits(sm, multiprocessors)) return e;
  if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, shape.block_size,
                                                                    std::size_t(shape.dynamic_shared_bytes))) {
    return e;
  }
  const int shared_bytes = int(attributes.sharedSizeBytes) + shape.dynamic_shared_bytes;
  const std::int64_t resident = std::int64_t(blocks) * multiprocessors;
  const std::int64_t in_flight = resident < shape.grid_size ? resident : shape.grid_size;
  const int warps = detail::ceil_div(shape.block_size, warp_size);
  plan = {.grid_size = shape.grid_size,
          .block_size = shape.block_size,
          .registers_per_thread = attributes.numRegs,
          .shared_bytes = shared_bytes,
          .blocks_per_multiprocessor = blocks,
          .multiprocessors = multiprocessors,
          .theoretical_occupancy = double(blocks) * warps * warp_size / sm.threads,
          .limiter = find_occupancy(sm, shape.block_size, attributes.numRegs, shared_bytes).limiter,
          .bytes_in_flight = in_flight * shape.block_size * shape.thread_bytes};
  return cudaSuccess;
}

/// Describes a launch of a dry run that asks for it, unless an earlier one is described or this one only helps.
[[gnu::noinline]] inline cudaError_t describe_main_launch(const void* kernel, const launch_shape& shape,
                                                          const options& how) {
  if (how.described == nullptr || shape.thread_bytes == 0 || how.described->grid_size > 0) return cudaSuccess;
  return describe_launch(kernel, shape, *how.described);
}

/// The plan of a call, which `go(options)` makes.
template <class Go>
launch_plan plan_call(const char* call, const Go& go) {
  launch_plan plan;
  const cudaError_t error = go(options{.described = &plan});
  throw_if_failed(call, {error, last_fault()});
  return plan;
}

}  // namespace detail

/// Says how a launch of any kernel fills the GPU.
///
/// @pre   `kernel`: a `__global__` function; `shape`: a grid and block that it could be launched with.
///        `bytes_per_thread`: what a thread has requested at once, for `bytes_in_flight`.
/// @sync  none; nothing is launched.
/// @order none.
/// @cost  some microseconds on the host.
/// @return the plan. @throws gpuprim::cuda_error.
/// @source the occupancy API: cudaOccupancyMaxActiveBlocksPerMultiprocessor.
/// @example examples/course/06_02_occupancy.cu
template <class... Parameters>
[[nodiscard]] launch_plan plan_launch(void (*kernel)(Parameters...), launch_shape shape, int bytes_per_thread = 0) {
  launch_plan plan;
  shape.thread_bytes = bytes_per_thread;
  const cudaError_t error = detail::describe_launch(reinterpret_cast<const void*>(kernel), shape, plan);
  detail::throw_if_failed("gpuprim::plan_launch", {error, "the kernel cannot be looked at"});
  return plan;
}

}  // namespace gpuprim
