// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/device/common/sort_block_kernel.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Sorts keys in place, however many there are, if their words lie so near to each other that a block can count each.
/// False if they do not. The threads of the block call it.
template <class Shape, class Arrays>
__device__ __forceinline__ bool sort_few_words(sort_cells_shared<Shape, Arrays>& shared, const Arrays& arrays,
                                               const segment_span& span) {
  using word = typename Arrays::stored;
  constexpr int block_size = Shape::block_size, cells = sort_cells_shared<Shape, Arrays>::cells, at_once = 8;
  constexpr int of_thread = (cells + block_size - 1) / block_size | 1;
  const this_block block;
  const int rank = int(block.thread_rank());
  const auto for_each_word = [&](const auto& go) {
    std::int64_t i = rank;
    for (; i + (at_once - 1) * block_size < span.length; i += at_once * block_size) {
      uninitialized_array<typename Arrays::key_type, at_once> read;
#pragma unroll
      for (int k = 0; k < at_once; ++k) read[k] = arrays.keys[span.begin + i + k * block_size];
#pragma unroll
      for (int k = 0; k < at_once; ++k) go(arrays.digits.store(read[k]));
    }
    for (; i < span.length; i += block_size) go(arrays.digits.store(arrays.keys[span.begin + i]));
  };
  for (int cell = rank; cell < cells; cell += block_size) shared.cell[cell] = 0;
  word_range<word> range;
  for_each_word([&](word w) { range = join_ranges{}(range, {w, w}); });
  range = gpuprim::block_all_reduce<block_size>(block, range, join_ranges{});
  if (range.low == range.high) return true;
  if (word(range.high - range.low) >= word(cells)) return false;
  for_each_word([&](word w) { atomicAdd(&shared.cell[int(w - range.low)], 1u); });
  block.sync();
  std::uint32_t own = 0;
  for (int c = 0; c < of_thread; ++c) {
    const int cell = rank * of_thread + c;
    own += cell < cells ? shared.cell[cell] : 0;
  }
  std::uint32_t at = gpuprim::block_exclusive_scan<block_size>(block, own, plus<std::uint32_t>{});
  for (int c = 0; c < of_thread; ++c) {
    if (const int cell = rank * of_thread + c; cell < cells) {
      const std::uint32_t count = shared.cell[cell];
      shared.cell[cell] = at;
      at += count;
    }
  }
  block.sync();
  for (int cell = rank / warp_size; cell < cells; cell += block_size / warp_size) {
    const auto end = cell + 1 < cells ? std::int64_t(shared.cell[cell + 1]) : span.length;
    const auto key = arrays.digits.load(word(range.low + word(cell)));
    for (std::int64_t i = shared.cell[cell] + rank % warp_size; i < end; i += warp_size) {
      arrays.keys_out[span.begin + i] = key;
    }
  }
  return true;
}

/// Sorts the keys of tasks, and notes what no block can sort for `LongSorter`. MostFew: so many keys of few words a
/// block sorts.
template <class Shape, int MostFew, int BlocksPerMultiprocessor, class Arrays, class LongSorter>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    bucket_end_kernel(Arrays arrays, bucket_state<typename Arrays::digits_type> state,
                      typename LongSorter::state_type long_segments, int long_passes) {
  GPUPRIM_SHARED(large, typename LongSorter::state_type::segment);
  auto& shared = *dynamic_shared<sort_block_shared<Shape, Arrays>>();
  const this_block block;
  ptx::begin_kernel();
  const auto note = [&](const segment_span& span) {
    if (block.thread_rank() == 0) {
      large = {span, long_segments.reserve((span.length - 1) / LongSorter::shape::tile_items + 1)};
    }
    block.sync();
    long_segments.template note<typename LongSorter::shape>(large, long_passes);
    block.sync();
  };
  const unsigned tasks = *state.tasks_found, larges = *state.large_found;
  for (unsigned i = blockIdx.x; i < larges; i += gridDim.x) {
    if (state.large[i].length > MostFew) note(state.large[i]);
  }
  // The keys at both ends, some of which a sample may have missed, may take longest: their blocks begin first.
  for (unsigned i = blockIdx.x; i < tasks; i += gridDim.x) {
    const unsigned task = i % 2 == 0 ? i / 2 : tasks - 1 - i / 2;
    const std::uint32_t begin = state.task_begins[task], length = state.task_begins[task + 1] - begin;
    const segment_span span{begin, length};
    if (length <= std::uint32_t(Shape::tile_items)) {
      if (length > 0) detail::sort_in_block(shared, arrays, span, 0, Arrays::digits_type::bits);
    } else if constexpr (MostFew > 0) {
      if (length > std::uint32_t(MostFew)) continue;
      const bool is_sorted = detail::sort_few_words<Shape>(shared.cells, arrays, span);
      block.sync();
      if (!is_sorted) note(span);
    }
  }
}

}  // namespace gpuprim::detail
