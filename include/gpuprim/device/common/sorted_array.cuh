// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/launch/raw_output.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// The array behind an output, in which a sort keeps elements meanwhile; null where an iterator says at run time only
/// that it is no array.
template <class Out>
auto sorted_array(const Out& out) {
  const auto raw = detail::unwrap_contiguous(out);
  if constexpr (!may_be_contiguous<std::remove_const_t<decltype(raw)>>) return raw;
  else return detail::is_contiguous(raw) ? detail::unwrap_pointer(raw) : nullptr;
}

/// The most bytes of an array that is sorted: so few that the size of no scratch memory overflows.
inline constexpr std::int64_t most_sorted_bytes = std::int64_t{1} << 58;

/// Checks one array that a sort reads and one that it writes. They may be the same.
template <class In, class Out>
outcome check_sorted_array(const In& in, std::int64_t n, const Out& out) {
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if (n > most_sorted_bytes / std::int64_t(sizeof(input_value<In>))) {
    return {cudaErrorInvalidValue, "the count is too large: the size of the scratch memory might overflow 64 bits"};
  }
  if constexpr (std::is_pointer_v<In>) {
    if (in != out && detail::overlap(out, n, in, n)) {
      return {cudaErrorInvalidValue, "an output overlaps an input and is not the same array"};
    }
  }
  return {};
}

/// Checks the arrays of a sort, of which the values may be `no_values`.
template <class Keys, class Values, class Key, class Value>
outcome check_sorted(const Keys& keys, const Values& values, std::int64_t n, Key* keys_out, Value* values_out) {
  const outcome bad = detail::check_sorted_array(keys, n, keys_out);
  if constexpr (!std::is_same_v<Values, no_values>) {
    if (bad.failed()) return bad;
    if (const outcome worse = detail::check_sorted_array(values, n, values_out); worse.failed()) return worse;
    if (detail::overlap(keys_out, n, values_out, n) || detail::overlap(keys_out, n, values, n) ||
        detail::overlap(values_out, n, keys, n)) {
      return {cudaErrorInvalidValue, "an output overlaps the other one or its input"};
    }
  }
  return bad;
}

}  // namespace gpuprim::detail
