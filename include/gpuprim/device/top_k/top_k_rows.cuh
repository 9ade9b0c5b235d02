// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The segments that a caller has named, as rows.
#include <gpuprim/device/common/where_segments.cuh>
#include <gpuprim/device/top_k/top_k_parts.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// True of what says where segments are whose keys are selected.
template <class Where>
inline constexpr bool names_rows = false;
template <>
inline constexpr bool names_rows<fixed_length> = true;
template <class Offsets>
inline constexpr bool names_rows<segment_offsets<Offsets>> = true;
template <class Begins, class Ends>
inline constexpr bool names_rows<segment_bounds<Begins, Ends>> = true;

constexpr even_rows rows_of(const fixed_length& where, std::int64_t segments) { return {where.length, segments}; }
template <class Offsets>
constexpr auto rows_of(const segment_offsets<Offsets>& where, std::int64_t segments) {
  return offset_rows<raw_iterator<Offsets>>(detail::unwrap_contiguous(where.offsets), segments, where.n);
}
template <class Begins, class Ends>
constexpr auto rows_of(const segment_bounds<Begins, Ends>& where, std::int64_t segments) {
  return bound_rows<raw_iterator<Begins>, raw_iterator<Ends>>{detail::unwrap_contiguous(where.begins),
                                                              detail::unwrap_contiguous(where.ends), segments, where.n};
}

}  // namespace gpuprim::detail
