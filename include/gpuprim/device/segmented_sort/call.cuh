// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/sort_block_kernel.cuh>
#include <gpuprim/device/segmented_sort/long_segments.cuh>
#include <gpuprim/device/segmented_sort/short_kernels.cuh>
#include <gpuprim/device/segmented_sort/state.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/workspace.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Whose the arrays are that long segments are moved to and from.
enum class other_buffers { of_call, of_caller };

/// A sort of segments with `n` keys in all by their bits from `first_bit` to `end_bit`.
template <segmented_sort_policies Policies, class Digits, class Key, class Value,
          compared_bits Bits = compared_bits::all>
struct segmented_sorter {
  using longs = long_segment_sorter<Policies, Digits, Key, Value>;
  static constexpr bool has_values = longs::has_values;
  using sizes = segment_sizes<Policies, int(sizeof(Key)), longs::value_bytes>;
  using few = typename sizes::few;
  using some = typename sizes::some;
  static constexpr int least_block_weight = 256;  ///< of segments, for which a block of its own begins
  using buffers = sort_buffers<Key, Value>;
  template <class KeysIn, class ValuesIn>
  using arrays = sort_arrays<Digits, KeysIn, ValuesIn, Key, Value>;

  Digits order;
  std::int64_t n;
  int first_bit, end_bit;

  /// Lays the memory of a call out, and returns its size. Its other buffers are there already, or are among it.
  static constexpr workspace_size lay_out(std::int64_t n, std::int64_t segments, void* zeroed, char* scratch,
                                          segmented_sort_state& state, buffers& other, other_buffers where) {
    memory_parts parts{scratch};
    longs::lay_out_zeroed(zeroed, state);
    parts.take(state.totals, long_class);
    for (int c = 1; c < long_class; ++c) {
      parts.take(state.numbers[c], state.capacity[c] = sizes::capacity(c, n, segments));
    }
    const std::int64_t long_segments = sizes::capacity(long_class, n, segments);
    if (where == other_buffers::of_call) longs::lay_out(parts, n, long_segments, state, other);
    else longs::lay_out_lists(parts, n, long_segments, state);
    return {longs::zeroed_bytes, parts.used};
  }
  static constexpr workspace_size find_workspace_size(std::int64_t n, std::int64_t segments,
                                                      other_buffers where = other_buffers::of_call) {
    if (n <= 0 || segments <= 0) return {};
    segmented_sort_state state{};
    buffers other{};
    return lay_out(n, segments, nullptr, nullptr, state, other, where);
  }

  /// Sorts segments that lie anywhere.
  template <class Spans, class KeysIn, class ValuesIn>
  outcome run(const Spans& spans, const KeysIn& keys, const ValuesIn& values, const buffers& out,
              const segmented_sort_state& state, const buffers& other, const options& how) const {
    const arrays<KeysIn, ValuesIn> all{order, keys, values, out.keys, out.values, 0, n};
    const longs long_ones{order, first_bit, end_bit};
    const int passes = long_ones.count_passes(keys, values, out);
    const outcome done = with_lane_sort(all, [&]<lane_sort How>() {
      if constexpr (are_by_offsets<Spans>) {  // segments that follow each other are shared by their weight
        if (n <= Policies.most_small_items) return run_short<How>(all, spans, state, passes, how);
      }
      return run_classes<How>(all, spans, state, passes, how);
    });
    if (done.failed() || state.most_segments == 0) return done;
    if (n <= most_segment_items) {
      return long_ones.template run<std::uint32_t>(all, state, out, other, passes, how);
    }
    return long_ones.template run<std::uint64_t>(all, state, out, other, passes, how);
  }

  /// Sorts segments of one length.
  template <class KeysIn, class ValuesIn>
  outcome run(const fixed_segments& spans, const KeysIn& keys, const ValuesIn& values, const buffers& out,
              const segmented_sort_state& state, const buffers& other, const options& how) const {
    const int length_class = sizes::find(spans.length);
    const arrays<KeysIn, ValuesIn> all{order, keys, values, out.keys, out.values, 0, n};
    if (length_class == long_class) {
      outcome done;
      if (run_wide_rows(all, spans, how, done)) return done;
      const longs long_ones{order, first_bit, end_bit};
      const int passes = long_ones.count_passes(keys, values, out);
      const outcome noted = longs::note_rows(spans, state, passes, how);
      if (noted.failed()) return noted;
      return long_ones.template run<std::uint32_t>(all, state, out, other, passes, how);
    }
    const segment_list list{nullptr, nullptr, spans.count};
    if (length_class >= sizes::tiles) return run_block_class(length_class, all, spans, list, spans.count, how);
    typename sizes::lists lists;
    lists.of[length_class] = list;
    const std::int64_t threads = spans.count * sizes::tile(length_class).lanes;
    return with_lane_sort(all, [&]<lane_sort How>() {
      switch (length_class) {
        case 0:
          return run_lanes<How, 0, 1>(all, spans, lists, threads, how);
        case 1:
          return run_lanes<How, 1, 2>(all, spans, lists, threads, how);
        case 2:
          return run_lanes<How, 2, 3>(all, spans, lists, threads, how);
        default:
          return run_lanes<How, 3, 4>(all, spans, lists, threads, how);
      }
    });
  }

 private:
  /// Sorts rows that are long, but that one block of a large GPU holds. False if there are none.
  template <class Arrays>
  bool run_wide_rows(const Arrays& all, const fixed_segments& spans, const options& how, outcome& done) const {
    constexpr sort_policy policy = Policies.wide_rows;
    constexpr int items = policy.lane_bytes / sizes::word_bytes / (has_values ? 2 : 1);
    if constexpr (policy.block_size > 0 && items > 0 && has_cells<Arrays>) {
      using wide = sort_shape<policy.block_size, items, policy.digit_bits>;
      if (spans.length > wide::tile_items || first_bit != 0 || end_bit != Digits::bits) return false;
      const segment_list list{nullptr, nullptr, spans.count};
      done = run_blocks<wide, policy.blocks_per_multiprocessor>(all, spans, list, spans.count, how);
      return done.code != does_not_fit;
    } else {
      return false;
    }
  }

  template <class Arrays, class Go>
  outcome with_lane_sort(const Arrays&, const Go& go) const {
    if constexpr (has_sort_words<Arrays> && Bits == compared_bits::all) {
      return go.template operator()<lane_sort::words>();
    } else {
      if constexpr (has_sort_words<Arrays>) {
        if (first_bit == 0 && end_bit == Digits::bits) return go.template operator()<lane_sort::words>();
      }
      return go.template operator()<lane_sort::places>();
    }
  }

  /// Sorts all segments but the long ones, and notes these.
  template <lane_sort How, class Arrays, class Spans>
  outcome run_short(const Arrays& all, const Spans& spans, const segmented_sort_state& state, int passes,
                    const options& how) const {
    constexpr int blocks = Policies.some.blocks_per_multiprocessor;
    constexpr auto kernel = &segmented_sort_short_kernel<sizes, How, blocks, Arrays, Spans>;
    constexpr int shared_bytes = int(sizeof(segmented_sort_short_shared<sizes, Arrays>));
    const std::int64_t weight = n + spans.count * segment_weight;
    return detail::launch_resident<kernel, shared_bytes>(weight / least_block_weight + 1, some::block_size, how, all,
                                                         spans, state, passes, first_bit, end_bit);
  }
  /// Does so by lists of the segments of each class, and with a launch for each.
  template <lane_sort How, class Arrays, class Spans>
  outcome run_classes(const Arrays& all, const Spans& spans, const segmented_sort_state& state, int passes,
                      const options& how) const {
    outcome done = classify<How>(all, spans, state, passes, how);
    if (state.capacity[1] > 0 && !done.failed()) {
      typename sizes::lists lists;
      std::int64_t threads = 0;
      for (int c = 1; c < sizes::tiles; ++c) {
        lists.of[c] = state.list(c);
        threads += state.capacity[c] * sizes::tile(c).lanes;
      }
      done = run_lanes<How, 1, sizes::tiles>(all, spans, lists, threads, how);
    }
    for (int c = sizes::tiles; c < long_class && !done.failed() && state.capacity[c] > 0; ++c) {
      done = run_block_class(c, all, spans, state.list(c), state.capacity[c], how);
    }
    return done;
  }

  template <lane_sort How, class Arrays, class Spans>
  outcome classify(const Arrays& all, const Spans& spans, const segmented_sort_state& state, int passes,
                   const options& how) const {
    constexpr auto kernel = &segmented_sort_classify_kernel<sizes, How, Arrays, Spans>;
    constexpr int block_size = sizes::lanes_block_size, at_once = block_size / sizes::tile(0).lanes;
    return detail::launch_resident<kernel>((spans.count + at_once - 1) / at_once, block_size, how, all, spans, state,
                                           passes, first_bit, end_bit);
  }

  template <lane_sort How, int First, int End, class Arrays, class Spans>
  outcome run_lanes(const Arrays& all, const Spans& spans, const typename sizes::lists& lists, std::int64_t threads,
                    const options& how) const {
    constexpr auto kernel = &segmented_sort_lanes_kernel<sizes, First, End, How, Arrays, Spans>;
    constexpr int block_size = sizes::lanes_block_size;
    return detail::launch_resident<kernel>((threads + block_size - 1) / block_size, block_size, how, all, spans, lists,
                                           first_bit, end_bit);
  }

  template <class Arrays, class Spans>
  outcome run_block_class(int length_class, const Arrays& all, const Spans& spans, const segment_list& list,
                          std::int64_t most, const options& how) const {
    constexpr int few_blocks = Policies.few.blocks_per_multiprocessor;
    constexpr int some_blocks = Policies.some.blocks_per_multiprocessor;
    if (length_class == sizes::tiles) return run_blocks<few, few_blocks>(all, spans, list, most, how);
    return run_blocks<some, some_blocks>(all, spans, list, most, how);
  }
  template <class Shape, int BlocksPerMultiprocessor, class Arrays, class Spans>
  outcome run_blocks(const Arrays& all, const Spans& spans, const segment_list& list, std::int64_t most,
                     const options& how) const {
    constexpr auto kernel = &sort_block_kernel<Shape, BlocksPerMultiprocessor, Arrays, Spans>;
    constexpr int shared_bytes = int(sizeof(sort_block_shared<Shape, Arrays>));
    return detail::launch_resident<kernel, shared_bytes>(most, Shape::block_size, how, all, spans, list, first_bit,
                                                         end_bit);
  }
};

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
using segmented_sorter_of = segmented_sorter<tuned_segmented_sort_policies,
                                             decltype(detail::digits_of_sort<Key, Value>(std::declval<const Order&>())),
                                             Key, Value, Order::compared>;

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
