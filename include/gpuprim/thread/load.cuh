// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/uninitialized.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

namespace gpuprim {

/// Bytes in the widest load of one thread.
inline constexpr int load_bytes = 16;

/// Elements that one wide load brings, or 1 where the element size does not divide the load.
template <class T>
inline constexpr int elements_per_load = load_bytes % sizeof(T) == 0 ? load_bytes / int(sizeof(T)) : 1;

/// Loads consecutive elements with one 16-byte instruction.
///
/// @pre   `from` is aligned to 16 bytes, or `elements_per_load<T>` is 1.
/// @sync  none.
/// @order as in memory.
/// @cost  one LDG.E.128 (an ordinary load of T where the size does not divide 16).
/// @return the elements.
/// @source CUDA C++ Best Practices Guide, "Coalesced access to global memory".
/// @example examples/01_levels.cu
template <element T>
__device__ __forceinline__ uninitialized_array<T, elements_per_load<T>> load_vector(const T* from) {
  uninitialized_array<T, elements_per_load<T>> items;
  if constexpr (load_bytes % sizeof(T) == 0) {
    const uint4 raw = *reinterpret_cast<const uint4*>(from);
    std::memcpy(static_cast<void*>(&items), &raw, sizeof raw);
  } else {
    items[0] = *from;
  }
  return items;
}

}  // namespace gpuprim
