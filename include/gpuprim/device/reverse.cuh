// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/transform/transform_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Writes in[n - 1 - i] to out[i] for each of n elements.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read. `out`: room for as many
///        results, which are converted to its type as by assignment; it may be the array `in` itself, or is apart from
///        it.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each result depends on one element.
/// @cost  one launch and no workspace; each element is read once and each result written once, one by one.
/// @return as transform.
/// @source std::reverse_copy; thrust::reverse.
/// @example examples/library/91_gather.cu
template <class In, class Out>
[[nodiscard]] cudaError_t reverse(In in, std::int64_t n, Out out, const options& how = {}) {
  const auto from = detail::as_read(in);
  const auto to = detail::unwrap_contiguous(out);
  using From = std::remove_const_t<decltype(from)>;
  using To = std::remove_const_t<decltype(to)>;
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::reverse: the output must take the elements of the input");
  if constexpr (std::is_pointer_v<From> && std::is_pointer_v<To>) {
    if (static_cast<const void*>(from) == static_cast<const void*>(to)) {
      if constexpr (std::is_same_v<From, const std::remove_pointer_t<To>*>) {
        const auto ins = detail::make_bundle(from);
        if (const detail::outcome bad = detail::check_transform(ins, n, detail::make_bundle(to)); bad.failed()) {
          return bad.report();
        }
        const detail::swapped_ends<To> swap{to, n - 1};
        return detail::transform_all<tuned_gather_policy>(positions<>{}, n / 2, detail::nothing{}, swap, how).report();
      }
    }
  }
  const detail::outcome bad = detail::check_input(from, n);
  if (bad.failed()) return bad.report();
  if (detail::overlap(from, n, to, n)) {
    return detail::outcome{cudaErrorInvalidValue, "the output overlaps the input"}.report();
  }
  const detail::read_reversed<From> read{from, n - 1};
  return detail::transform_all<tuned_gather_policy>(positions<>{}, n, to, read, how).report();
}

}  // namespace gpuprim
