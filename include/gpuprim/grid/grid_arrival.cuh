// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

namespace gpuprim {

/// How many blocks of a grid came before this one. The counter's answer may still be on its way: only who asks whether
/// the block is the last one waits for it.
struct grid_arrival {
  unsigned blocks_before = 0;

  __device__ bool is_last() const { return blocks_before == gridDim.x - 1; }
};

}  // namespace gpuprim
