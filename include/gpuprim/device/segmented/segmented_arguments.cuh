// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/device/input/raw_input.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>
#include <gpuprim/device/segmented/segment_rows_kernel.cuh>

namespace gpuprim::detail {

// What a call looks at before it launches anything.

template <class It>
concept offset_input = random_access_input<It> && std::is_integral_v<input_value<It>> &&
                       (sizeof(input_value<It>) == 4 || sizeof(input_value<It>) == 8);

template <class In, class Out>
outcome check_segmented_arguments(const In& in, std::int64_t segments, const Out& out) {
  if (segments < 0) return {cudaErrorInvalidValue, "the number of segments is negative"};
  if (segments > (std::numeric_limits<std::int64_t>::max)() / 32) {
    return {cudaErrorInvalidValue, "there are too many segments"};
  }
  if (segments > 0 && detail::is_null(out)) return {cudaErrorInvalidValue, "the output is a null pointer"};
  return detail::check_input(in, 0);
}

/// Wide loads in a segment of one length, where the kernel for rows takes it: a power of two of them, at most a unit of
/// a warp, from an aligned address. 0 elsewhere.
template <class In>
int row_loads(const In& in, std::int64_t length) {
  if constexpr (std::is_pointer_v<In> && load_bytes % sizeof(input_value<In>) == 0) {
    constexpr int items = elements_per_load<input_value<In>>;
    const std::int64_t loads = length / items;
    const bool fits = length % items == 0 && loads >= 1 && loads <= reduce_input<In, segment_unit_rows>::unit_loads;
    if (fits && (loads & (loads - 1)) == 0 && detail::address_of(in) % load_bytes == 0) return int(loads);
  }
  return 0;
}

}  // namespace gpuprim::detail
