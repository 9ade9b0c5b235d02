// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

namespace gpuprim::inline v0_2_0 {

/// How many blocks of a grid, or of a group of its blocks, came before this one. The atomic operation may still be in
/// flight: only what uses its result waits for it.
struct grid_arrival {
  /// The number of blocks.
  unsigned blocks_before = 0;

  /// Of the grid.
  __device__ bool is_last() const { return blocks_before == gridDim.x - 1; }
};

}  // namespace gpuprim
