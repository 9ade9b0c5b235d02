// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/segmented_sort_lanes.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Notes a long segment, with its tiles behind those of the segments that have been noted. If offsets decrease, there
/// may be more tiles than there is room for: those behind are not sorted.
__device__ inline void note_long_segment(const segmented_sort_state& state, std::int64_t number, std::int64_t tiles) {
  constexpr auto tile_mask = (1ull << segmented_sort_state::slot_shift) - 1;
  unsigned long long* const counter = state.counters + long_class;
  if (std::int64_t(ptx::load_relaxed(counter) & tile_mask) > state.most_tiles) return;  // so that it does not overflow
  const unsigned long long before =
      atomicAdd(counter, (1ull << segmented_sort_state::slot_shift) + static_cast<unsigned long long>(tiles));
  const auto slot = std::int64_t(before >> segmented_sort_state::slot_shift), first = std::int64_t(before & tile_mask);
  if (slot < state.most_segments) state.segments[slot] = {first, unsigned(number)};
}

/// Sorts the segments of the first class, and lists those of each other class. A block looks at as many segments at
/// once as it has threads. The last block that is done says how long the lists are, and clears the counters.
template <class Classes, lane_sort How, class Arrays, class Spans>
__global__ void __launch_bounds__(Classes::lanes_block_size)
    segmented_sort_classify_kernel(Arrays arrays, Spans spans, segmented_sort_state state, int first_bit,
                                   int end_bit) {
  constexpr int block_size = Classes::lanes_block_size;
  constexpr int lanes = Classes::tile(0).lanes, items = Classes::tile(0).items;
  GPUPRIM_SHARED(lengths, int[block_size]);
  GPUPRIM_SHARED(begins, std::int64_t[block_size]);
  GPUPRIM_SHARED(counts, unsigned[long_class]);
  GPUPRIM_SHARED(firsts, unsigned long long[long_class]);
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::begin_kernel();
  if (rank < long_class) counts[rank] = 0;
  block.sync();
  for (std::int64_t first = std::int64_t(blockIdx.x) * block_size; first < spans.count;
       first += std::int64_t(gridDim.x) * block_size) {
    const std::int64_t number = first + rank;
    const segment_span own = number < spans.count ? spans(number) : segment_span{};
    const int length_class = Classes::find(own.length);
    begins[rank] = own.begin;
    lengths[rank] = length_class == 0 ? int(own.length) : 0;
    unsigned place = 0;
    if (length_class == long_class) detail::note_long_segment(state, number, Classes::count_tiles(own.length));
    else if (length_class > 0) place = atomicAdd(&counts[length_class], 1u);
    block.sync();
    if (rank > 0 && rank < long_class && counts[rank] > 0) {
      firsts[rank] = atomicAdd(&state.counters[rank], static_cast<unsigned long long>(counts[rank]));
      counts[rank] = 0;
    }
    block.sync();
    if (length_class > 0 && length_class < long_class) {
      const std::int64_t at = std::int64_t(firsts[length_class]) + place;
      if (at < state.capacity[length_class]) state.numbers[length_class][at] = unsigned(number);
    }
    for (int i = rank / lanes; i < block_size; i += block_size / lanes) {
      if (lengths[i] == 0) continue;
      detail::sort_in_lanes<How, lanes, items>(arrays, {begins[i], lengths[i]}, first_bit, end_bit);
    }
    block.sync();
  }
  bool is_last = false;
  if (rank == 0) is_last = ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1;
  if (!block.any(is_last) || rank >= segment_classes) return;
  const unsigned long long total = ptx::load_relaxed(&state.counters[rank]);
  state.counters[rank] = 0;
  const auto at_most = [](unsigned long long count, std::int64_t most) {
    return std::int64_t(count) < most ? count : static_cast<unsigned long long>(most);
  };
  if (rank < long_class) {
    state.totals[rank] = at_most(total, state.capacity[rank]);
  } else {
    constexpr auto tile_mask = (1ull << segmented_sort_state::slot_shift) - 1;
    state.totals[long_class] = at_most(total >> segmented_sort_state::slot_shift, state.most_segments);
    state.totals[long_class + 1] = at_most(total & tile_mask, state.most_tiles);
  }
}

}  // namespace gpuprim::detail
