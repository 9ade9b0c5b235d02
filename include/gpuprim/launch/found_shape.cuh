// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/launch_plan.cuh>

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

/// What find_shape returns if a multiprocessor has no room for a block of the kernel.
inline constexpr cudaError_t no_room_for_block = cudaErrorInvalidConfiguration;
inline constexpr cudaError_t does_not_fit = no_room_for_block;

/// How a kernel is launched, and whether it may start early; or why it cannot be launched.
struct found_shape {
  launch_shape grid{};
  start when = start::in_order;
  cudaError_t error = cudaSuccess;
};

/// The launch shape of the kernel that `fit` describes.
inline found_shape make_shape(const kernel_fit& fit, std::int64_t blocks, int block_size, std::int64_t shared_bytes) {
  const start when = fit.ptx_version >= early_start_ptx_version ? start::early : start::in_order;
  return {{int(blocks), block_size, int(shared_bytes), fit.function}, when, cudaSuccess};
}

/// The launch shape of a kernel that has work for `blocks` blocks: as many of them as are resident at once.
/// MostBlocks and SharedBytes: as for find_kernel_fit.
template <auto Kernel, int MostBlocks = 0, int SharedBytes = 0>
found_shape find_shape(std::int64_t blocks, int block_size) {
  kernel_fit fit;
  cudaError_t error = find_kernel_fit<Kernel, MostBlocks, SharedBytes>(block_size, fit);
  if (error == cudaSuccess && fit.blocks_per_multiprocessor <= 0) error = no_room_for_block;
  if (error != cudaSuccess) return {{}, start::in_order, error};
  if (blocks < 1) blocks = 1;
  const std::int64_t resident = std::int64_t(fit.multiprocessors) * fit.blocks_per_multiprocessor;
  if (blocks > resident) blocks = resident;
  if (blocks > max_grid_blocks) blocks = max_grid_blocks;
  return make_shape(fit, blocks, block_size, fit.reserved_bytes);
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

/// The launch shape of a kernel of which each block takes one of `tiles` tiles, and no other.
template <auto Kernel>
found_shape find_tile_shape(std::int64_t tiles, int block_size) {
  kernel_fit fit;
  cudaError_t error = find_kernel_fit<Kernel>(block_size, fit);
  if (error == cudaSuccess && fit.blocks_per_multiprocessor <= 0) error = no_room_for_block;
  if (error != cudaSuccess) return {{}, start::in_order, error};
  return make_shape(fit, tiles, block_size, 0);
}

}  // namespace detail
}  // namespace gpuprim
