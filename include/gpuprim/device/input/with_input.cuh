// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What a kernel reads in place of the iterator that a caller passed.
#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/input/array_input.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What a call may read an array as.
enum class array_form {
  pointer,  ///< a pointer, or a shifted_array where elements are not aligned to their size
  grouped,  ///< triple_array and long_array too
};

/// Calls `go` with the input in the form in which a kernel reads it fastest. Contiguous iterators become pointers.
template <array_form Form, class In, class Go>
auto with_input(const In& in, const Go& go) {
  if constexpr (std::is_pointer_v<In>) {
    using T = input_value<In>;
    constexpr std::size_t size = sizeof(T), part = third_of<T>;
    const T* const array = in;
    const auto address = reinterpret_cast<std::uintptr_t>(array);
    if constexpr (load_bytes % size == 0 && alignof(T) < size) {
      if (address % size != 0 && address % alignof(T) == 0) return go(shifted_array<T>(array));
    }
    if constexpr (Form == array_form::grouped && fits_triple<T> && alignof(T) % part == 0) {
      return go(triple_array<T>(array));
    } else {
      if constexpr (Form == array_form::grouped && fits_triple<T>) {
        if (address % part == 0) return go(triple_array<T>(array));
      } else if constexpr (Form == array_form::grouped && fits_long_load<T>) {
        if (address % load_bytes == 0) return go(long_array<T>(array));
      }
      return go(array);
    }
  } else if constexpr (!std::is_same_v<decltype(detail::unwrap_contiguous(in)), In>) {
    return detail::with_input<Form>(detail::unwrap_contiguous(in), go);
  } else if constexpr (may_be_contiguous<In>) {
    if (detail::is_contiguous(in)) return detail::with_input<Form>(detail::unwrap_pointer(in), go);
    return go(in);
  } else {
    return go(in);
  }
}

}  // namespace gpuprim::detail
