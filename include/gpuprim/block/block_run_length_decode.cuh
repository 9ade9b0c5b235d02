// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/shared.cuh>

#include <limits>

namespace gpuprim::inline v0_2_0 {

/// What a thread gets of a window of decoded items: `Items` neighbouring ones.
template <class T, class Offset, int Items>
struct decoded_items {
  Offset first;                                ///< The number of the first one among all items of the block.
  int count;                                   ///< How many of them there are. The rest is unspecified.
  uninitialized_array<T, Items> values;        ///< The value of the run of each.
  uninitialized_array<Offset, Items> offsets;  ///< The number of each in its run.
};

namespace detail {

/// The runs of a block in shared memory: where each begins, one that begins behind all, and their values.
template <class T, class Offset, int Runs>
struct block_runs {
  static constexpr Offset never = (std::numeric_limits<Offset>::max)();
  shared_array<Offset, Runs + 1> begins;
  shared_array<T, Runs> values;

  /// The last run that begins at `position` or before. How many steps it takes depends on the number of runs alone.
  __device__ __forceinline__ int find(Offset position) {
    constexpr int highest = Runs > 1 ? 1 << (31 - __builtin_clz(unsigned(Runs - 1))) : 0;
    int found = 0;
#pragma unroll
    for (int step = highest; step > 0; step /= 2) {
      const bool exists = Runs == 2 * highest || found + step < Runs;
      if (exists && begins[found + step] <= position) found += step;
    }
    return found;
  }
};

template <class Length>
using run_offset = std::conditional_t<(sizeof(Length) < 4), int, Length>;

}  // namespace detail

/// The bytes of a block_with_memory that block_run_length_decode of `Runs` runs a thread needs.
template <int BlockSize, int Runs, class T, class Length>
inline constexpr int block_run_length_decode_bytes =
    detail::bytes_of_parts(sizeof(detail::block_runs<T, detail::run_offset<Length>, BlockSize * Runs>),
                           block_scan_bytes<BlockSize, detail::run_offset<Length>>);

/// Decodes the runs of a block, of which each thread has `Runs`, those of rank 0 first. Calls `take(items)` once for
/// each window of `BlockSize * Items` decoded items, in order and by all threads, with a `decoded_items` of each.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all. No
///        length is negative. Their sum and the items of a window are together within the type of the offsets, which is
///        Length or, if that has less than 4 bytes, int. Runs of length 0 may lie anywhere. `take` does not decode runs
///        of these types itself.
/// @sync  four block barriers (two for a single warp), and none in a window: it may be called twice in a row, and
///        `take` may meet. Accesses to shared memory before and after it are ordered.
/// @order as the runs are. An item that no run has is in no window.
/// @cost  a block_exclusive_scan of the lengths; for each window and thread a binary search among the runs, and two
///        loads a run. `BlockSize * Runs * (sizeof(T) + sizeof(Length))` bytes of shared memory, and those of the scan.
///        A block_with_memory has `block_run_length_decode_bytes<BlockSize, Runs, T, Length>`, which `take` must not
///        use, and no barrier is owed behind it.
/// @return the sum of the lengths, in every thread.
/// @source cub::BlockRunLengthDecode.
/// @example examples/library/82_decode.cu
template <int BlockSize, int Items, class Block, class T, class Length, int Runs, class Take>
__device__ __forceinline__ auto block_run_length_decode(const Block& block, const T (&values)[Runs],
                                                        const Length (&lengths)[Runs], const Take& take,
                                                        detail::call_site here = detail::call_site::current()) {
  static_assert(block_like<Block>, "gpuprim::block_run_length_decode: the group must be a thread block");
  static_assert(BlockSize >= 1 && BlockSize <= max_block_size,
                "gpuprim::block_run_length_decode: BlockSize must be from 1 to 1024");
  static_assert(element<T>,
                "gpuprim::block_run_length_decode: the element type must be trivially copyable and assignable");
  static_assert(std::is_integral_v<Length>, "gpuprim::block_run_length_decode: the lengths must be integers");
  using offset = detail::run_offset<Length>;
  using decoded = decoded_items<T, offset, Items>;
  static_assert(is_device_lambda<Take> || std::is_invocable_v<const Take&, const decoded&>,
                "gpuprim::block_run_length_decode: the last argument must be a function that takes decoded_items");
  constexpr int runs = BlockSize * Runs;
  using runs_type = detail::block_runs<T, offset, runs>;
  static_assert(detail::has_memory<Block> || sizeof(runs_type) <= detail::most_static_shared_bytes,
                "gpuprim::block_run_length_decode: the runs of the block must fit in 48 KiB of shared memory, or the "
                "group be a gpuprim::block_with_memory");
  detail::expects_memory<block_run_length_decode_bytes<BlockSize, Runs, T, Length>>(block, here);
  runs_type& shared = detail::storage_of<runs_type>(block);
  const int rank = int(block.thread_rank());
  offset begins[Runs], total = 0;
#pragma unroll
  for (int i = 0; i < Runs; ++i) {
    if constexpr (std::is_signed_v<Length>) {
      detail::expects(lengths[i] >= 0, "gpuprim::block_run_length_decode: no length may be negative: one is %lld", here,
                      lengths[i]);
    }
    begins[i] = static_cast<offset>(lengths[i]);
    shared.values[rank * Runs + i] = values[i];
  }
  gpuprim::block_exclusive_scan<BlockSize>(detail::memory_behind<sizeof(runs_type)>(block), begins, plus<offset>{},
                                           offset(0), total, here);
#pragma unroll
  for (int i = 0; i < Runs; ++i) shared.begins[rank * Runs + i] = begins[i];
  if (rank == 0) shared.begins[runs] = runs_type::never;  // the last run does not end
  block.sync();
  for (offset window = 0; window < total; window += offset(BlockSize * Items)) {
    decoded items;
    items.first = window + offset(rank * Items);
    const offset left = total > items.first ? total - items.first : offset(0);
    items.count = left < offset(Items) ? int(left) : Items;
    int run = shared.find(items.first);
    offset begin = shared.begins[run], end = shared.begins[run + 1];
    T value = shared.values[run];
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const offset position = items.first + offset(i);
      if (i > 0 && position >= end) {
        do {
          begin = end;
          end = shared.begins[++run + 1];
        } while (position >= end);
        value = shared.values[run];
      }
      items.values[i] = value;
      items.offsets[i] = position - begin;
    }
    take(items);
  }
  block.sync();
  return total;
}

}  // namespace gpuprim
