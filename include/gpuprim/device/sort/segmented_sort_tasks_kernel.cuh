// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What precedes the passes over long segments: their tiles are found, and their digits counted.
#include <gpuprim/device/sort/segmented_sort_state.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Finds which tile of which long segment a tile is. Segments of one length are all long. If offsets decrease, there
/// may be tiles of segments that are not sorted, which are empty then.
template <class Shape, class Spans>
__device__ sort_task find_task(const segmented_sort_state& state, const Spans& spans, std::int64_t tile) {
  std::int64_t slot = 0, number = 0, first_tile = 0;
  if constexpr (requires { spans.length; }) {
    const std::int64_t tiles = (spans.length + Shape::tile_items - 1) / Shape::tile_items;
    number = slot = tile / tiles;
    first_tile = slot * tiles;
  } else {
    for (std::int64_t end = state.count_long_segments(); end - slot > 1;) {
      const std::int64_t middle = slot + (end - slot) / 2;
      (state.segments[middle].first_tile <= tile ? slot : end) = middle;
    }
    first_tile = state.segments[slot].first_tile;
    number = state.segments[slot].number;
  }
  const segment_span span = spans(number);
  const std::int64_t index = tile - first_tile, tiles = (span.length + Shape::tile_items - 1) / Shape::tile_items;
  if (index >= tiles) return {};
  const std::int64_t items = (span.length + tiles - 1) / tiles, first = index * items;
  const std::int64_t left = span.length - first, count = left < items ? left : items;
  return {span.begin, unsigned(span.length), unsigned(first), int(count), int(index), unsigned(slot)};
}

/// Finds the tiles of all long segments, and clears what they count. `passes`: an upper bound.
template <class Shape, class Spans>
__global__ void __launch_bounds__(Shape::block_size)
    segmented_sort_tasks_kernel(Spans spans, segmented_sort_state state, int passes) {
  ptx::begin_kernel();
  const std::int64_t thread = std::int64_t(blockIdx.x) * Shape::block_size + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * Shape::block_size;
  std::int64_t segments = 0, tiles = 0;
  if constexpr (requires { spans.length; }) {
    segments = spans.count;
    tiles = segments * ((spans.length + Shape::tile_items - 1) / Shape::tile_items);
    if (thread == 0) state.totals[long_class + 1] = static_cast<unsigned long long>(tiles);
  } else {
    segments = state.count_long_segments();
    tiles = state.count_tiles();
  }
  for (std::int64_t i = thread; i < tiles; i += threads) state.tasks[i] = detail::find_task<Shape>(state, spans, i);
  for (std::int64_t i = thread; i < tiles * Shape::bins; i += threads) state.look_back[i] = 0;
  for (std::int64_t i = thread; i < segments * passes * Shape::bins; i += threads) state.digit_counts[i] = 0;
  if (thread < passes) state.tickets[thread] = 0;
}

/// The digit of a pass.
template <int DigitBits>
GPUPRIM_HOST_DEVICE constexpr digit_place place_of_digit(int pass, int first_bit, int end_bit) {
  const int bit = first_bit + pass * DigitBits;
  if (bit >= end_bit) return {0, 0};
  return {bit, detail::digit_mask<DigitBits>(bit, end_bit)};
}

/// Counts how often each digit has each value in each long segment. A block takes neighbouring tiles, and adds its
/// counts to those of the segment once they are those of another.
template <class Shape, int MostPasses, class Arrays>
__global__ void __launch_bounds__(Shape::block_size)
    segmented_digit_counts_kernel(Arrays arrays, segmented_sort_state state, int passes, int first_bit, int end_bit) {
  constexpr int bins = Shape::bins, block_size = Shape::block_size, items = Shape::items;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  GPUPRIM_SHARED(counts, std::uint32_t[MostPasses][bins]);
  const this_block block;
  const int rank = int(block.thread_rank());
  for (int i = rank; i < MostPasses * bins; i += block_size) counts[i / bins][i % bins] = 0;
  block.sync();
  ptx::begin_kernel();
  const std::int64_t tiles = state.count_tiles();
  const std::int64_t begin = tiles * blockIdx.x / gridDim.x, end = tiles * (blockIdx.x + 1) / gridDim.x;
  const auto add = [&](const key& own) {
    const auto& stored = arrays.digits.store(own);
#pragma unroll
    for (int pass = 0; pass < MostPasses; ++pass) {
      if (pass >= passes) break;
      const digit_place at = detail::place_of_digit<Shape::digit_bits>(pass, first_bit, end_bit);
      atomicAdd(&counts[pass][arrays.digits.digit(stored, at.bit, at.mask)], 1u);
    }
  };
  for (std::int64_t tile = begin; tile < end; ++tile) {
    const sort_task task = state.tasks[tile];
    const std::int64_t first = task.begin + task.first;
    int i = rank;
    for (; i + (items - 1) * block_size < task.count; i += items * block_size) {
      uninitialized_array<key, items> some;
#pragma unroll
      for (int k = 0; k < items; ++k) some[k] = arrays.keys[first + i + k * block_size];
#pragma unroll
      for (int k = 0; k < items; ++k) add(some[k]);
    }
    for (; i < task.count; i += block_size) add(arrays.keys[first + i]);
    if (tile + 1 < end && state.tasks[tile + 1].slot == task.slot) continue;
    block.sync();
    unsigned* const of_segment = state.digit_counts + std::int64_t(task.slot) * passes * bins;
    for (int d = rank; d < passes * bins; d += block_size) {
      const unsigned of_block = counts[d / bins][d % bins];
      if (of_block > 0) atomicAdd(&of_segment[d], of_block);
      counts[d / bins][d % bins] = 0;
    }
    block.sync();
  }
}

}  // namespace gpuprim::detail
