// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/digit_counts_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_long_kernel.cuh>
#include <gpuprim/device/sort/segmented_sort_sizes.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/scratch_lease.cuh>
#include <gpuprim/launch/workspace_lease.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Hands out parts of a memory one after the other, or, if there is none, says how many bytes there are to be.
struct memory_parts {
  char* memory = nullptr;
  std::int64_t used = 0;

  template <class T>
  constexpr void take(T*& to, std::int64_t count) {
    if (memory) to = reinterpret_cast<T*>(memory + used);  // a constant expression makes no pointers of memory
    used += (count * std::int64_t(sizeof(T)) + 255) / 256 * 256;
  }
};

/// A sort of segments that are moved together in passes over memory.
template <segmented_sort_policies Policies, class Digits, class Key, class Value>
struct long_segment_sorter {
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int value_bytes = has_values ? int(sizeof(Value)) : 0;
  using shape = typename segment_sizes<Policies, int(sizeof(Key)), value_bytes>::many;
  static constexpr int digit_bits = shape::digit_bits, digits = most_digits<Digits, digit_bits>;
  static constexpr int most_passes = digits + digits % 2;  ///< an even number, for sorts in place
  static_assert(Digits::bits <= most_sorted_bits, "gpuprim::segmented_sort, segmented_sort_pairs: a projection makes "
                                                  "numbers of at most 384 bits in all of a key");
  static constexpr std::int64_t zeroed_bytes = 64 + segment_classes * 8;
  using buffers = sort_buffers<Key, Value>;

  Digits order;
  int first_bit, end_bit;

  static constexpr void lay_out_zeroed(void* zeroed, segmented_sort_state& state) {
    if (!zeroed) return;
    state.arrived = static_cast<unsigned*>(zeroed);
    state.ticket = state.arrived + 8;
    state.counters = reinterpret_cast<unsigned long long*>(static_cast<char*>(zeroed) + 64);
  }
  /// Lays out what at most so many long segments of n keys take.
  static constexpr void lay_out(memory_parts& parts, std::int64_t n, std::int64_t segments, segmented_sort_state& state,
                                buffers& other) {
    state.most_segments = segments;
    state.most_tiles = segments == 0 ? 0 : n / shape::tile_items + segments;
    parts.take(state.tasks, state.most_tiles);
    parts.take(state.digit_counts, segments * most_passes * shape::bins);
    parts.take(state.done, segments);
    parts.take(state.look_back, state.most_tiles * shape::bins);
    parts.take(other.keys, segments == 0 ? 0 : n);
    parts.take(other.values, segments == 0 || !has_values ? 0 : n);
  }

  /// How often keys are moved. An odd number of passes ends in the output if it begins with the output; if the input is
  /// there, one pass more moves the keys.
  template <class KeysIn, class ValuesIn>
  int count_passes(const KeysIn& keys, const ValuesIn& values, const buffers& out) const {
    const int passes = end_bit > first_bit ? (end_bit - first_bit + digit_bits - 1) / digit_bits : 1;
    bool is_in_place = false;
    if constexpr (std::is_same_v<KeysIn, const Key*>) is_in_place |= keys == out.keys;
    if constexpr (std::is_same_v<ValuesIn, const Value*>) is_in_place |= values == out.values;
    return is_in_place ? passes + passes % 2 : passes;
  }

  /// Notes segments of one length.
  static outcome note_rows(const spans_of_length& spans, const segmented_sort_state& state, int passes,
                           cudaStream_t stream) {
    constexpr auto kernel = &segmented_sort_rows_kernel<shape>;
    const auto found = detail::find_shape<kernel>(spans.count, shape::block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, spans, state, passes)};
  }

  /// Sorts the segments that have been noted. Place: an unsigned type that a place in any of them fits.
  template <class Place, class Arrays>
  outcome run(const Arrays& all, const segmented_sort_state& state, const buffers& out, const buffers& other,
              int passes, cudaStream_t stream) const {
    using plan_type = long_sort_plan<Key, Value, Place>;
    constexpr int blocks = Policies.many.blocks_per_multiprocessor;
    constexpr auto kernel = &segmented_sort_long_kernel<shape, most_passes, blocks, Arrays, plan_type>;
    constexpr int shared_bytes = int(sizeof(segmented_sort_long_shared<shape, most_passes, Arrays, Place>));
    const auto found = detail::find_shape<kernel, 0, shared_bytes>(state.most_tiles, shape::block_size);
    if (found.error != cudaSuccess) return {found.error};
    const plan_type plan{out, other, passes, first_bit, end_bit};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, state, plan)};
  }

  /// What `sort_rows` of n keys takes.
  static constexpr workspace_size find_rows_size(std::int64_t n, std::int64_t rows) {
    memory_parts parts;
    segmented_sort_state state{};
    buffers other{};
    lay_out(parts, n, rows, state, other);
    return {zeroed_bytes, parts.used};
  }

  /// Sorts rows in place, however short they are.
  outcome sort_rows(const spans_of_length& rows, Key* keys, const options& how) const {
    static_assert(!has_values);
    const std::int64_t n = rows.length * rows.count;
    workspace_lease zeroed(zeroed_bytes, how);
    if (zeroed.error()) return zeroed.refusal();
    scratch_lease scratch(find_rows_size(n, rows.count).scratch_bytes, how);
    if (scratch.error()) {
      (void)zeroed.finish(cudaSuccess);
      return scratch.refusal();
    }
    segmented_sort_state state{};
    const buffers out{keys, nullptr};
    buffers other{};
    memory_parts parts{static_cast<char*>(scratch.data())};
    lay_out_zeroed(zeroed.data(), state);
    lay_out(parts, n, rows.count, state, other);
    const Key* const from = keys;
    const int passes = count_passes(from, no_values{}, out);
    outcome done = note_rows(rows, state, passes, how.stream);
    if (!done.failed()) {
      const sort_arrays<Digits, const Key*, no_values, Key, Value> all{order, from, {}, keys, nullptr, 0, n};
      done = run<std::uint32_t>(all, state, out, other, passes, how.stream);
    }
    const outcome freed = scratch.finish(done.code), also_freed = zeroed.finish(freed.code);
    return done.failed() ? done : also_freed;
  }
};

}  // namespace gpuprim::detail
