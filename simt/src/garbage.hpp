// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that has not been written is filled with garbage, not with zero.
#pragma once

#include <cstddef>

namespace simt {

inline constexpr unsigned char garbage_byte = 0xA5;  // also a NaN-free, negative, improbable number in every type

void fill_garbage(void* memory, std::size_t bytes);

// From malloc, so that sanitizers guard it, of exactly this size; null when there is no memory.
void* allocate_garbage(std::size_t bytes, std::size_t alignment);

}  // namespace simt
