// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/segmented_sort/steps.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>

#include <algorithm>

namespace gpuprim::inline v0_2_0::detail {

/// How a sort of long segments is done: keys go from the input to `out` or `other`, and then from one to the other, so
/// that the last pass which moves them writes to `out`. Place: an unsigned type that a place in a segment fits.
template <class Key, class Value, class Place>
struct long_sort_plan {
  using key = Key;
  using value = Value;
  using place = Place;
  sort_buffers<Key, Value> out, other;
  int passes, first_bit, end_bit;
  bool is_in_place;
};

/// Notes segments of one length, all of which are long.
template <class Shape>
__global__ void __launch_bounds__(Shape::block_size)
    segmented_sort_rows_kernel(fixed_segments spans, segmented_sort_state state, int passes) {
  GPUPRIM_SHARED(row, long_segment);
  const this_block block;
  ptx::begin_kernel();
  for (std::int64_t i = blockIdx.x; i < spans.count; i += gridDim.x) {
    const segment_span span = spans(i);
    if (block.thread_rank() == 0) row = {span, state.reserve((span.length - 1) / Shape::tile_items + 1)};
    block.sync();
    state.template note<Shape>(row, passes);
    block.sync();
  }
}

template <class Shape, int MostPasses, class Arrays, class Place>
struct segmented_sort_long_shared {
  union {
    sort_tile_shared<Shape, typename Arrays::stored, typename Arrays::value_type, Place> tile;
    digit_counts_shared<MostPasses, Shape::bins> counts;
  };
  sort_task task;
  std::uint64_t moves, all_moves;  ///< of the segment, and of any
  unsigned ticket;
};

/// Sorts the long segments, whose tiles have been noted. Blocks take tickets: first for shares of the tiles whose
/// digits they count, and then for each tile in each pass. A tile waits until all shares are counted, and all tiles of
/// its segment have done the pass before; those have been taken by blocks that run, whether or not all blocks are
/// resident. The last block clears what the next sort counts.
template <class Shape, int MostPasses, int BlocksPerMultiprocessor, class Arrays, class Plan>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    segmented_sort_long_kernel(Arrays input, segmented_sort_state state, Plan plan) {
  using key = typename Plan::key;
  using value = typename Plan::value;
  using moved_values = std::conditional_t<Arrays::has_values, const value*, no_values>;
  using moved_arrays = sort_arrays<typename Arrays::digits_type, const key*, moved_values, key, value>;
  auto& shared = *dynamic_shared<segmented_sort_long_shared<Shape, MostPasses, Arrays, typename Plan::place>>();
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::begin_kernel();
  const auto tiles = unsigned(state.count_tiles());
  if (tiles == 0) return;
  const unsigned shares = tiles < gridDim.x ? tiles : gridDim.x, most_tickets = shares + tiles * unsigned(plan.passes);
  const look_back_turns turns(state.sorted, state.most_slots, tiles);
  const auto take = [&] {
    if (rank != 0) return;
    const unsigned taken = ptx::count_one_relaxed(state.ticket);
    shared.ticket = taken;
    if (taken >= shares && taken < most_tickets) shared.task = state.tasks[(taken - shares) % tiles];
  };
  bool are_counted = false;
  take();
  for (;;) {
    block.sync();
    const unsigned ticket = shared.ticket;
    if (ticket >= most_tickets) break;
    if (ticket < shares) {
      const auto share_of = [&](unsigned all, unsigned share) { return std::int64_t(all) * share / shares; };
      const std::int64_t begin = share_of(tiles, ticket), end = share_of(tiles, ticket + 1);
      const std::int64_t words_end = share_of(turns.slot_count, ticket + 1) * Shape::bins;
      for (std::int64_t i = share_of(turns.slot_count, ticket) * Shape::bins + rank; i < words_end;
           i += Shape::block_size) {
        state.look_back[i] = 0;
      }
      detail::count_segment_digits<Shape>(shared.counts, input, state, begin, end, plan.passes, plan.first_bit,
                                          plan.end_bit, plan.is_in_place);
      if (rank == 0) ptx::add_release(state.counted, 1);
      take();
      continue;
    }
    const unsigned taken = ticket - shares, round = taken / tiles;
    const sort_task task = shared.task;
    if (rank == 0) {
      if (!are_counted) {
        while (ptx::load_acquire(state.counted) < shares) {
        }
        shared.all_moves = ptx::load_relaxed(state.all_moves);
        are_counted = true;
      }
      shared.moves = 0;
      if (detail::find_bit(shared.all_moves, round) >= 0) {
        turns.wait(taken);
        while (task.tiles > 0) {
          const std::uint64_t moves = ptx::load_relaxed(&state.moves[task.slot]);
          const unsigned done = ptx::load_acquire(&state.done[task.slot]);
          shared.moves = moves - state.are_known;
          if (moves != 0 && done >= (round + 1) * unsigned(task.tiles)) break;
        }
      }
    }
    block.sync();
    const int pass = detail::find_bit(shared.all_moves, round);
    if (pass < 0) break;  // no keys are moved once more
    const auto sort_tile = [&](const auto& arrays) {
      const digit_place at = detail::place_of_digit<Shape::digit_bits>(pass, plan.first_bit, plan.end_bit);
      const segment_look_back<Shape::bins> look_back(state.look_back, turns.slot_count, taken);
      detail::sort_segment_tile<Shape>(shared.tile, arrays, state, task, look_back, at, pass, plan.passes, take);
    };
    const std::uint64_t moves = shared.moves, left = moves >> pass;
    const bool is_moved = (left & 1) != 0, is_first = left << pass == moves, to_out = __popcll(left) % 2 == 1;
    const auto& to = to_out ? plan.out : plan.other;
    const auto& from = to_out ? plan.other : plan.out;
    moved_arrays moved{input.digits, from.keys, {}, to.keys, to.values, 0, input.n};
    if constexpr (Arrays::has_values) moved.values = from.values;
    if (!is_moved) {
      take();
    } else if constexpr (std::is_same_v<Arrays, moved_arrays>) {
      if (is_first) {
        moved.keys = input.keys;
        moved.values = input.values;
      }
      sort_tile(moved);
    } else if (is_first) {
      sort_tile(Arrays{input.digits, input.keys, input.values, to.keys, to.values, 0, input.n});
    } else {
      sort_tile(moved);
    }
    block.sync();
    if (rank > 0) continue;
    turns.finish(taken);
    if (task.tiles > 0) ptx::add_release(&state.done[task.slot], 1);
  }
  if (rank == 0 && ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1) {
    *state.ticket = *state.counted = 0;
    *state.all_moves = 0;
    for (int i = 0; i < look_back_turns::counters; ++i) state.sorted[i] = 0;
    state.counters[long_class] = 0;
  }
}

/// Launches a kernel that has work for so many blocks, as many as are resident at once.
template <auto Kernel, int SharedBytes = 0, class... Arguments>
outcome launch_resident(std::int64_t blocks, int block_size, const options& how, const Arguments&... arguments) {
  const found_shape found = detail::find_shape<Kernel, 0, SharedBytes>(blocks, block_size);
  if (found.error != cudaSuccess) return {found.error};
  return {gpuprim::launch(found.when, Kernel, found.grid, how, arguments...)};
}

/// A sort of segments that are moved together in passes over memory.
template <segmented_sort_policies Policies, class Digits, class Key, class Value>
struct long_segment_sorter {
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int value_bytes = has_values ? int(sizeof(Value)) : 0;
  using shape = typename segment_sizes<Policies, int(sizeof(Key)), value_bytes>::many;
  using state_type = segmented_sort_state;
  static constexpr int digit_bits = shape::digit_bits, digits = most_digits<Digits, digit_bits>;
  static constexpr int most_passes = digits + digits % 2;  ///< an even number, for sorts in place
  static_assert(Digits::bits <= most_sorted_bits,
                "gpuprim::segmented_sort, segmented_sort_pairs: a projection makes "
                "numbers of at most 384 bits in all of a key");
  static constexpr std::int64_t zeroed_bytes = 96 + segment_classes * 8;
  static constexpr std::int64_t most_row_items = most_segment_items;
  using buffers = sort_buffers<Key, Value>;

  Digits order;
  int first_bit, end_bit;

  static constexpr void lay_out_zeroed(void* zeroed, segmented_sort_state& state) {
    if (!zeroed) return;
    state.arrived = static_cast<unsigned*>(zeroed);
    state.counted = state.arrived + 4;
    state.ticket = state.arrived + 8;
    state.all_moves = reinterpret_cast<unsigned long long*>(state.arrived + 12);
    state.sorted = state.arrived + 16;
    state.counters = reinterpret_cast<unsigned long long*>(static_cast<char*>(zeroed) + 96);
  }
  /// Lays out what the launches tell each other of at most so many long segments of n keys.
  static constexpr void lay_out_lists(memory_parts& parts, std::int64_t n, std::int64_t segments,
                                      segmented_sort_state& state) {
    state.most_segments = segments;
    state.most_tiles = segments == 0 ? 0 : n / shape::tile_items + segments;
    parts.take(state.tasks, state.most_tiles);
    parts.take(state.digit_counts, segments * most_passes * shape::bins);
    parts.take(state.done, segments);
    parts.take(state.moves, segments);
    static_assert(Policies.look_back_tiles > 0 && Policies.look_back_tiles % look_back_turns::parts == 0);
    state.most_slots = unsigned((std::min)(state.most_tiles, std::int64_t{Policies.look_back_tiles}));
    parts.take(state.look_back, std::int64_t(state.most_slots) * shape::bins);
  }
  /// And their other buffers.
  static constexpr void lay_out(memory_parts& parts, std::int64_t n, std::int64_t segments, segmented_sort_state& state,
                                buffers& other) {
    lay_out_lists(parts, n, segments, state);
    parts.take(other.keys, segments == 0 ? 0 : n);
    parts.take(other.values, segments == 0 || !has_values ? 0 : n);
  }

  /// How often keys are moved. An odd number of passes ends in the output if it begins with the output; if the input is
  /// there, one pass more moves the keys.
  template <class KeysIn, class ValuesIn>
  int count_passes(const KeysIn& keys, const ValuesIn& values, const buffers& out) const {
    const int passes = end_bit > first_bit ? (end_bit - first_bit + digit_bits - 1) / digit_bits : 1;
    return is_in_place(keys, values, out) ? passes + passes % 2 : passes;
  }
  template <class KeysIn, class ValuesIn>
  static bool is_in_place(const KeysIn& keys, const ValuesIn& values, const buffers& out) {
    bool is = false;
    if constexpr (std::is_same_v<KeysIn, const Key*>) is |= keys == out.keys;
    if constexpr (std::is_same_v<ValuesIn, const Value*>) is |= values == out.values;
    return is;
  }

  /// Notes segments of one length.
  static outcome note_rows(const fixed_segments& spans, const segmented_sort_state& state, int passes,
                           const options& how) {
    constexpr auto kernel = &segmented_sort_rows_kernel<shape>;
    return detail::launch_resident<kernel>(spans.count, shape::block_size, how, spans, state, passes);
  }

  /// Sorts the segments that have been noted. Place: an unsigned type that a place in any of them fits.
  template <class Place, class Arrays>
  outcome run(const Arrays& all, const segmented_sort_state& state, const buffers& out, const buffers& other,
              int passes, const options& how) const {
    using plan_type = long_sort_plan<Key, Value, Place>;
    constexpr int blocks = Policies.many.blocks_per_multiprocessor;
    constexpr auto kernel = &segmented_sort_long_kernel<shape, most_passes, blocks, Arrays, plan_type>;
    constexpr int shared_bytes = int(sizeof(segmented_sort_long_shared<shape, most_passes, Arrays, Place>));
    const auto found = detail::find_shape<kernel, 0, shared_bytes>(state.most_tiles, shape::block_size);
    const plan_type plan{out, other, passes, first_bit, end_bit, is_in_place(all.keys, all.values, out)};
    constexpr int thread_bytes = shape::items * int(sizeof(Key));
    return detail::launch_main(found, kernel, thread_bytes, how, all, state, plan);
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
  outcome sort_rows(const fixed_segments& rows, Key* keys, const options& how) const {
    static_assert(!has_values);
    const std::int64_t n = rows.length * rows.count;
    memory_lease lease(find_rows_size(n, rows.count), how);
    if (lease.error()) return lease.refusal();
    segmented_sort_state state{};
    const buffers out{keys, nullptr};
    buffers other{};
    memory_parts parts{lease.scratch()};
    lay_out_zeroed(lease.zeroed(), state);
    lay_out(parts, n, rows.count, state, other);
    const Key* const from = keys;
    const int passes = count_passes(from, no_values{}, out);
    const outcome noted = note_rows(rows, state, passes, how);
    if (noted.failed()) return lease.finish(noted);
    const sort_arrays<Digits, const Key*, no_values, Key, Value> all{order, from, {}, keys, nullptr, 0, n};
    return lease.finish(run<std::uint32_t>(all, state, out, other, passes, how));
  }
};

/// Sorts rows of keys that no block holds, in place.
template <class Digits, class Key>
using row_sorter = long_segment_sorter<tuned_segmented_sort_policies, Digits, Key, no_values>;

}  // namespace gpuprim::detail
