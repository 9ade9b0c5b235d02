// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/uninitialized.hpp>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0 {

/// Bytes in the widest load of one thread.
inline constexpr int load_bytes = 16;

/// Elements of one wide load, or 1 where the element size does not divide the load.
template <class T>
inline constexpr int elements_per_load = load_bytes % sizeof(T) == 0 ? load_bytes / int(sizeof(T)) : 1;

/// The packed elements of one wide load: unpacking 1-byte elements costs more than adding them.
template <class T>
using loaded = std::conditional_t<load_bytes % sizeof(T) == 0, uint4, uninitialized_array<T, 1>>;

/// Loads consecutive elements with one 16-byte instruction and leaves them packed.
///
/// @pre   `from` is aligned to 16 bytes, or `elements_per_load<T>` is 1.
/// @sync  none.
/// @order as in memory.
/// @cost  one LDG.E.128 (an ordinary load of T where the size does not divide 16).
/// @return the packed elements, for `unpack`.
/// @source CUDA C++ Best Practices Guide, "Coalesced access to global memory".
/// @example examples/library/01_levels.cu
template <element T>
__device__ __forceinline__ loaded<T> load_packed(const T* from, detail::call_site here = detail::call_site::current()) {
  if constexpr (load_bytes % sizeof(T) == 0) {
    const auto bytes_past = reinterpret_cast<std::uintptr_t>(from) % load_bytes;
    detail::expects(bytes_past == 0,
                    "gpuprim::load_packed: the address must be a multiple of 16, and is %lld bytes past one", here,
                    bytes_past);
    return *reinterpret_cast<const uint4*>(from);
  } else {
    uninitialized_array<T, 1> one;
    one[0] = *from;
    return one;
  }
}

/// The elements of a load.
template <element T>
__device__ __forceinline__ uninitialized_array<T, elements_per_load<T>> unpack(const loaded<T>& packed) {
  uninitialized_array<T, elements_per_load<T>> items;
  std::memcpy(static_cast<void*>(detail::pointer_to(items)), &packed, sizeof items);
  return items;
}

/// Loads consecutive elements with one 16-byte instruction: `unpack<T>(load_packed(from))`.
template <element T>
__device__ __forceinline__ uninitialized_array<T, elements_per_load<T>> load_vector(const T* from) {
  return unpack<T>(load_packed(from));
}

namespace detail {

/// The 16 bytes that begin `shift` bytes after those of `low` and end in `high`.
__device__ __forceinline__ uint4 join_loads(const uint4& low, const uint4& high, int shift) {
  unsigned words[] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) words[i] = shift & 8 ? words[i + 2] : words[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) words[i] = shift & 4 ? words[i + 1] : words[i];
  const unsigned bits = unsigned(shift & 3) * 8;
  return {__funnelshift_r(words[0], words[1], bits), __funnelshift_r(words[1], words[2], bits),
          __funnelshift_r(words[2], words[3], bits), __funnelshift_r(words[3], words[4], bits)};
}

}  // namespace detail

}  // namespace gpuprim
