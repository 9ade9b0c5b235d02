// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/segments.cuh>
#include <gpuprim/device/segmented_sort/launch.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go(segments, n)` with where segments lie and the number of all keys. Outputs: arrays of as many elements.
template <class Where, class Go, class... Out>
outcome with_segments(const Where& where, std::int64_t count, const Go& go, const Out*... outs) {
  static_assert(is_where<Where>,
                "gpuprim::segmented_sort: say where segments are by segment_offsets, segment_bounds or fixed_length");
  static_assert(!is_where<Where> || has_integer_offsets<Where>,
                "gpuprim::segmented_sort: the offsets must be a pointer to, or a random-access iterator over, integers "
                "of 32 or 64 bits");
  if constexpr (is_where<Where> && has_integer_offsets<Where>) {
    const auto segments = detail::segments_of(where, count);
    if (const outcome bad = detail::check_segments_of_items(segments, outs...); bad.failed()) return bad;
    if constexpr (are_fixed<decltype(segments)>) {
      if (count > 0 && segments.length > most_segment_items) {
        return {cudaErrorInvalidValue, "a segment has 2^32 keys or more; gpuprim::sort sorts so many"};
      }
    } else {
      if (count > most_listed_segments) return {cudaErrorInvalidValue, "there are more than 2^32 segments"};
    }
    return go(segments, count > 0 ? segments.items() : 0);
  }
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
  return detail::with_leased_memory(size, how, [&](void* zeroed, char* scratch) {
    segmented_sort_state state{};
    (void)Sorter::lay_out(sorter.n, spans.count, zeroed, scratch, state, other, where);
    return sorter.run(spans, keys, values, out, state, other, how.stream);
  });
}

}  // namespace gpuprim::detail
