// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

namespace gpuprim {

/// How many blocks of a grid came before this one. The atomic operation may still be in flight: only a call of
/// `is_last` waits for its result.
struct grid_arrival {
  unsigned blocks_before = 0;

  __device__ bool is_last() const { return blocks_before == gridDim.x - 1; }
};

}  // namespace gpuprim
