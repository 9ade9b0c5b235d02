// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/segmented_sort_lanes.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Sorts the segments of the first class, lists those of the others, and notes the tiles of the long ones. A block
/// looks at a batch of segments at once, at most as many as it has threads. The last block that is done says how long
/// the lists are, and clears their counters.
template <class Classes, lane_sort How, class Arrays, class Spans>
__global__ void __launch_bounds__(Classes::lanes_block_size)
    segmented_sort_classify_kernel(Arrays arrays, Spans spans, segmented_sort_state state, int passes, int first_bit,
                                   int end_bit) {
  constexpr int block_size = Classes::lanes_block_size;
  constexpr int lanes = Classes::tile(0).lanes, items = Classes::tile(0).items;
  GPUPRIM_SHARED(lengths, int[block_size]);
  GPUPRIM_SHARED(begins, std::int64_t[block_size]);
  GPUPRIM_SHARED(counts, unsigned[segment_classes]);
  GPUPRIM_SHARED(firsts, unsigned long long[long_class]);
  GPUPRIM_SHARED(longs, long_segment[block_size]);
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::begin_kernel();
  if (rank < segment_classes) counts[rank] = 0;
  block.sync();
  const std::int64_t share = (spans.count - 1) / gridDim.x + 1, batch = share < block_size ? share : block_size;
  for (std::int64_t first = blockIdx.x * batch; first < spans.count; first += gridDim.x * batch) {
    const std::int64_t number = first + rank;
    const segment_span own = rank < batch && number < spans.count ? spans(number) : segment_span{};
    const int length_class = Classes::find(own.length);
    begins[rank] = own.begin;
    lengths[rank] = length_class == 0 ? int(own.length) : 0;
    const unsigned place = length_class > 0 ? atomicAdd(&counts[length_class], 1u) : 0;
    if (length_class == long_class) longs[place] = {own, state.reserve(Classes::count_tiles(own.length))};
    block.sync();
    for (unsigned i = 0; i < counts[long_class]; ++i) state.template note<typename Classes::many>(longs[i], passes);
    if (rank > 0 && rank < long_class && counts[rank] > 0) {
      firsts[rank] = atomicAdd(&state.counters[rank], static_cast<unsigned long long>(counts[rank]));
    }
    block.sync();
    if (rank < segment_classes) counts[rank] = 0;
    if (length_class > 0 && length_class < long_class) {
      const std::int64_t at = std::int64_t(firsts[length_class]) + place;
      if (at < state.capacity[length_class]) state.numbers[length_class][at] = unsigned(number);
    }
    for (int i = rank / lanes; i < batch; i += block_size / lanes) {
      if (lengths[i] == 0) continue;
      detail::sort_in_lanes<How, lanes, items>(arrays, {begins[i], lengths[i]}, first_bit, end_bit);
    }
    block.sync();
  }
  bool is_last = false;
  if (rank == 0) is_last = ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1;
  if (!block.any(is_last) || rank >= long_class) return;
  const unsigned long long total = ptx::load_relaxed(&state.counters[rank]);
  state.counters[rank] = 0;
  const auto most = static_cast<unsigned long long>(state.capacity[rank]);
  state.totals[rank] = total < most ? total : most;
}

}  // namespace gpuprim::detail
