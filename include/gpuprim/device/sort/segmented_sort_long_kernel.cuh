// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/segmented_sort_steps.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// How a sort of long segments is done: keys go from the input to `out` or `other`, and then from one to the other, so
/// that the last pass writes to `out`. Place: an unsigned type that a place in a segment fits.
template <class Key, class Value, class Place>
struct long_sort_plan {
  using key = Key;
  using value = Value;
  using place = Place;
  sort_buffers<Key, Value> out, other;
  int passes, first_bit, end_bit;
};

/// Notes segments of one length, all of which are long.
template <class Shape>
__global__ void __launch_bounds__(Shape::block_size)
    segmented_sort_rows_kernel(spans_of_length spans, segmented_sort_state state, int passes) {
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
  unsigned ticket;
};

/// Sorts the long segments, whose tiles have been noted. Blocks take tickets: first for shares of the tiles whose
/// digits they count, and then for each tile in each pass. A tile waits until all tiles of its segment have done the
/// step before; those have been taken by blocks that run, whether or not all blocks are resident. The last block clears
/// what the next sort counts.
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
  const unsigned shares = tiles < gridDim.x ? tiles : gridDim.x, tickets = shares + tiles * unsigned(plan.passes);
  const auto take = [&] {
    if (rank != 0) return;
    const unsigned taken = ptx::count_one_relaxed(state.ticket);
    shared.ticket = taken;
    if (taken >= shares && taken < tickets) shared.task = state.tasks[(taken - shares) % tiles];
  };
  take();
  for (;;) {
    block.sync();
    const unsigned ticket = shared.ticket;
    if (ticket >= tickets) break;
    if (ticket < shares) {
      const std::int64_t begin = std::int64_t(tiles) * ticket / shares;
      const std::int64_t end = std::int64_t(tiles) * (ticket + 1) / shares;
      detail::count_segment_digits<Shape>(shared.counts, input, state, begin, end, plan.passes, plan.first_bit,
                                          plan.end_bit);
      take();
      continue;
    }
    const int pass = int((ticket - shares) / tiles);
    const sort_task task = shared.task;
    if (rank == 0 && task.tiles > 0) {
      while (ptx::load_acquire(&state.done[task.slot]) < unsigned(pass + 1) * unsigned(task.tiles)) {}
    }
    block.sync();
    const auto sort_tile = [&](const auto& arrays) {
      const digit_place at = detail::place_of_digit<Shape::digit_bits>(pass, plan.first_bit, plan.end_bit);
      const std::int64_t tile = (ticket - shares) % tiles;
      detail::sort_segment_tile<Shape>(shared.tile, arrays, state, task, tile, at, pass, plan.passes, take);
    };
    const bool to_out = (plan.passes - pass) % 2 == 1;
    const auto& to = to_out ? plan.out : plan.other;
    const auto& from = to_out ? plan.other : plan.out;
    moved_arrays moved{input.digits, from.keys, {}, to.keys, to.values, 0, input.n};
    if constexpr (Arrays::has_values) moved.values = from.values;
    if (task.tiles == 0) {
      take();
    } else if constexpr (std::is_same_v<Arrays, moved_arrays>) {
      if (pass == 0) {
        moved.keys = input.keys;
        moved.values = input.values;
      }
      sort_tile(moved);
    } else if (pass == 0) {
      sort_tile(Arrays{input.digits, input.keys, input.values, to.keys, to.values, 0, input.n});
    } else {
      sort_tile(moved);
    }
    block.sync();
    if (rank == 0 && task.tiles > 0) ptx::add_release(&state.done[task.slot], 1);
  }
  if (rank == 0 && ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1) {
    *state.ticket = 0;
    state.counters[long_class] = 0;
  }
}

}  // namespace gpuprim::detail
