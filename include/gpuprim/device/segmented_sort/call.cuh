// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/where_segments.cuh>
#include <gpuprim/device/segmented_sort/launch.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go(spans, n)` with where segments lie and the number of all keys. Outputs: arrays of as many elements.
template <class Go, class... Out>
outcome with_segment_spans(const fixed_length& fixed, std::int64_t segments, const Go& go, const Out*...) {
  if (const outcome bad = detail::check_segments(fixed, segments); bad.failed()) return bad;
  if (segments > 0 && fixed.length > most_segment_items) {
    return {cudaErrorInvalidValue, "a segment has 2^32 keys or more; gpuprim::sort sorts so many"};
  }
  return go(spans_of_length{fixed.length, segments}, fixed.length * segments);
}

template <class Go, class Offsets, class... Out>
outcome with_segment_spans(const segment_offsets<Offsets>& by, std::int64_t segments, const Go& go,
                           const Out*... outs) {
  static_assert(offset_input<Offsets>,
                "gpuprim::segmented_sort: the offsets must be a pointer to, or a random-access iterator over, integers "
                "of 32 or 64 bits");
  if (const outcome bad = detail::check_segments(by, segments); bad.failed()) return bad;
  if (segments > most_listed_segments) return {cudaErrorInvalidValue, "there are more than 2^32 segments"};
  const auto offsets = detail::unwrap_contiguous(by.offsets);
  if (segments > 0 && (detail::overlap(outs, by.n, offsets, segments + 1) || ...)) {
    return {cudaErrorInvalidValue, "an output overlaps the offsets"};
  }
  return go(spans_by_offsets<std::remove_const_t<decltype(offsets)>>{offsets, segments, by.n}, by.n);
}

template <class Go, class Begins, class Ends, class... Out>
outcome with_segment_spans(const segment_bounds<Begins, Ends>& by, std::int64_t segments, const Go& go,
                           const Out*... outs) {
  static_assert(offset_input<Begins> && offset_input<Ends>,
                "gpuprim::segmented_sort: the begins and ends must be pointers to, or random-access iterators over, "
                "integers of 32 or 64 bits");
  if (const outcome bad = detail::check_segments(by, segments); bad.failed()) return bad;
  if (segments > most_listed_segments) return {cudaErrorInvalidValue, "there are more than 2^32 segments"};
  const auto begins = detail::unwrap_contiguous(by.begins);
  const auto ends = detail::unwrap_contiguous(by.ends);
  if (segments > 0 && ((detail::overlap(outs, by.n, begins, segments) || detail::overlap(outs, by.n, ends, segments)) ||
                       ...)) {
    return {cudaErrorInvalidValue, "an output overlaps the begins or ends"};
  }
  return go(spans_by_bounds<std::remove_const_t<decltype(begins)>, std::remove_const_t<decltype(ends)>>{
                begins, ends, segments, segments > 0 ? by.n : 0},
            segments > 0 ? by.n : 0);
}

template <class Where, class Go, class... Out>
outcome with_segment_spans(const Where&, std::int64_t, const Go&, const Out*...) {
  static_assert(std::is_void_v<Where>,
                "gpuprim::segmented_sort: say where segments are by segment_offsets, segment_bounds or fixed_length");
  return {};
}

template <class Key, class Value, class Order>
using segmented_sorter_of =
    segmented_sorter<tuned_segmented_sort_policies,
                     decltype(detail::digits_of_sort<Key, Value>(std::declval<const Order&>())), Key, Value,
                     Order::compared>;

/// Sorts segments whose arguments are checked.
template <class Sorter, class Spans, class KeysIn, class ValuesIn>
outcome run_segmented_sort(const Sorter& sorter, const Spans& spans, const KeysIn& keys, const ValuesIn& values,
                           const typename Sorter::buffers& out, const options& how,
                           other_buffers where = other_buffers::of_call, typename Sorter::buffers other = {}) {
  static_assert(Sorter::sizes::fit,
                "gpuprim::segmented_sort, segmented_sort_pairs: the keys or the values are too long for the shared "
                "memory of a GPU; sort their positions");
  if (sorter.n == 0 || spans.count == 0) return {};
  workspace_size size = Sorter::find_workspace_size(sorter.n, spans.count, where);
  if constexpr (requires { spans.length; }) {
    if (Sorter::sizes::find(spans.length) != long_class) size = {};  // nothing is noted
  }
  memory_lease lease(size, how);
  if (lease.error()) return lease.refusal();
  segmented_sort_state state{};
  (void)Sorter::lay_out(sorter.n, spans.count, lease.zeroed(), lease.scratch(), state, other, where);
  return lease.finish(sorter.run(spans, keys, values, out, state, other, how));
}

}  // namespace gpuprim::detail
