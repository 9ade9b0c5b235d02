// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Arrays for which a pointer's loads of 16 bytes do not contain whole elements.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/input/input_loads.cuh>

#include <cstring>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// All that these arrays have in common: they differ in how they are loaded.
template <class T>
struct loaded_array : input_iterator_types<T> {
  static constexpr bool loads_fit = false;
  const T* in;

  GPUPRIM_HOST_DEVICE explicit loaded_array(const T* i) : in(i) {}
  const T* array() const { return in; }
  GPUPRIM_HOST_DEVICE T operator[](std::int64_t at) const { return in[at]; }
  __device__ void prefetch(std::int64_t at) const { ptx::prefetch_to_l2(in + at); }
  template <class Acc, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t, const Op& op) const {
    return fold_load<Acc, T>(packed, op);
  }
  template <class Acc> __device__ Acc item(const T& value, std::int64_t) const { return detail::convert<Acc>(value); }
};

/// An array whose loads begin with its first element, wherever that is. It serves arrays that are not aligned to the
/// size of their elements, and passes whose loads must not depend on the address.
template <class T>
struct shifted_array : loaded_array<T> {
  static constexpr int load_items = elements_per_load<T>;
  static constexpr int margin_items = load_items;  // both loads that one lies in are in the array
  int shift;                                       ///< bytes from a 16-byte boundary to the array

  GPUPRIM_HOST_DEVICE explicit shifted_array(const T* i)
      : loaded_array<T>(i), shift(int(reinterpret_cast<std::uintptr_t>(i) % load_bytes)) {}
  static std::int64_t items_past_boundary() { return 0; }
  __device__ uint4 load(std::int64_t at) const { return detail::load_shifted(this->in + at, shift); }
};

/// Three wide loads side by side.
struct triple_load {
  uint4 loads[3];
};

template <class T>
inline constexpr int elements_per_triple = load_bytes * 3 / int(sizeof(T));

/// Bytes of a third of an element, and whether three loads contain whole elements while one does not.
template <class T>
inline constexpr std::size_t third_of = (sizeof(T) + 2) / 3;
template <class T>
inline constexpr bool fits_triple = sizeof(T) % 3 == 0 && third_of<T> < load_bytes && load_bytes % third_of<T> == 0;

template <class T>
__device__ __forceinline__ auto unpack_load(const triple_load& packed) {
  uninitialized_array<T, elements_per_triple<T>> items;
  std::memcpy(static_cast<void*>(detail::pointer_to(items)), &packed, sizeof items);
  return items;
}

template <class Acc, class T, class Op>
__device__ __forceinline__ Acc fold_load(const triple_load& packed, const Op& op) {
  return fold_items<Acc, elements_per_triple<T>>(unpack_load<T>(packed), 0, op);
}

/// An array of elements of 3, 6, 12 or 24 bytes: the channels of a pixel, a point in space. Three wide loads contain
/// 16, 8, 4 or 2 of them.
template <class T>
struct triple_array : loaded_array<T> {
  static constexpr int load_items = elements_per_triple<T>;

  explicit triple_array(const T* i) : loaded_array<T>(i) {}
  int loads_to_line(std::int64_t at) const { return detail::count_loads_to_line<3>(this->in + at); }
  std::int64_t items_past_boundary() const {
    // An element is three parts; 3 x 11 is 1 modulo the elements of a load, so that 11 divides by three.
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
  std::memcpy(static_cast<void*>(detail::pointer_to(one)), &packed, sizeof one);
  return one;
}

template <class Acc, class T, class Op>
__device__ __forceinline__ Acc fold_load(const long_load<T>& packed, const Op&) {
  return detail::convert<Acc>(unpack_load<T>(packed)[0]);
}

/// Whether an element is several whole wide loads, which the compiler would split because its type is less aligned.
template <class T>
inline constexpr bool fits_long_load = sizeof(T) > load_bytes && sizeof(T) % load_bytes == 0 && alignof(T) < load_bytes;

/// An array of such elements that begins at a 16-byte boundary. Narrow loads would each touch as many cache lines as
/// wide ones.
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

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
