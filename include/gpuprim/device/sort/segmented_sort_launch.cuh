// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/segmented_sort_block_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_classify_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_pass_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_tasks_kernel.cuh>
#include <gpuprim/device/sort/sort_launch.cuh>
#include <gpuprim/policy/segmented_sort_policy.hpp>

namespace gpuprim::inline v0_1_0::detail {

/// The lengths of segments that each class sorts, for keys and values of a size.
template <segmented_sort_policies Policies, int KeyBytes, int ValueBytes>
struct segment_sizes {
  static constexpr int tiles = 4, lanes_block_size = Policies.tiles_block_size;
  static constexpr int item_bytes = KeyBytes > ValueBytes ? KeyBytes : ValueBytes;
  static constexpr int word_bytes = item_bytes > 4 ? item_bytes : 4;  // shorter keys do not make tiles longer

  /// A block with room in shared memory for its counts, keys, and their places.
  template <sort_policy Policy>
  struct block {
    static constexpr int items = Policy.lane_bytes > word_bytes ? Policy.lane_bytes / word_bytes : 1;
    static constexpr int bins = 1 << Policy.digit_bits;
    static constexpr int bytes(int size) { return size * items * (KeyBytes + 2) + size / warp_size * bins * 4; }
    static constexpr int find_block_size() {
      int size = Policy.block_size;
      while (size > bins && size > warp_size && bytes(size) > most_sort_bytes) size -= warp_size;
      return size;
    }
    using shape = sort_shape<find_block_size(), items, Policy.digit_bits>;
  };
  using few = typename block<Policies.few>::shape;
  using some = typename block<Policies.some>::shape;
  using many = typename radix_tile<Policies.many, word_bytes>::shape;
  using counting = typename radix_tile<Policies.counts, word_bytes>::shape;
  static_assert(counting::digit_bits == many::digit_bits);

  struct lists {
    segment_list of[tiles];
  };

  GPUPRIM_HOST_DEVICE static constexpr segment_tile_policy tile(int length_class) {
    segment_tile_policy found = length_class == 0   ? Policies.tiny
                                : length_class == 1 ? Policies.narrow
                                : length_class == 2 ? Policies.middle
                                                    : Policies.wide;
    if (item_bytes > 8) found.items = found.items * 8 > item_bytes ? found.items * 8 / item_bytes : 1;
    return found;
  }
  /// The most keys of a segment of a class or of one before it.
  GPUPRIM_HOST_DEVICE static constexpr int most(int length_class) {
    int found = 0;
    for (int c = 0; c <= length_class; ++c) {
      const int own = c < tiles ? tile(c).lanes * tile(c).items : c == tiles ? few::tile_items : some::tile_items;
      if (own > found) found = own;
    }
    return found;
  }
  GPUPRIM_HOST_DEVICE static constexpr int find(std::int64_t length) {
    int found = 0;
    while (found < long_class && length > most(found)) ++found;
    return found;
  }
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_tiles(std::int64_t length) {
    return (length + many::tile_items - 1) / many::tile_items;
  }
  /// How many segments a class can have.
  static constexpr std::int64_t capacity(int length_class, std::int64_t n, std::int64_t segments) {
    const std::int64_t fit = length_class == 0 ? 0 : n / (most(length_class - 1) + 1);
    return fit < segments ? fit : segments;
  }
};

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
    state.arrived = static_cast<unsigned*>(zeroed);
    state.counters = zeroed ? reinterpret_cast<unsigned long long*>(static_cast<char*>(zeroed) + 64) : nullptr;
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
    using Arrays = arrays<KeysIn, ValuesIn>;
    using Spans = spans_by_offsets<Offsets>;
    const Arrays all{order, keys, values, out.keys, out.values, 0, n};
    constexpr auto kernel = &segmented_sort_classify_kernel<sizes, Arrays, Spans>;
    constexpr int block_size = sizes::lanes_block_size;
    const auto found = detail::find_shape<kernel>((spans.count + block_size - 1) / block_size, block_size);
    if (found.error != cudaSuccess) return {found.error};
    outcome done{gpuprim::launch(found.when, kernel, found.grid, stream, all, spans, state, first_bit, end_bit)};
    if (!done.failed() && state.capacity[1] > 0) {
      typename sizes::lists lists;
      std::int64_t threads = 0;
      for (int c = 1; c < sizes::tiles; ++c) {
        lists.of[c] = state.list(c);
        threads += state.capacity[c] * sizes::tile(c).lanes;
      }
      done = run_lanes<1, sizes::tiles>(all, spans, lists, threads, stream);
    }
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
    switch (length_class) {
      case 0: return run_lanes<0, 1>(all, spans, lists, threads, stream);
      case 1: return run_lanes<1, 2>(all, spans, lists, threads, stream);
      case 2: return run_lanes<2, 3>(all, spans, lists, threads, stream);
      default: return run_lanes<3, 4>(all, spans, lists, threads, stream);
    }
  }

 private:
  template <int First, int End, class Arrays, class Spans>
  outcome run_lanes(const Arrays& all, const Spans& spans, const typename sizes::lists& lists, std::int64_t threads,
                    cudaStream_t stream) const {
    constexpr auto kernel = &segmented_sort_lanes_kernel<sizes, First, End, Arrays, Spans>;
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
    for (int pass = 0; pass < passes && !done.failed(); ++pass) {
      const bool to_out = (passes - pass) % 2 == 1;
      const buffers& to = to_out ? out : other;
      const buffers& from = to_out ? other : out;
      if (pass == 0) done = run_pass(keys, values, to, pass, passes, state, stream);
      else if constexpr (has_values) {
        done = run_pass<const Key*, const Value*>(from.keys, from.values, to, pass, passes, state, stream);
      } else {
        done = run_pass<const Key*>(from.keys, no_values{}, to, pass, passes, state, stream);
      }
    }
    return done;
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
