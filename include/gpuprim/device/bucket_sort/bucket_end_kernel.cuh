// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/sort_block_kernel.cuh>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/bucket_sort/bucket_state.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Shape, int CellBits, class Arrays>
union bucket_end_shared {
  struct {
    shared_array<typename Arrays::stored, Shape::tile_items> words;
    std::uint32_t counts[1 << CellBits];  ///< of the cells, then the places of their next words, and then their ends
  };
  sort_block_shared<Shape, Arrays> by_digits;
};

/// Sorts the words of some neighbouring buckets, which a block holds: it moves those of a cell together, and finds the
/// rank of each in its cell by comparisons. Where a cell has too many, it sorts by digits.
template <class Shape, int CellBits, int BlocksPerMultiprocessor, class Arrays>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    bucket_end_kernel(Arrays arrays, bucket_state state) {
  using word = typename Arrays::stored;
  constexpr int items = Shape::items, block_size = Shape::block_size, cells = 1 << CellBits;
  constexpr int of_thread = cells / block_size;
  constexpr std::uint32_t most_of_cell = 32;
  static_assert(of_thread * block_size == cells);
  auto& shared = *dynamic_shared<bucket_end_shared<Shape, CellBits, Arrays>>();
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::begin_kernel();
  if (*state.way == sort_way::by_digits) return;
  const unsigned tasks = *state.tasks_found;
  const auto buckets = *static_cast<const buckets_of<typename Arrays::digits_type>*>(state.map);
  for (unsigned i = blockIdx.x; i < tasks; i += gridDim.x) {
    const bucket_task task = state.tasks[i];
    const int count = int(task.length);
    const std::int64_t begin = task.begin;
    const auto cell_of = buckets.part(task.first, task.last, CellBits);
#pragma unroll
    for (int c = 0; c < of_thread; ++c) shared.counts[c * block_size + rank] = 0;
    uninitialized_array<typename Arrays::key_type, items> read;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (k * block_size + rank < count) read[k] = arrays.keys[begin + k * block_size + rank];
    }
    block.sync();
    word words[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (k * block_size + rank >= count) break;
      words[k] = arrays.digits.store(read[k]);
      atomicAdd(&shared.counts[cell_of(words[k])], 1u);
    }
    block.sync();
    std::uint32_t counts[of_thread], own = 0;
    bool is_crowded = false;
#pragma unroll
    for (int c = 0; c < of_thread; ++c) {
      counts[c] = shared.counts[rank * of_thread + c];
      own += counts[c];
      is_crowded |= counts[c] > most_of_cell;
    }
    if (block.any(is_crowded)) {
      detail::sort_in_block<Shape>(shared.by_digits, arrays, {begin, count}, 0, Arrays::digits_type::bits);
      block.sync();
      continue;
    }
    std::uint32_t at = gpuprim::block_exclusive_scan<block_size>(block, own, plus<std::uint32_t>{});
#pragma unroll
    for (int c = 0; c < of_thread; ++c) {
      shared.counts[rank * of_thread + c] = at;
      at += counts[c];
    }
    block.sync();
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (k * block_size + rank >= count) break;
      shared.words[int(atomicAdd(&shared.counts[cell_of(words[k])], 1u))] = words[k];
    }
    block.sync();
#pragma unroll 4
    for (int place = rank; place < count; place += block_size) {
      const word w = shared.words[place];
      const unsigned cell = cell_of(w);
      const int first = cell > 0 ? int(shared.counts[cell - 1]) : 0, end = int(shared.counts[cell]);
      int to = first;
      for (int other = first; other < end; ++other) {
        const word o = shared.words[other];
        to += o < w || (o == w && other < place);
      }
      arrays.keys_out[begin + to] = arrays.digits.load(w);
    }
    block.sync();
  }
}

}  // namespace gpuprim::detail
