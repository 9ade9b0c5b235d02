// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx and the other built-in variables. Kernels see them as constants. This file does not include that
// declaration, defines them as variables, and is the only one that writes them.
#include "builtins.hpp"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace simt {

void set_builtins(const uint3& thread_index, const uint3& block_index) {
  threadIdx = thread_index;
  blockIdx = block_index;
}

void set_builtin_shape(const dim3& block_shape, const dim3& grid_shape) {
  blockDim = block_shape;
  gridDim = grid_shape;
}

}  // namespace simt
