// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/uninitialized.hpp>

#include <cstddef>
#include <type_traits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// How many values an array or span has whose type says so, as std::array, std::span and those of cuda::std; else 0.
template <class Values>
inline constexpr std::size_t fixed_count = 0;
template <template <class, std::size_t> class Values, class T, std::size_t Count>
inline constexpr std::size_t fixed_count<Values<T, Count>> = Count == std::size_t(-1) ? 0 : Count;

/// Something that has as many values as it says.
template <class Values>
concept sized_values = requires(const Values& values) {
  values[0];
  static_cast<std::size_t>(values.size());
};

/// op(a, b), which nvcc checks, also in functions whose use of a span it does not.
template <class Op, class T>
GPUPRIM_HOST_DEVICE constexpr T join(const Op& op, const T& a, const T& b) {
  return op(a, b);
}

/// The values of an array or span in registers.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // a span of the standard library's, on the host
#endif
template <std::size_t Count, class Values>
GPUPRIM_HOST_DEVICE constexpr auto to_registers(const Values& values) {
  using T = std::remove_cvref_t<decltype(values[0])>;
  uninitialized_array<T, int(Count)> copy;
  if constexpr (std::is_class_v<Values> && std::is_aggregate_v<Values> && sizeof(Values) == Count * sizeof(T)) {
    struct elements {  // a std::array, whose functions device code may not call
      T of[Count];
    };
    const auto all = __builtin_bit_cast(elements, values);
    for (int i = 0; i < int(Count); ++i) copy[i] = all.of[i];
  } else {
    for (int i = 0; i < int(Count); ++i) copy[i] = values[std::size_t(i)];
  }
  return copy;
}

}  // namespace detail

/// Reduces values in registers by a balanced tree, so that independent operations overlap.
///
/// @pre   There is at least one value.
/// @sync  none.
/// @order kept: a left operand holds earlier values. The same tree for every call.
/// @cost  Count - 1 operations, depth log2(Count); the loops unroll and the array stays in registers.
/// @return op(values[0], ..., values[Count - 1]).
/// @source Blelloch, "Prefix sums and their applications", 1990.
/// @example examples/library/01_levels.cu
template <int Count, class Op, class T>
GPUPRIM_HOST_DEVICE constexpr T thread_reduce(uninitialized_array<T, Count> values, const Op& op) {
  static_assert(Count >= 1, "gpuprim::thread_reduce: there must be at least one value");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::thread_reduce: the operator's const operator() must take two values of the type and return "
                "one");
  for (int stride = 1; stride < Count; stride *= 2) {
    for (int i = 0; i < Count; i += 2 * stride) {
      if (i + stride < Count) values[i] = op(values[i], values[i + stride]);
    }
  }
  return values[0];
}

/// Reduces the values of a built-in array.
template <class T, int Count, class Op>
GPUPRIM_HOST_DEVICE constexpr T thread_reduce(const T (&values)[Count], const Op& op) {
  return gpuprim::thread_reduce(detail::to_registers<Count>(values), op);
}

/// Reduces the values of an array or span: anything with operator[] and size(). Where only its value says how many they
/// are, not its type, they are joined one after the other.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <detail::sized_values Values, class Op>
GPUPRIM_HOST_DEVICE constexpr auto thread_reduce(const Values& values, const Op& op) {
  using T = std::remove_cvref_t<decltype(values[0])>;
  constexpr std::size_t count = detail::fixed_count<Values>;
  if constexpr (count > 0) {
    return gpuprim::thread_reduce(detail::to_registers<count>(values), op);
  } else {
    static_assert(is_operator_on<Op, T>,
                  "gpuprim::thread_reduce: the operator's const operator() must take two values of the type and return "
                  "one");
    T total = values[0];
    const std::size_t all = static_cast<std::size_t>(values.size());
    for (std::size_t i = 1; i < all; ++i) total = detail::join<Op, T>(op, total, values[i]);
    return total;
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
