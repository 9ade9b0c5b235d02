// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/ask_once.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/occupancy.hpp>
#include <gpuprim/launch/outcome.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace gpuprim::inline v0_2_0 {

/// How a kernel is launched, and how well it fills the GPU.
struct launch_plan {
  int grid_size = 0;                 ///< blocks
  int block_size = 0;                ///< threads in a block
  int registers_per_thread = 0;      ///< as compiled
  int shared_bytes = 0;              ///< static and dynamic shared memory of a block
  int blocks_per_multiprocessor = 0; ///< that fit at once, from the occupancy API
  int multiprocessors = 0;           ///< of the GPU
  double theoretical_occupancy = 0;  ///< resident warps over the most that the GPU holds, 0 to 1
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

/// What a launch needs to know of a kernel in a context.
struct kernel_fit {
  int multiprocessors;
  int blocks_per_multiprocessor;  ///< 0 if not even one fits
  int ptx_version;     ///< of the code that the driver picked for the device, 10 x compute capability
  int reserved_bytes;  ///< dynamic shared memory that a block is launched with
  cudaFunction_t function;
};

/// Stands for as much shared memory as a block can have.
inline constexpr int all_shared_bytes = -1;

/// Asks the occupancy API once for each kernel and context. `MostBlocks` on a multiprocessor, if not 0, are enforced
/// by shared memory that is reserved, which alone also holds back the blocks of a next kernel that starts early.
/// `SharedBytes`: dynamic shared memory that the kernel uses, or `all_shared_bytes`.
template <auto Kernel, int MostBlocks = 0, int SharedBytes = 0>
cudaError_t find_kernel_fit(int block_size, kernel_fit& fit) {
  return ask_once(fit, [block_size](kernel_fit& found) {
    const auto* kernel = reinterpret_cast<const void*>(Kernel);
    [[maybe_unused]] const auto allow = [kernel](int bytes) {
      return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    };
    int device = 0;
    found = {};
    found.reserved_bytes = (SharedBytes + 1023) / 1024 * 1024;
    cudaFuncAttributes attributes;
    if (cudaError_t e = cudaGetDevice(&device)) return e;
    if (cudaError_t e = cudaFuncGetAttributes(&attributes, kernel)) return e;
    if (cudaError_t e = cudaGetFuncBySymbol(&found.function, kernel)) return e;
    if (cudaError_t e = cudaDeviceGetAttribute(&found.multiprocessors, cudaDevAttrMultiProcessorCount, device)) {
      return e;
    }
    int allowed = found.reserved_bytes;
    if constexpr (MostBlocks > 0) {
      int bytes = 0;
      if (cudaError_t e = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)) return e;
      const int own = int(attributes.sharedSizeBytes), least = find_reserved_bytes(bytes, MostBlocks, own);
      if (least > found.reserved_bytes) found.reserved_bytes = least;
      const int most = find_reserved_bytes(bytes, 1, own);
      if (allowed < most) allowed = most;
    }
    // The kernel may be launched with other MostBlocks too, so that it is allowed no less than before.
    if (allowed < attributes.maxDynamicSharedSizeBytes) allowed = attributes.maxDynamicSharedSizeBytes;
    if constexpr (SharedBytes != 0) {
      int most = 0;
      if (cudaError_t e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)) return e;
      most = (most - int(attributes.sharedSizeBytes)) / 1024 * 1024;
      if (SharedBytes == all_shared_bytes) allowed = found.reserved_bytes = most;
      if (found.reserved_bytes > most) return cudaSuccess;  // CUDA would not allow it
    }
    if constexpr (MostBlocks > 0 || SharedBytes != 0) {
      if (cudaError_t e = allow(allowed)) return e;
    }
    const auto reserved = std::size_t(found.reserved_bytes);
    int& blocks = found.blocks_per_multiprocessor;
    if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, block_size, reserved)) return e;
    found.ptx_version = attributes.ptxVersion;
    return cudaSuccess;
  });
}

/// Fills a plan in. It is slow, and no launch calls it.
template <class... Parameters>
cudaError_t describe_launch(void (*kernel)(Parameters...), const launch_shape& shape, std::int64_t bytes_per_thread,
                            launch_plan& plan) {
  cudaFuncAttributes attributes;
  multiprocessor_limits sm;
  int blocks = 0, multiprocessors = 0;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel))) return e;
  if (cudaError_t e = find_limits(sm, multiprocessors)) return e;
  if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, shape.block_size,
                                                                    std::size_t(shape.dynamic_shared_bytes))) {
    return e;
  }
  const std::int64_t resident_blocks = std::int64_t(blocks) * multiprocessors;
  const int shared_bytes = int(attributes.sharedSizeBytes) + shape.dynamic_shared_bytes;
  plan.grid_size = shape.grid_size;
  plan.block_size = shape.block_size;
  plan.registers_per_thread = attributes.numRegs;
  plan.shared_bytes = shared_bytes;
  plan.blocks_per_multiprocessor = blocks;
  plan.multiprocessors = multiprocessors;
  const int warps = (shape.block_size + warp_size - 1) / warp_size;
  plan.theoretical_occupancy = double(blocks) * warps * warp_size / sm.threads;
  plan.limiter = find_occupancy(sm, shape.block_size, attributes.numRegs, shared_bytes).limiter;
  plan.bytes_in_flight =
      (resident_blocks < shape.grid_size ? resident_blocks : shape.grid_size) * shape.block_size * bytes_per_thread;
  return cudaSuccess;
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
/// @example examples/course/12_occupancy.cu
template <class... Parameters>
[[nodiscard]] launch_plan plan_launch(void (*kernel)(Parameters...), const launch_shape& shape,
                                      std::int64_t bytes_per_thread = 0) {
  launch_plan plan;
  const cudaError_t error = detail::describe_launch(kernel, shape, bytes_per_thread, plan);
  detail::throw_if_failed("gpuprim::plan_launch", {error, "the kernel cannot be looked at"});
  return plan;
}

}  // namespace gpuprim
