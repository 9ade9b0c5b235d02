// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "machine.hpp"

namespace simt {

// Turns a launch configuration into a grid, or answers with the error that CUDA gives for it.
cudaError_t check_launch(const cudaLaunchConfig_t&, const void* kernel, grid& result);

}  // namespace simt
