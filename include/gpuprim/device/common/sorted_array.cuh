// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/common/overlap.cuh>
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

/// Calls `go` with inputs as pointers where they are arrays. If one of the iterators that might be is none, all stay as
/// they are, so that there are two kinds of kernels at most.
template <class Go, class... Ins>
auto with_sorted_inputs(const Go& go, const Ins&... ins) {
  const auto with = [&]<class... Raw>(const Raw&... raw) {
    if constexpr ((may_be_contiguous<Raw> || ...)) {
      if (!(detail::is_contiguous(raw) && ...)) return go(detail::as_constant(raw)...);
    }
    return go(detail::as_constant(detail::unwrap_pointer(raw))...);
  };
  return with(detail::unwrap_contiguous(ins)...);
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

/// Checks the arrays of a sort of pairs.
template <class Keys, class Values, class KeysOut, class ValuesOut>
outcome check_sorted_pairs(const Keys& keys, const Values& values, std::int64_t n, const KeysOut& keys_out,
                           const ValuesOut& values_out) {
  if (const outcome bad = detail::check_sorted_array(keys, n, keys_out); bad.failed()) return bad;
  if (const outcome bad = detail::check_sorted_array(values, n, values_out); bad.failed()) return bad;
  if (detail::overlap(keys_out, n, values_out, n) || detail::overlap(keys_out, n, values, n) ||
      detail::overlap(values_out, n, keys, n)) {
    return {cudaErrorInvalidValue, "an output overlaps the other one or its input"};
  }
  return {};
}

}  // namespace gpuprim::detail
