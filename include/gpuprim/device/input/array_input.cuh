// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arrays that are not read 16 bytes a load as they are.
#include <gpuprim/device/input/reduce_input.cuh>

namespace gpuprim::detail {

/// What they have in common: all but how they are loaded.
template <class T>
struct loaded_array : input_iterator_types<T> {
  static constexpr bool loads_fit = false;
  const T* in;

  explicit loaded_array(const T* i) : in(i) {}
  const T* array() const { return in; }
  GPUPRIM_HOST_DEVICE T operator[](std::int64_t at) const { return in[at]; }
  __device__ void prefetch(std::int64_t at) const { ptx::prefetch_to_l2(in + at); }
  template <class Acc, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t, const Op& op) const { return fold_load<Acc, T>(packed, op); }
  template <class Acc>
  __device__ Acc item(const T& value, std::int64_t) const { return static_cast<Acc>(value); }
};

/// An array whose loads begin with its first element, wherever that is: one that is not aligned to its elements, or
/// whose loads may depend on the number of elements alone.
template <class T>
struct shifted_array : loaded_array<T> {
  static constexpr int load_items = elements_per_load<T>;
  static constexpr int margin_items = load_items;  // both loads that one lies in are in the array
  int shift;  ///< bytes from a 16-byte boundary to the array

  explicit shifted_array(const T* i)
      : loaded_array<T>(i), shift(int(reinterpret_cast<std::uintptr_t>(i) % load_bytes)) {}
  static std::int64_t items_past_boundary() { return 0; }
  __device__ uint4 load(std::int64_t at) const { return detail::load_shifted(this->in + at, shift); }
};

/// Calls `go` with a raw input for types that need not be aligned to their size: most are.
template <class T, class Go>
auto with_aligned_input(const T* in, const Go& go) {
  if constexpr (load_bytes % sizeof(T) == 0 && alignof(T) < sizeof(T)) {
    const auto address = reinterpret_cast<std::uintptr_t>(in);
    if (address % sizeof(T) != 0 && address % alignof(T) == 0) return go(shifted_array<T>(in));
  }
  return go(in);
}

/// Three wide loads side by side.
struct triple_load {
  uint4 loads[3];
};

template <class T>
inline constexpr int elements_per_triple = load_bytes * 3 / int(sizeof(T));

template <class T>
__device__ __forceinline__ auto unpack_load(const triple_load& packed) {
  uninitialized_array<T, elements_per_triple<T>> items;
  std::memcpy(static_cast<void*>(&items), &packed, sizeof items);
  return items;
}

template <class Acc, class T, class Op>
__device__ __forceinline__ Acc fold_load(const triple_load& packed, const Op& op) {
  return fold_items<Acc, elements_per_triple<T>>(unpack_load<T>(packed), 0, op);
}

/// An array of elements of 3, 6, 12 or 24 bytes: the channels of a pixel, a point in space. They do not divide a wide
/// load, but 16, 8, 4 or 2 of them are three.
template <class T>
struct triple_array : loaded_array<T> {
  static constexpr int load_items = elements_per_triple<T>;

  explicit triple_array(const T* i) : loaded_array<T>(i) {}
  int loads_to_line(std::int64_t at) const { return detail::count_loads_to_line<3>(this->in + at); }
  std::int64_t items_past_boundary() const {
    // Each element is three parts, and 3 x 11 is 1 modulo the elements of a load.
    const auto parts = reinterpret_cast<std::uintptr_t>(this->in) / (sizeof(T) / 3);
    return std::int64_t(parts % load_items * 11 % load_items);
  }
  __device__ triple_load load(std::int64_t at) const {
    const auto* from = reinterpret_cast<const uint4*>(this->in + at);
    return {{from[0], from[1], from[2]}};
  }
};

template <class T>
inline constexpr int loads_in_row<triple_array<T>> = 3;

/// One element of several whole wide loads.
template <class T>
struct long_load {
  uint4 loads[sizeof(T) / load_bytes];
};

template <class T>
__device__ __forceinline__ auto unpack_load(const long_load<T>& packed) {
  uninitialized_array<T, 1> one;
  std::memcpy(static_cast<void*>(&one), &packed, sizeof one);
  return one;
}

template <class Acc, class T, class Op>
__device__ __forceinline__ Acc fold_load(const long_load<T>& packed, const Op&) {
  return static_cast<Acc>(unpack_load<T>(packed)[0]);
}

/// An array of such elements that begins at a 16-byte boundary. The compiler would load as few bytes as the element's
/// type is aligned to, and touch as many cache lines each time: on an H100, 2^28 bytes in elements of 64 91.9 us and
/// 136.1 (CUB 151.9), of 256 119 instead of 279 (326), 2^23 in elements of 32 5.0 instead of 6.1 (6.6).
template <class T>
struct long_array : loaded_array<T> {
  static constexpr int load_items = 1, parts = int(sizeof(T)) / load_bytes;

  explicit long_array(const T* i) : loaded_array<T>(i) {}
  int loads_to_line(std::int64_t at) const { return detail::count_loads_to_line<parts>(this->in + at); }
  __device__ long_load<T> load(std::int64_t at) const {
    const auto* from = reinterpret_cast<const uint4*>(this->in + at);
    long_load<T> packed;
#pragma unroll
    for (int i = 0; i < parts; ++i) packed.loads[i] = from[i];
    return packed;
  }
};

/// Calls `go` with an array of elements that wide loads do not bring by themselves as one of these, unless its type
/// needs so little alignment that no element of it need begin at a 16-byte boundary, and none does.
template <class In, class Go>
auto with_wide_elements(const In& in, const Go& go) {
  if constexpr (std::is_pointer_v<In>) {
    using T = input_value<In>;
    constexpr std::size_t part = (sizeof(T) + 2) / 3;  // never 0
    if constexpr (sizeof(T) % 3 == 0 && part < load_bytes && load_bytes % part == 0) {
      if constexpr (alignof(T) % part == 0) return go(triple_array<T>(in));
      else return reinterpret_cast<std::uintptr_t>(in) % part == 0 ? go(triple_array<T>(in)) : go(in);
    } else if constexpr (sizeof(T) > load_bytes && sizeof(T) % load_bytes == 0 && alignof(T) < load_bytes) {
      return reinterpret_cast<std::uintptr_t>(in) % load_bytes == 0 ? go(long_array<T>(in)) : go(in);
    } else {
      return go(in);
    }
  } else {
    return go(in);
  }
}

}  // namespace gpuprim::detail
