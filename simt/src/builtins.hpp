// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <simt/vector_types.hpp>

namespace simt {

void set_builtins(const uint3& thread_index, const uint3& block_index);
void set_builtin_shape(const dim3& block_shape, const dim3& grid_shape);

}  // namespace simt
