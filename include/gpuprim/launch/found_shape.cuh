// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/launch/ask_once.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/occupancy.hpp>
#include <gpuprim/launch/outcome.cuh>

#include <cstddef>
#include <cstdint>

namespace gpuprim::inline v0_2_0 {

/// Most blocks of one launch. It bounds the workspace, in which every block has a mailbox.
inline constexpr int max_grid_blocks = 2048;

namespace detail {

/// How many tiles a block takes: one, for which it waits; or one after the other, of which others are on their way to
/// shared memory while the block works on one.
enum class block_tiles { one, many };

/// The lowest PTX version (10 x compute capability) whose code waits for the previous grid and lets the next one
/// start. A launch may ask for an early start only if the driver picked such code: ask the kernel, not the device.
inline constexpr int early_start_ptx_version = 90;

/// What a launch needs to know of a kernel in a context.
struct kernel_fit {
  int multiprocessors;
  int blocks_per_multiprocessor;  ///< 0 if not even one fits
  int ptx_version;                ///< of the code that the driver picked for the device, 10 x compute capability
  int reserved_bytes;             ///< dynamic shared memory that a block is launched with
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
    found.reserved_bytes = detail::align_up(SharedBytes, 1024);
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

/// What find_shape returns if a multiprocessor has no room for a block of the kernel.
inline constexpr cudaError_t does_not_fit = cudaErrorInvalidConfiguration;

/// How a kernel is launched, and whether it may start early; or why it cannot be launched.
struct found_shape {
  launch_shape grid{};
  start when = start::in_order;
  cudaError_t error = cudaSuccess;
  int multiprocessors = 0;  ///< of the GPU

  /// This launch with so many blocks, whether they are resident at once or not.
  found_shape with_blocks(std::int64_t blocks) const {
    found_shape changed = *this;
    changed.grid.grid_size = int(blocks);
    return changed;
  }
};

/// The launch shape of a kernel that has work for `blocks` blocks: as many of them as are resident at once.
/// MostBlocks and SharedBytes: as for find_kernel_fit.
template <auto Kernel, int MostBlocks = 0, int SharedBytes = 0>
found_shape find_shape(std::int64_t blocks, int block_size) {
  kernel_fit fit;
  cudaError_t error = find_kernel_fit<Kernel, MostBlocks, SharedBytes>(block_size, fit);
  if (error == cudaSuccess && fit.blocks_per_multiprocessor <= 0) error = does_not_fit;
  if (error != cudaSuccess) return {{}, start::in_order, error};
  if (blocks < 1) blocks = 1;
  const std::int64_t resident = std::int64_t(fit.multiprocessors) * fit.blocks_per_multiprocessor;
  if (blocks > resident) blocks = resident;
  if (blocks > max_grid_blocks) blocks = max_grid_blocks;
  const start when = fit.ptx_version >= early_start_ptx_version ? start::early : start::in_order;
  return {{int(blocks), block_size, fit.reserved_bytes, fit.function}, when, cudaSuccess, fit.multiprocessors};
}

/// The launch shape for tiles that are spread over the GPU: with the first of `MostBlocks` blocks a multiprocessor with
/// which every tile has a block, or else with the last. Blocks of the next kernel that start early would else crowd
/// some multiprocessors. 0 stands for any number.
template <auto Kernel, int SharedBytes, int... MostBlocks>
found_shape find_spread_shape(std::int64_t tiles, int block_size) {
  found_shape found;
  const auto is_enough = [&](found_shape shape) {
    found = shape;
    return shape.error != cudaSuccess || shape.grid.grid_size >= tiles;
  };
  (void)(is_enough(detail::find_shape<Kernel, MostBlocks, SharedBytes>(tiles, block_size)) || ...);
  return found;
}

/// Blocks of a cluster that every GPU with clusters holds; a kernel must ask for more.
inline constexpr int portable_cluster_blocks = 8;

/// The launch shape of as many clusters of `ClusterSize` blocks as a GPU holds at once, or `does_not_fit` if that is
/// none. SharedBytes: as for find_kernel_fit.
template <auto Kernel, int SharedBytes, int ClusterSize>
found_shape find_cluster_shape(int block_size) {
  found_shape found;
  const cudaError_t error = detail::ask_once(found, [block_size](found_shape& shape) {
    shape = detail::find_shape<Kernel, 0, SharedBytes>(max_grid_blocks, block_size);
    if (shape.error == does_not_fit) return cudaSuccess;
    if (shape.error != cudaSuccess) return shape.error;
    shape.grid.cluster_size = ClusterSize;
    if (ClusterSize == 1) return cudaSuccess;
    shape.error = does_not_fit;
    if (shape.when == start::in_order) return cudaSuccess;  // the code that the driver has picked knows no clusters
    const auto* kernel = reinterpret_cast<const void*>(Kernel);
    if (ClusterSize > portable_cluster_blocks &&
        cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess) {
      (void)cudaGetLastError();
      return cudaSuccess;
    }
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = ClusterSize;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(ClusterSize);
    config.blockDim = dim3(unsigned(block_size));
    config.dynamicSmemBytes = std::size_t(shape.grid.dynamic_shared_bytes);
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0;
    if (cudaOccupancyMaxActiveClusters(&clusters, Kernel, &config) != cudaSuccess) (void)cudaGetLastError();
    else if (clusters > 0) shape.error = cudaSuccess;
    shape.grid.grid_size = clusters * ClusterSize;
    return cudaSuccess;
  });
  if (error != cudaSuccess) found.error = error;
  return found;
}

/// Launches the kernel that does the main part of a call, a thread of which requests so many bytes at once, or
/// describes that launch.
template <class... Parameters>
outcome launch_main(const found_shape& found, void (*kernel)(Parameters...), std::int64_t thread_bytes,
                    const options& how, std::type_identity_t<Parameters>... arguments) {
  if (found.error != cudaSuccess) return {found.error};
  if (is_dry_run(how)) {
    if (how.described == nullptr || how.described->grid_size > 0) return {};
    launch_shape grid = found.grid;
    grid.thread_bytes = int(thread_bytes);  // 0 where only the caller's function knows of memory
    return {detail::describe_launch(reinterpret_cast<const void*>(kernel), grid, *how.described)};
  }
  void* pointers[] = {detail::pointer_to(arguments)..., nullptr};
  return {detail::launch_function(found.when, found.grid, how.stream, pointers)};
}

}  // namespace detail
}  // namespace gpuprim
