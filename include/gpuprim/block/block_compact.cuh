// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/warp/join_lanes.cuh>
#include <gpuprim/warp/warp_compact.cuh>

namespace gpuprim::inline v0_2_0 {

/// kept_place of several values of a thread, whose kept ones stand side by side.
template <int Items>
struct kept_places {
  int places[Items];  ///< the number of each among the kept values
  int count;          ///< of all kept values
};

namespace detail {

/// Numbers that threads have counted: the sum of the threads before the calling one, and that of the block.
template <class Count>
struct block_counts {
  Count before, total;
};

/// Counts of two parts may stand in one word of 8 bytes.
template <int BlockSize>
inline constexpr int compact_bytes = scan_memory_bytes<BlockSize, unsigned long long>;

/// Checks how a block calls a function that counts what its threads keep.
template <int BlockSize, class Block>
__device__ __forceinline__ void expects_block(const Block& block, const char* function, call_site here) {
  detail::expects_memory<compact_bytes<BlockSize>>(block, here);
  detail::expects_block_size<BlockSize>(block, function, here);
  detail::expects_whole_block(here);
}

/// Adds up what the threads of a block have counted. The lanes before the calling one have been added up.
template <int BlockSize, class Block, class Count>
__device__ __forceinline__ block_counts<Count> add_warps(const Block& block, Count own, Count lanes_before) {
  const int threads = detail::block_threads<BlockSize>(block);
  if constexpr (max_warps<BlockSize> > 1) {
    Count total = 0;
    const scan_ends<Count> ends{0, true, &total};
    const Count warps_before =
        detail::join_warps_before<BlockSize>(block, lanes_before + own, plus<Count>{}, threads, ends);
    return {warps_before + lanes_before, total};
  } else {
    return {lanes_before, detail::shuffle(warp_tile<warp_size>{}, lanes_before + own, threads - 1)};
  }
}

/// Flags of the `Items` values of a thread.
template <int Items>
struct item_flags {
  bool of[Items];

  __device__ __forceinline__ int count() const {
    int set = 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) set += of[i];
    return set;
  }
};

/// Whether `Keep` says of each of `Items` values whether it is kept: flags, one flag of one value, or a predicate.
template <class Keep, class T, int Items>
inline constexpr bool tells_kept =
    std::is_array_v<Keep>        ? std::is_arithmetic_v<std::remove_extent_t<Keep>> && std::extent_v<Keep> == Items
    : std::is_arithmetic_v<Keep> ? Items == 1
                                 : is_device_lambda<Keep> || std::is_invocable_r_v<bool, const Keep&, const T&>;

/// `valid`: how many of the values are there, which may be less than none or more than all.
template <int Items, class T, class Keep>
__device__ __forceinline__ item_flags<Items> find_kept(const T* values, const Keep& keep, int valid = Items) {
  item_flags<Items> flags;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if constexpr (std::is_array_v<Keep>) flags.of[i] = i < valid && keep[i] != 0;
    else if constexpr (std::is_arithmetic_v<Keep>) flags.of[i] = i < valid && keep != 0;
    else flags.of[i] = i < valid && keep(values[i]);
  }
  return flags;
}

/// The kept ones of the threads before the calling one, and of the block. Three votes add up the lanes with shorter
/// latency than shuffles; more votes would take more instructions than these.
template <int BlockSize, int Items, class Block>
__device__ __forceinline__ block_counts<int> count_kept(const Block& block, const item_flags<Items>& kept) {
  const int own = kept.count();
  int lanes_before;
  if constexpr (Items < 8) lanes_before = detail::sum_before_lane<Items>(own);
  else lanes_before = detail::scan_lanes(warp_tile<warp_size>{}, own, plus<int>{}, all_values) - own;
  return detail::add_warps<BlockSize>(block, own, lanes_before);
}

template <int BlockSize, int Items, class Block>
__device__ __forceinline__ kept_places<Items> rank_kept(const Block& block, const item_flags<Items>& kept,
                                                        call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_rank: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size, "gpuprim::block_rank: a block has 1 to 1024 threads");
  detail::expects_block<BlockSize>(block, "gpuprim::block_rank", here);
  auto [place, count] = detail::count_kept<BlockSize>(block, kept);
  kept_places<Items> ranked;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    ranked.places[i] = place;
    place += kept.of[i];
  }
  ranked.count = count;
  return ranked;
}

/// How many of the calling thread's values are among the first `valid_count` of the block, less than none or more than
/// all where it has none of them or others too.
template <int Items, class Block>
__device__ __forceinline__ int count_valid_items(const Block& block, int valid_count, [[maybe_unused]] call_site here) {
  expects(0 <= valid_count, "gpuprim::block_compact: valid_count must not be negative: it is %lld", here, valid_count);
  return valid_count - int(block.thread_rank()) * Items;
}

/// Stores the kept values side by side, the first at `place`. Behind a branch the compiler would find anew for each
/// value where shared memory begins, so several values go there without branches. Of most pointers it knows whether
/// they point there.
template <int Items, class T, class Out>
__device__ __forceinline__ void store_kept(const item_flags<Items>& kept, const T* values, Out out, int place) {
  if constexpr (Items > 1 && std::is_same_v<Out, T*>) {
    if (__isShared(out)) {
#pragma unroll
      for (int i = 0; i < Items; ++i) {
        ptx::store_shared_if(kept.of[i], out + place, values[i]);
        place += kept.of[i];
      }
      return;
    }
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (kept.of[i]) detail::assign(out[place], values[i]);
    place += kept.of[i];
  }
}

/// A thread's values: one, or an array of some.
template <class Values>
inline constexpr int items_of = std::is_array_v<Values> ? int(std::extent_v<Values>) : 1;
template <class Values>
__device__ __forceinline__ auto pointer_to_first(const Values& values) {
  if constexpr (std::is_array_v<Values>) return detail::pointer_to(values[0]);
  else return detail::pointer_to(values);
}

template <int BlockSize, int Items, class Block, class T, class Keep, class Out>
__device__ __forceinline__ int compact(const Block& block, const T* values, const Keep& keep, Out out, call_site here,
                                       int valid = Items) {
  static_assert(block_like<Block>, "gpuprim::block_compact: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size, "gpuprim::block_compact: a block has 1 to 1024 threads");
  static_assert(element<T>, "gpuprim::block_compact: the element type must be trivially copyable and assignable");
  static_assert(tells_kept<Keep, T, Items>,
                "gpuprim::block_compact: what is kept is told by a flag for each value, or by a predicate whose const "
                "operator() takes a value and returns a bool");
  static_assert(
      requires(Out to, int place) { to[place] = detail::convertible<decltype(to[place])>(values[0]); },
      "gpuprim::block_compact: the output must take values of the type");
  detail::expects_block<BlockSize>(block, "gpuprim::block_compact", here);
  const auto kept = detail::find_kept<Items>(values, keep, valid);
  const auto [before, count] = detail::count_kept<BlockSize>(block, kept);
  detail::store_kept(kept, values, out, before);
  return count;
}

}  // namespace detail

/// The bytes of a block_with_memory that block_rank, block_compact, block_append and block_partition need.
template <int BlockSize>
inline constexpr int block_compact_bytes = detail::compact_bytes<BlockSize>;

/// Numbers the threads of a block that keep something.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all, or
///        any number where it is left out.
/// @sync  two block barriers (none for a single warp): it may be called twice in a row. Accesses to shared memory
///        before and after it are ordered if the block has more than one warp.
/// @order the places follow the ranks.
/// @cost  one vote a warp, and one addition over the warps; 4 bytes of shared memory a warp (8 for sizes that are not a
///        multiple of 32, and those known at run time only). A block_with_memory has `block_compact_bytes<BlockSize>`,
///        no barrier is owed behind the call, and it has one more if there are more than 8 warps.
/// @return the number of threads before the calling one that keep theirs, and that of all in the block.
/// @source Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures", 2009.
/// @example examples/course/15_06_optional_step.cu
template <int BlockSize = runtime_block_size, class Block, class Flag>
__device__ __forceinline__ kept_place block_rank(const Block& block, const Flag& keep,
                                                 detail::call_site here = detail::call_site::current()) {
  static_assert(std::is_arithmetic_v<Flag>,
                "gpuprim::block_rank: what is kept is told by a flag, and not by a predicate: call that");
  const auto ranked = detail::rank_kept<BlockSize>(block, detail::item_flags<1>{{keep != 0}}, here);
  return {ranked.places[0], ranked.count};
}

/// Numbers those of `Items` values of each thread that are kept, those of rank 0 first. A warp makes a vote for each
/// bit of the number of items, or the shuffles of a scan if there are 8 items or more.
template <int BlockSize = runtime_block_size, class Block, class Flag, int Items>
__device__ __forceinline__ kept_places<Items> block_rank(const Block& block, const Flag (&keep)[Items],
                                                         detail::call_site here = detail::call_site::current()) {
  return detail::rank_kept<BlockSize>(block, detail::find_kept<Items>(keep, keep), here);
}

/// Writes the kept values of a block side by side, one of each thread or an array, those of rank 0 first.
///
/// @pre   as block_rank. `keep` is a predicate on a value, or a flag for each value: one, or an array. `out` is a
///        pointer to shared or global memory, or an iterator, with room for the kept values. It may point to where the
///        values were loaded from, if the block has more than one warp.
/// @sync  as block_rank, before the values are written: threads that read what others have written meet first.
/// @order kept.
/// @cost  block_rank, and one store a kept value: neighbours go to neighbours.
/// @return how many are kept, in every thread.
/// @source as block_rank.
/// @example examples/course/15_01_compaction.cu
template <int BlockSize = runtime_block_size, class Block, class Values, class Keep, class Out>
__device__ __forceinline__ int block_compact(const Block& block, const Values& values, const Keep& keep, Out out,
                                             detail::call_site here = detail::call_site::current()) {
  constexpr int items = detail::items_of<Values>;
  return detail::compact<BlockSize, items>(block, detail::pointer_to_first(values), keep, out, here);
}

/// Writes the kept ones of the first `valid_count` values of a block, as of the last tile of an array. Values behind
/// them are not looked at. A count above the number of values is that of all.
/// @pre as above, and 0 <= valid_count.
template <int BlockSize = runtime_block_size, class Block, class Values, class Keep, class Out>
__device__ __forceinline__ int block_compact(const Block& block, const Values& values, const Keep& keep, Out out,
                                             int valid_count, detail::call_site here = detail::call_site::current()) {
  constexpr int items = detail::items_of<Values>;
  const int valid = detail::count_valid_items<items>(block, valid_count, here);
  return detail::compact<BlockSize, items>(block, detail::pointer_to_first(values), keep, out, here, valid);
}

}  // namespace gpuprim
