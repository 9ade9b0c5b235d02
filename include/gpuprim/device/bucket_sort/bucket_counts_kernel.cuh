// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/thread_reduce.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// What a block keeps to look at a sample of the keys.
struct bucket_sample {
  static constexpr int cell_bits = 15;
  static constexpr int parts = 64, of_thread = 4;
  unsigned cells[(1 << cell_bits) / 32];  ///< a bit for each cell of the range that a key lies in
  unsigned of_part[parts];                ///< keys in each part of the range
  unsigned repeated, crowded;
};

/// Finds buckets for the range of a sample, which is the same for every block, and whether keys crowd in it: then many
/// of the sample lie in the same few cells, or in parts of the range whose buckets have more than `most_keys`.
template <int BlockSize, class Digits, class Keys>
__device__ __forceinline__ sort_way find_buckets(bucket_sample& sample, const Digits& digits, const Keys& keys,
                                                 std::int64_t n, int bits, int most_keys, buckets_of<Digits>& found) {
  using word = typename Digits::word;
  using buckets = buckets_of<Digits>;
  const this_block block;
  const int rank = int(block.thread_rank());
  constexpr int cell_words = int(sizeof(sample.cells) / sizeof(unsigned));
  for (int i = rank; i < cell_words; i += BlockSize) sample.cells[i] = 0;
  if (rank < sample.parts) sample.of_part[rank] = 0;
  if (rank == 0) sample.repeated = sample.crowded = 0;
  constexpr int of_thread = bucket_sample::of_thread, keys_seen = of_thread * BlockSize;
  const std::int64_t step = n / keys_seen;
  word own[of_thread], low, high;
#pragma unroll
  for (int i = 0; i < of_thread; ++i) own[i] = digits.store(keys[step * (i * BlockSize + rank) + step / 2]);
  low = gpuprim::block_all_reduce<BlockSize>(block, gpuprim::thread_reduce(own, minimum<word>{}), minimum<word>{});
  high = gpuprim::block_all_reduce<BlockSize>(block, gpuprim::thread_reduce(own, maximum<word>{}), maximum<word>{});
  found = buckets::around(low, high, bits);
  const auto cell_of = buckets::around(low, high, bucket_sample::cell_bits);
  constexpr int cells_of_part = (1 << bucket_sample::cell_bits) / bucket_sample::parts;
#pragma unroll
  for (int i = 0; i < of_thread; ++i) {
    const unsigned cell = cell_of(own[i]), bit = 1u << (cell % 32);
    atomicAdd(&sample.of_part[cell / cells_of_part], 1u);
    if ((atomicOr(&sample.cells[cell / 32], bit) & bit) != 0) atomicAdd(&sample.repeated, 1u);
  }
  block.sync();
  // A part is full if its buckets would be larger than a quarter above the most, as a sample deviates.
  const auto full = std::int64_t{keys_seen / sample.parts} * (most_keys + most_keys / 4) << bits;
  if (rank < sample.parts && sample.of_part[rank] * n > full) atomicAdd(&sample.crowded, sample.of_part[rank]);
  block.sync();
  const bool crowd = sample.repeated >= keys_seen / 4 || sample.crowded > keys_seen / bucket_state::least_share_large;
  return crowd ? sort_way::by_digits : sort_way::by_buckets;
}

/// Turns the counts of buckets into where they begin, and into tasks for the blocks that end them: a task has as many
/// neighbours as a block holds. One block calls it. Buckets that are larger are listed, or, if they are many or have a
/// large share of the keys, the input is sorted by digits.
template <int BlockSize, int MostKeys, int TileKeys>
__device__ __forceinline__ void plan_buckets(const bucket_state& state, std::int64_t n, int bits, int low_bits,
                                             int most_large) {
  constexpr int most_each = bucket_state::most_buckets / BlockSize;
  const this_block block;
  const int rank = int(block.thread_rank()), buckets = 1 << bits;
  const int each = buckets > BlockSize ? buckets / BlockSize : 1, first = rank * each;
  std::uint32_t counts[most_each], own = 0;
  std::uint32_t large_keys = 0;
  unsigned large = 0;
#pragma unroll
  for (int i = 0; i < most_each; ++i) {
    counts[i] = 0;
    if (i >= each || first >= buckets) continue;
    counts[i] = ptx::load_relaxed(&state.counts[first + i]);
    state.counts[first + i] = 0;
    own += counts[i];
    if (counts[i] <= MostKeys) continue;
    large_keys += counts[i];
    ++large;
  }
  unsigned all_large;
  unsigned large_number =
      gpuprim::block_exclusive_scan<BlockSize>(block, large, plus<unsigned>{}, total_to{all_large});
  large_keys = gpuprim::block_all_reduce<BlockSize>(block, large_keys, plus<std::uint32_t>{});
  const bool crowd = all_large > unsigned(most_large) || large_keys > n / bucket_state::least_share_large;
  if (rank == 0) state.choose(crowd ? sort_way::by_digits : sort_way::by_buckets, all_large);
  if (crowd) return;
  const std::uint32_t begin = gpuprim::block_exclusive_scan<BlockSize>(block, own, plus<std::uint32_t>{});
  // Calls `put(task)` for each task of the thread's buckets.
  const auto for_each_task = [&](const auto& put) {
    bucket_task task{begin, 0, unsigned(first), unsigned(first)};
#pragma unroll
    for (int i = 0; i < most_each; ++i) {
      if (i >= each) break;
      if (task.length + counts[i] > unsigned(MostKeys)) {
        if (task.length > 0) put(task);
        task = {task.begin + task.length, 0, unsigned(first + i), 0};
      }
      if (counts[i] > unsigned(MostKeys)) {
        task = {task.begin + counts[i], 0, unsigned(first + i + 1), 0};
        continue;
      }
      task.length += counts[i];
      task.last = unsigned(first + i);
    }
    if (task.length > 0) put(task);
  };
  unsigned tasks = 0;
  for_each_task([&](const bucket_task&) { ++tasks; });
  unsigned all_tasks;
  unsigned task_number =
      gpuprim::block_exclusive_scan<BlockSize>(block, tasks, plus<unsigned>{}, total_to{all_tasks});
  for_each_task([&](const bucket_task& task) { state.tasks[task_number++] = task; });
  std::uint32_t at = begin;
#pragma unroll
  for (int i = 0; i < most_each; ++i) {
    if (i >= each || first >= buckets) continue;
    const int bucket = first + i;
    state.begins[bucket] = at;
    state.to_lows[bucket] = at;
    if (bucket % (1 << low_bits) == 0) state.to_highs[bucket >> low_bits] = at;
    at += counts[i];
    if (bucket == buckets - 1) state.begins[buckets] = at;
    if (counts[i] > unsigned(MostKeys)) state.large[large_number++] = {at - counts[i], counts[i]};
  }
  if (rank == 0) *state.tasks_found = all_tasks;
  block.sync();
  std::uint32_t tiles = 0;
  const int highs = buckets >> low_bits;
  if (rank < highs) {
    const std::uint32_t keys = state.begins[(rank + 1) << low_bits] - state.begins[rank << low_bits];
    tiles = (keys + TileKeys - 1) / TileKeys;
  }
  std::uint32_t all_tiles;
  const auto before =
      gpuprim::block_exclusive_scan<BlockSize>(block, tiles, plus<std::uint32_t>{}, total_to{all_tiles});
  if (rank < highs) state.tiles[rank] = before;
  if (rank == 0) state.tiles[highs] = all_tiles;
}

/// Counts the keys of each bucket. The last block that is done plans the launches that follow.
template <int BlockSize, int MostKeys, int TileKeys, class Digits, class Keys>
__global__ void __launch_bounds__(BlockSize, 1)
    bucket_counts_kernel(Digits digits, Keys keys, std::int64_t n, int bits, int low_bits, int most_large,
                         bucket_state state) {
  constexpr int items = 8;
  GPUPRIM_SHARED(sample, bucket_sample);
  auto* const counts = dynamic_shared<std::uint32_t>();
  const this_block block;
  const int rank = int(block.thread_rank()), buckets = 1 << bits;
  ptx::begin_kernel();
  for (int i = rank; i < buckets; i += BlockSize) counts[i] = 0;
  buckets_of<Digits> bucket_of;
  if (detail::find_buckets<BlockSize>(sample, digits, keys, n, bits, MostKeys, bucket_of) == sort_way::by_digits) {
    if (blockIdx.x == 0 && rank == 0) state.choose(sort_way::by_digits, 0);
    return;
  }
  const std::int64_t thread = std::int64_t(blockIdx.x) * BlockSize + rank;
  const std::int64_t threads = std::int64_t(gridDim.x) * BlockSize;
  const auto count = [&](const auto& key) { atomicAdd(&counts[bucket_of(digits.store(key))], 1u); };
  std::int64_t at = thread;
  for (; at + (items - 1) * threads < n; at += items * threads) {
    uninitialized_array<input_value<Keys>, items> some;
#pragma unroll
    for (int i = 0; i < items; ++i) some[i] = keys[at + i * threads];
#pragma unroll
    for (int i = 0; i < items; ++i) count(some[i]);
  }
#pragma unroll 1
  for (; at < n; at += threads) count(keys[at]);
  block.sync();
  for (int i = rank; i < buckets; i += BlockSize) {
    if (counts[i] > 0) atomicAdd(&state.counts[i], counts[i]);
  }
  block.sync();
  bool is_last = false;
  if (rank == 0) is_last = ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1;
  if (!block.any(is_last)) return;
  if (rank == 0) *static_cast<buckets_of<Digits>*>(state.map) = bucket_of;
  detail::plan_buckets<BlockSize, MostKeys, TileKeys>(state, n, bits, low_bits, most_large);
}

}  // namespace gpuprim::detail
