// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/digit_counts_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_block_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_classify_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_pass_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_sizes.cuh>
#include <gpuprim/device/sort/segmented_sort_tasks_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/workspace.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// A sort of segments with `n` keys in all by their bits from `first_bit` to `end_bit`.
template <segmented_sort_policies Policies, class Digits, class Key, class Value>
struct segmented_sorter {
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int value_bytes = has_values ? int(sizeof(Value)) : 0;
  using sizes = segment_sizes<Policies, int(sizeof(Key)), value_bytes>;
  using few = typename sizes::few;
  using some = typename sizes::some;
  using many = typename sizes::many;
  using counting = typename sizes::counting;
  static constexpr int digit_bits = many::digit_bits, digits = most_digits<Digits, digit_bits>;
  static constexpr int most_passes = digits + digits % 2;  ///< an even number, for sorts in place
  using buffers = sort_buffers<Key, Value>;
  template <class KeysIn, class ValuesIn>
  using arrays = sort_arrays<Digits, KeysIn, ValuesIn, Key, Value>;

  Digits order;
  std::int64_t n;
  int first_bit, end_bit;

  /// Lays the memory of a call out, and returns its size.
  static constexpr workspace_size lay_out(std::int64_t n, std::int64_t segments, void* zeroed, char* scratch,
                                          segmented_sort_state& state, buffers& other) {
    auto take = [&, used = std::int64_t(0)]<class T>(T*& to, std::int64_t count) mutable {
      if (scratch) to = reinterpret_cast<T*>(scratch + used);
      return used += (count * std::int64_t(sizeof(T)) + 255) / 256 * 256;
    };
    if (zeroed) {  // a constant expression makes no pointers of memory
      state.arrived = static_cast<unsigned*>(zeroed);
      state.counters = reinterpret_cast<unsigned long long*>(static_cast<char*>(zeroed) + 64);
    }
    take(state.totals, segment_classes + 1);
    for (int c = 1; c < long_class; ++c) take(state.numbers[c], state.capacity[c] = sizes::capacity(c, n, segments));
    const std::int64_t longs = state.most_segments = sizes::capacity(long_class, n, segments);
    state.most_tiles = longs == 0 ? 0 : n / many::tile_items + longs;
    take(state.segments, longs);
    take(state.tasks, state.most_tiles);
    take(state.digit_counts, longs * most_passes * many::bins);
    take(state.look_back, state.most_tiles * many::bins);
    take(state.tickets, most_passes);
    take(other.keys, longs == 0 ? 0 : n);
    return {64 + segment_classes * 8, take(other.values, longs == 0 || !has_values ? 0 : n)};
  }
  static constexpr workspace_size find_workspace_size(std::int64_t n, std::int64_t segments) {
    if (n <= 0 || segments <= 0) return {};
    segmented_sort_state state{};
    buffers other{};
    return lay_out(n, segments, nullptr, nullptr, state, other);
  }

  /// Sorts segments that lie anywhere.
  template <class Offsets, class KeysIn, class ValuesIn>
  outcome run(const spans_by_offsets<Offsets>& spans, const KeysIn& keys, const ValuesIn& values, const buffers& out,
              const segmented_sort_state& state, const buffers& other, cudaStream_t stream) const {
    const arrays<KeysIn, ValuesIn> all{order, keys, values, out.keys, out.values, 0, n};
    outcome done = with_lane_sort(all, [&]<lane_sort How>() {
      const outcome listed = classify<How>(all, spans, state, stream);
      if (listed.failed() || state.capacity[1] == 0) return listed;
      typename sizes::lists lists;
      std::int64_t threads = 0;
      for (int c = 1; c < sizes::tiles; ++c) {
        lists.of[c] = state.list(c);
        threads += state.capacity[c] * sizes::tile(c).lanes;
      }
      return run_lanes<How, 1, sizes::tiles>(all, spans, lists, threads, stream);
    });
    for (int c = sizes::tiles; c <= long_class && !done.failed(); ++c) {
      if (sizes::capacity(c, n, spans.count) == 0) continue;
      if (c == long_class) done = run_long(spans, keys, values, out, state, other, stream);
      else done = run_block_class(c, all, spans, state.list(c), state.capacity[c], stream);
    }
    return done;
  }

  /// Sorts segments of one length.
  template <class KeysIn, class ValuesIn>
  outcome run(const spans_of_length& spans, const KeysIn& keys, const ValuesIn& values, const buffers& out,
              const segmented_sort_state& state, const buffers& other, cudaStream_t stream) const {
    const int length_class = sizes::find(spans.length);
    if (length_class == long_class) return run_long(spans, keys, values, out, state, other, stream);
    const arrays<KeysIn, ValuesIn> all{order, keys, values, out.keys, out.values, 0, n};
    const segment_list list{nullptr, nullptr, spans.count};
    if (length_class >= sizes::tiles) return run_block_class(length_class, all, spans, list, spans.count, stream);
    typename sizes::lists lists;
    lists.of[length_class] = list;
    const std::int64_t threads = spans.count * sizes::tile(length_class).lanes;
    return with_lane_sort(all, [&]<lane_sort How>() {
      switch (length_class) {
        case 0: return run_lanes<How, 0, 1>(all, spans, lists, threads, stream);
        case 1: return run_lanes<How, 1, 2>(all, spans, lists, threads, stream);
        case 2: return run_lanes<How, 2, 3>(all, spans, lists, threads, stream);
        default: return run_lanes<How, 3, 4>(all, spans, lists, threads, stream);
      }
    });
  }

 private:
  template <class Arrays, class Go>
  outcome with_lane_sort(const Arrays&, const Go& go) const {
    if constexpr (has_sort_words<Arrays>) {
      if (first_bit == 0 && end_bit == Digits::bits) return go.template operator()<lane_sort::words>();
    }
    return go.template operator()<lane_sort::places>();
  }

  template <lane_sort How, class Arrays, class Spans>
  outcome classify(const Arrays& all, const Spans& spans, const segmented_sort_state& state,
                   cudaStream_t stream) const {
    constexpr auto kernel = &segmented_sort_classify_kernel<sizes, How, Arrays, Spans>;
    constexpr int block_size = sizes::lanes_block_size;
    const auto found = detail::find_shape<kernel>((spans.count + block_size - 1) / block_size, block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, spans, state, first_bit, end_bit)};
  }

  template <lane_sort How, int First, int End, class Arrays, class Spans>
  outcome run_lanes(const Arrays& all, const Spans& spans, const typename sizes::lists& lists, std::int64_t threads,
                    cudaStream_t stream) const {
    constexpr auto kernel = &segmented_sort_lanes_kernel<sizes, First, End, How, Arrays, Spans>;
    constexpr int block_size = sizes::lanes_block_size;
    const auto found = detail::find_shape<kernel>((threads + block_size - 1) / block_size, block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, spans, lists, first_bit, end_bit)};
  }

  template <class Arrays, class Spans>
  outcome run_block_class(int length_class, const Arrays& all, const Spans& spans, const segment_list& list,
                          std::int64_t most, cudaStream_t stream) const {
    constexpr int few_blocks = Policies.few.blocks_per_multiprocessor;
    constexpr int some_blocks = Policies.some.blocks_per_multiprocessor;
    if (length_class == sizes::tiles) return run_blocks<few, few_blocks>(all, spans, list, most, stream);
    return run_blocks<some, some_blocks>(all, spans, list, most, stream);
  }
  template <class Shape, int BlocksPerMultiprocessor, class Arrays, class Spans>
  outcome run_blocks(const Arrays& all, const Spans& spans, const segment_list& list, std::int64_t most,
                     cudaStream_t stream) const {
    constexpr auto kernel = &segmented_sort_block_kernel<Shape, BlocksPerMultiprocessor, Arrays, Spans>;
    constexpr int shared_bytes = int(sizeof(segmented_sort_block_shared<Shape, Arrays>));
    const auto found = detail::find_shape<kernel, 0, shared_bytes>(most, Shape::block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, spans, list, first_bit, end_bit)};
  }

  /// Sorts the long segments. An odd number of passes ends in the output if it begins with the output; if the input
  /// is there, one pass more moves the keys.
  template <class Spans, class KeysIn, class ValuesIn>
  outcome run_long(const Spans& spans, const KeysIn& keys, const ValuesIn& values, const buffers& out,
                   const segmented_sort_state& state, const buffers& other, cudaStream_t stream) const {
    int passes = end_bit > first_bit ? (end_bit - first_bit + digit_bits - 1) / digit_bits : 1;
    bool is_in_place = false;
    if constexpr (std::is_same_v<KeysIn, const Key*>) is_in_place |= keys == out.keys;
    if constexpr (std::is_same_v<ValuesIn, const Value*>) is_in_place |= values == out.values;
    if (is_in_place) passes += passes % 2;
    outcome done = find_tasks(spans, state, passes, stream);
    if (!done.failed()) done = count_digits<KeysIn>(keys, state, passes, stream);
    const auto go = [&](const auto& from, const auto& beside, const buffers& to, int pass) {
      return run_pass(from, beside, to, pass, passes, state, stream);
    };
    return done.failed() ? done : detail::pass_alternately(keys, values, passes, out, other, go);
  }

  template <class Spans>
  outcome find_tasks(const Spans& spans, const segmented_sort_state& state, int passes, cudaStream_t stream) const {
    constexpr auto kernel = &segmented_sort_tasks_kernel<many, Spans>;
    const auto found = detail::find_shape<kernel>(state.most_tiles, many::block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, spans, state, passes)};
  }

  template <class KeysIn>
  outcome count_digits(const KeysIn& keys, const segmented_sort_state& state, int passes, cudaStream_t stream) const {
    using Arrays = arrays<KeysIn, no_values>;
    constexpr auto kernel = &segmented_digit_counts_kernel<counting, most_passes, Arrays>;
    constexpr int blocks = Policies.counts.blocks_per_multiprocessor;
    const auto found = detail::find_shape<kernel, blocks>(state.most_tiles, counting::block_size);
    if (found.error != cudaSuccess) return {found.error};
    const Arrays all{order, keys, {}, nullptr, nullptr, 0, n};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, state, passes, first_bit, end_bit)};
  }

  template <class KeysIn, class ValuesIn>
  outcome run_pass(const KeysIn& keys, const ValuesIn& values, const buffers& to, int pass, int passes,
                   const segmented_sort_state& state, cudaStream_t stream) const {
    using Arrays = arrays<KeysIn, ValuesIn>;
    constexpr auto kernel = &segmented_sort_pass_kernel<many, Policies.many.blocks_per_multiprocessor, Arrays>;
    constexpr int shared_bytes = int(sizeof(segmented_sort_pass_shared<many, Arrays>));
    const auto found = detail::find_shape<kernel, 0, shared_bytes>(state.most_tiles, many::block_size);
    if (found.error != cudaSuccess) return {found.error};
    const Arrays all{order, keys, values, to.keys, to.values, 0, n};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, state,
                            detail::place_of_digit<digit_bits>(pass, first_bit, end_bit), pass, passes)};
  }
};

}  // namespace gpuprim::detail
