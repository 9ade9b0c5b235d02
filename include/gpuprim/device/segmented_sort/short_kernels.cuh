// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The kernels that look at segments of all lengths: one sorts the shortest and lists the others. For arrays so small
// that a launch takes longer than the work of a class, another sorts all but the long ones.
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/sort_block_kernel.cuh>
#include <gpuprim/device/segmented_sort/lanes.cuh>
#include <gpuprim/device/segmented_sort/state.cuh>

namespace gpuprim::inline v0_2_0::detail {

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

/// Segments are shared among blocks by their keys, and by as many more for each segment.
inline constexpr int segment_weight = 8;

/// The first segment before which segments weigh at least `weight`. The lanes of a warp call it.
template <class Spans>
__device__ std::int64_t find_by_weight(const Spans& spans, std::int64_t weight) {
  const auto is_before = [&](std::int64_t i) { return spans.bound(i) + i * segment_weight < weight; };
  return detail::find_in_order<4>(spans.count, 0, is_before, [](int) {});
}

/// A batch of segments of a block, as many as it has threads: where they lie, and their numbers in the batch by class.
template <class Classes, class Arrays>
struct segmented_sort_short_shared {
  static constexpr int block_size = Classes::some::block_size;
  union {
    sort_block_shared<typename Classes::some, Arrays> sort;
    long_segment longs[block_size];
  };
  std::int64_t begins[block_size], range[2];
  int lengths[block_size];
  unsigned counts[segment_classes];
  unsigned short order[block_size];
  static_assert(sizeof(begins[0]) + sizeof(lengths[0]) + sizeof(order[0]) == listed_segment_bytes);
};

/// Sorts the segments of each class, and notes the tiles of the long ones. A block takes consecutive segments, so that
/// all blocks have about as many keys.
template <class Classes, lane_sort How, int BlocksPerMultiprocessor, class Arrays, class Spans>
__global__ void __launch_bounds__(Classes::some::block_size, BlocksPerMultiprocessor)
    segmented_sort_short_kernel(Arrays arrays, Spans spans, segmented_sort_state state, int passes, int first_bit,
                                int end_bit) {
  constexpr int block_size = Classes::some::block_size;
  static_assert(Classes::some::tile_items >= Classes::few::tile_items);
  auto& shared = *dynamic_shared<segmented_sort_short_shared<Classes, Arrays>>();
  const this_block block;
  const int rank = int(block.thread_rank()), warp = rank / warp_size;
  ptx::begin_kernel();
  if (rank < segment_classes) shared.counts[rank] = 0;
  if (warp < 2) {
    const std::int64_t weight = arrays.n + spans.count * segment_weight, share = (weight - 1) / gridDim.x + 1;
    const std::int64_t found = detail::find_by_weight(spans, share * (blockIdx.x + warp));
    if (rank % warp_size == 0) shared.range[warp] = found;
  }
  block.sync();
  const std::int64_t end = shared.range[1];
  for (std::int64_t first = shared.range[0]; first < end; first += block_size) {
    const segment_span own = first + rank < end ? spans(first + rank) : segment_span{};
    const int length_class = Classes::find(own.length);
    const unsigned place = own.length > 0 ? atomicAdd(&shared.counts[length_class], 1u) : 0;
    shared.begins[rank] = own.begin;
    shared.lengths[rank] = int(own.length);
    if (length_class == long_class) shared.longs[place] = {own, state.reserve(Classes::count_tiles(own.length))};
    block.sync();
    unsigned before = 0;
    for (int c = 0; c < length_class; ++c) before += shared.counts[c];
    if (own.length > 0) shared.order[before + place] = static_cast<unsigned short>(rank);
    for (unsigned i = 0; i < shared.counts[long_class]; ++i) {
      state.template note<typename Classes::many>(shared.longs[i], passes);
    }
    block.sync();
    unsigned next = 0;
    const auto span_of = [&](unsigned i) {
      const int number = shared.order[i];
      return segment_span{shared.begins[number], shared.lengths[number]};
    };
    const auto sort_class = [&]<int Class>() {
      constexpr int lanes = Classes::tile(Class).lanes, items = Classes::tile(Class).items;
      const unsigned count = shared.counts[Class];
      for (unsigned i = rank / lanes; i < count; i += block_size / lanes) {
        detail::sort_in_lanes<How, lanes, items>(arrays, span_of(next + i), first_bit, end_bit);
      }
      next += count;
    };
    [&]<int... Class>(std::integer_sequence<int, Class...>) {
      (sort_class.template operator()<Class>(), ...);
    }(std::make_integer_sequence<int, Classes::tiles>{});
    const unsigned in_block = next + shared.counts[Classes::tiles] + shared.counts[Classes::tiles + 1];
    for (; next < in_block; ++next) {
      detail::sort_in_block(shared.sort, arrays, span_of(next), first_bit, end_bit);
    }
    block.sync();
    if (rank < segment_classes) shared.counts[rank] = 0;
    block.sync();
  }
}

}  // namespace gpuprim::detail
