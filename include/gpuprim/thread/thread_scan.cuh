// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/thread/thread_reduce.cuh>

#include <utility>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

enum class scan_kind { inclusive, exclusive };

template <class Values>
using value_of = std::remove_cvref_t<decltype(std::declval<Values&>()[0])>;

/// How many values there are: a constant where the type says it.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // a span of the standard library's, on the host
#endif
template <class Values>
GPUPRIM_HOST_DEVICE constexpr auto count_of(const Values& values) {
  if constexpr (!sized_values<Values>) return int(sizeof(Values) / sizeof(values[0]));
  else if constexpr (fixed_count<Values> > 0) return fixed_count<Values>;
  else return static_cast<std::size_t>(values.size());
}

/// Scans an array of any kind in place, behind `*prefix` if that is not null.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <scan_kind Kind, class Values, class T, class Op>
GPUPRIM_HOST_DEVICE constexpr T scan_values(Values& values, const Op& op, const T* prefix) {
  static_assert(is_operator_on<Op, T>,
                "gpuprim::thread_scan: the operator's const operator() must take two values of the type and return "
                "one");
  constexpr std::size_t fixed = fixed_count<Values>;
  if constexpr (std::is_class_v<Values> && std::is_aggregate_v<Values> && sizeof(Values) == fixed * sizeof(T)) {
    struct elements {  // of a std::array, whose functions device code may not call
      T of[fixed];
    };
    auto all = __builtin_bit_cast(elements, values);
    const T total = detail::scan_values<Kind>(all.of, op, prefix);
    values = __builtin_bit_cast(Values, all);
    return total;
  } else {
    const auto count = detail::count_of(values);
    T total = prefix ? *prefix : values[0];
    for (std::remove_const_t<decltype(count)> i = prefix ? 0 : 1; i < count; ++i) {
      const T next = detail::join<Op, T>(op, total, values[i]);
      values[i] = Kind == scan_kind::inclusive ? next : total;
      total = next;
    }
    return total;
  }
}

}  // namespace detail

/// Scans values in registers, in place: each becomes op over the values up to its own.
///
/// @pre   There is at least one value. `values` is an array or span of any kind that thread_reduce takes.
/// @sync  none.
/// @order kept: the left operand holds all earlier values.
/// @cost  Count - 1 operations, one after the other; the loop unrolls and the array stays in registers.
/// @return op over all values.
/// @source Blelloch, "Prefix sums and their applications", 1990.
/// @example examples/library/49_scan_levels.cu
template <class Values, class Op>
GPUPRIM_HOST_DEVICE constexpr auto thread_inclusive_scan(Values&& values, const Op& op) {
  const detail::value_of<Values>* const no_prefix = nullptr;
  return detail::scan_values<detail::scan_kind::inclusive>(values, op, no_prefix);
}

/// Scans values in registers, in place, behind a prefix: each becomes op over the prefix and the values up to its own.
/// There may be no values. The result is op over the prefix and all values.
template <class Values, class Op, class Prefix>
GPUPRIM_HOST_DEVICE constexpr auto thread_inclusive_scan(Values&& values, const Op& op, const Prefix& prefix) {
  const auto from = static_cast<detail::value_of<Values>>(prefix);
  return detail::scan_values<detail::scan_kind::inclusive>(values, op, detail::pointer_to(from));
}

/// Scans values in registers, in place, behind a prefix: each becomes op over the prefix and the values before its own.
/// There may be no values. The result is op over the prefix and all values.
template <class Values, class Op, class Prefix>
GPUPRIM_HOST_DEVICE constexpr auto thread_exclusive_scan(Values&& values, const Op& op, const Prefix& prefix) {
  const auto from = static_cast<detail::value_of<Values>>(prefix);
  return detail::scan_values<detail::scan_kind::exclusive>(values, op, detail::pointer_to(from));
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
