// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/sort/segmented_sort_state.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/grid/segment_look_back.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Shape, class Arrays>
struct segmented_sort_pass_shared {
  typename radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>::storage counts;
  union {
    shared_array<typename Arrays::stored, Shape::tile_items> keys;
    shared_array<typename Arrays::value_type, Shape::tile_items> values;  ///< once the keys are written
  };
  unsigned begins[Shape::bins];  ///< where a digit's keys go in the segment, less where they begin in the tile
  unsigned tile;
};

/// Sorts the long segments by one digit: a block takes tile after tile, ranks the keys by their digit, moves them
/// together in shared memory, and writes the keys of each digit behind those of the tiles before it in the segment.
template <class Shape, int BlocksPerMultiprocessor, class Arrays>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    segmented_sort_pass_kernel(Arrays arrays, segmented_sort_state state, digit_place at, int pass, int passes) {
  constexpr int items = Shape::items, block_size = Shape::block_size, bins = Shape::bins;
  using ranks = radix_ranks<block_size, items, Shape::digit_bits>;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  auto& shared = *dynamic_shared<segmented_sort_pass_shared<Shape, Arrays>>();
  const this_block block;
  const int rank = int(block.thread_rank());
  const segment_look_back<bins> look_back{state.look_back, pass + 1};
  ptx::begin_kernel();
  const std::int64_t tiles = state.count_tiles();
  unsigned next = 0;
  const auto take_tile = [&] {
    if (rank == 0) next = ptx::count_one_relaxed(&state.tickets[pass]);
  };
  take_tile();
  for (;;) {
    if (rank == 0) shared.tile = next;
    block.sync();
    const std::int64_t tile = shared.tile;
    if (tile >= tiles) break;
    const sort_task task = state.tasks[tile];
    const std::int64_t first = task.begin + task.first;
    const ranks placing = ranks::spread(shared.counts, task.count);
    uninitialized_array<typename Arrays::stored, items> keys;
    unsigned digits[items], places[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used) break;
      digits[i] = bins - 1;
      if (placing.number_of(i) >= task.count) continue;
      const key own = arrays.keys[first + placing.number_of(i)];
      keys[i] = arrays.digits.store(own);
      digits[i] = arrays.digits.digit(keys[i], at.bit, at.mask);
    }
    const unsigned of_tile = placing.count(digits);
    // The places behind the last key count as the last digit.
    const unsigned own_keys = of_tile - (rank == bins - 1 ? unsigned(-task.count) % warp_size : 0);
    unsigned of_segment = 0;
    if (rank < bins) {
      look_back.publish(tile, task.index, rank, own_keys);
      of_segment = state.digit_counts[(std::int64_t(task.slot) * passes + pass) * bins + rank];
    }
    // Where a digit's keys begin in the segment, and below that where in the tile.
    const std::uint64_t begins = gpuprim::block_exclusive_scan<block_size>(
        block, std::uint64_t(of_segment) << 32 | of_tile, plus<std::uint64_t>{});
    placing.place(digits, unsigned(begins), places);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used) break;
      shared.keys[int(places[i])] = keys[i];
    }
    if (rank < bins) {
      shared.begins[rank] =
          unsigned(begins >> 32) + look_back.sum_before(tile, task.index, rank, own_keys) - unsigned(begins);
    }
    take_tile();  // it comes while keys are written; not before, for later tiles wait for it
    block.sync();
    // Keys of segments that overlap, as offsets that decrease make them, are not those that were counted.
    const auto find_place = [&](int number, unsigned digit) { return shared.begins[digit] + unsigned(number); };
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int number = i * block_size + rank;
      if (number >= task.count) break;
      const auto& stored = shared.keys[number];
      digits[i] = arrays.digits.digit(stored, at.bit, at.mask);
      const unsigned to = find_place(number, digits[i]);
      if (to < task.length) arrays.keys_out[task.begin + to] = arrays.digits.load(stored);
    }
    if constexpr (Arrays::has_values) {
      uninitialized_array<typename Arrays::value_type, items> values;
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (i >= placing.used || placing.number_of(i) >= task.count) break;
        values[i] = arrays.values[first + placing.number_of(i)];
      }
      block.sync();
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (i >= placing.used || placing.number_of(i) >= task.count) break;
        shared.values[int(places[i])] = values[i];
      }
      block.sync();
#pragma unroll
      for (int i = 0; i < items; ++i) {
        const int number = i * block_size + rank;
        if (number >= task.count) break;
        const unsigned to = find_place(number, digits[i]);
        if (to < task.length) arrays.values_out[task.begin + to] = shared.values[number];
      }
    }
  }
}

}  // namespace gpuprim::detail
