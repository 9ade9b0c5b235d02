// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/warp/warp_scan.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Whether one instruction joins the totals of warps. Its result before the first warp is the identity.
template <int BlockSize, class T, class Op>
inline constexpr bool joins_totals_by_redux =
    (BlockSize > warp_size) && BlockSize % warp_size == 0 && warp_uses_redux<warp_tile<warp_size>, T, Op>;

/// Whether each thread joins the totals of the warps before its own one after the other: few and short ones, which stay
/// in registers. Else the first warp scans them for all.
template <int BlockSize, class T>
inline constexpr bool joins_totals_in_turn = BlockSize > 0 && max_warps<BlockSize> <= 8 &&
                                             max_warps<BlockSize> * sizeof(T) <= 64;

/// A value of each warp, aligned for wide loads.
template <int BlockSize, class T>
struct alignas(16) alignas(T) warp_values : shared_array<T, max_warps<BlockSize>> {};

/// What a scan has in shared memory.
template <int BlockSize, class T>
struct warp_totals {
  warp_values<BlockSize, T> totals;
};
template <int BlockSize, class T>
struct warp_totals_and_prefixes {
  warp_values<BlockSize, T> totals, prefixes;
};
template <int BlockSize, class T, class Op>
using scan_storage = std::conditional_t<joins_totals_by_redux<BlockSize, T, Op> || joins_totals_in_turn<BlockSize, T>,
                                        warp_totals<BlockSize, T>, warp_totals_and_prefixes<BlockSize, T>>;

/// From the scan of each warp finds op over the start, if there is one, and the warps before the calling one. Two
/// barriers: the second lets the shared memory be used again at once.
template <int BlockSize, class Block, class T, class Op>
__device__ __forceinline__ T join_warps_before(const Block& block, T value, const Op& op, int count,
                                               const scan_ends<T>& ends) {
  constexpr int warps = max_warps<BlockSize>;
  constexpr bool has_whole_warps = BlockSize > 0 && BlockSize % warp_size == 0;
  const unsigned rank = unsigned(block.thread_rank()), lane = rank % warp_size;
  const int warp = int(rank / warp_size), valid_warps = (count + warp_size - 1) / warp_size;
  const bool is_whole = has_whole_warps && count == BlockSize;
  const bool ends_warp = lane == warp_size - 1;
  auto& shared = detail::storage_of<scan_storage<BlockSize, T, Op>>(block);
  auto& totals = shared.totals;
  const bool ends_part = is_whole ? ends_warp : int(rank) < count && (ends_warp || int(rank) == count - 1);
  ptx::store_shared_if(ends_part, totals.data() + warp, value);
  block.sync();
  if constexpr (joins_totals_by_redux<BlockSize, T, Op>) {
    const T none = static_cast<T>(identity_element<Op, T>::value());
    const T of_lane = int(lane) < valid_warps ? totals[int(lane)] : none;
    block.sync();
    const T before = ptx::redux<Op>(0xffffffffu, int(lane) < warp ? of_lane : none);
    if (ends.total != nullptr) {
      const T total = ptx::redux<Op>(0xffffffffu, of_lane);
      *ends.total = ends.has_start ? op(ends.start, total) : total;
    }
    return ends.has_start ? op(ends.start, before) : before;
  } else if constexpr (joins_totals_in_turn<BlockSize, T>) {
    uninitialized_array<T, warps> all;
#pragma unroll
    for (int i = 0; i < warps; ++i) {
      if (i < valid_warps) all[i] = totals[i];
    }
    block.sync();
    T first = ends.start;
    if (!ends.is_of_none()) first = ends.has_start ? op(ends.start, all[0]) : all[0];
    T before = ends.has_start && warp == 0 ? ends.start : first, total = first;
#pragma unroll
    for (int i = 1; i < warps; ++i) {
      if (i < warps - 1 && i < warp && i < valid_warps) before = op(before, all[i]);
      if (ends.total != nullptr && i < valid_warps) total = op(total, all[i]);
    }
    if (ends.total != nullptr) *ends.total = total;
    return before;
  } else {
    auto& prefixes = shared.prefixes;
    if (has_whole_warps ? detail::is_in_first_warps(block) : rank < warp_size) {
      if (int(rank) < valid_warps) value = totals[int(rank)];
      if (ends.has_start && rank == 0 && !ends.is_of_none()) value = op(ends.start, value);
      value = detail::scan_lanes<max_warps<BlockSize>>(warp_tile<warp_size>{}, value, op, valid_warps);
      if (int(rank) < valid_warps) prefixes[int(rank)] = value;
    }
    block.sync();
    if (ends.total != nullptr) *ends.total = ends.is_of_none() ? ends.start : prefixes[valid_warps - 1];
    const T before = warp > 0 ? prefixes[warp - 1] : ends.start;
    detail::leave_memory(block);
    return before;
  }
}

template <int BlockSize, class T>
inline constexpr int scan_memory_bytes = max_warps<BlockSize> > 1 ? int(sizeof(warp_totals_and_prefixes<BlockSize, T>))
                                                                  : 0;

template <scan_kind Kind, int BlockSize, class Block, class T, class Op>
__device__ __forceinline__ T block_scan(const Block& block, const T& value, const Op& op, const scan_ends<T>& ends,
                                        call_site here) {
  static_assert(block_like<Block>, "gpuprim::block_scan: the group must be a thread block");
  static_assert(BlockSize >= 0 && BlockSize <= max_block_size, "gpuprim::block_scan: a block has 1 to 1024 threads");
  static_assert(element<T>, "gpuprim::block_scan: the element type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, T>,
                "gpuprim::block_scan: the operator's const operator() must take two values of the type and return one");
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_scan", here);
  detail::expects_whole_block(here);
  detail::expects_memory<detail::scan_memory_bytes<BlockSize, T>>(block, here);
  expects(0 <= ends.valid_count, "gpuprim::block_scan: valid_count must not be negative: it is %lld", here,
          ends.valid_count);
  const warp_tile<warp_size> tile;
  const int rank = int(block.thread_rank()), threads = detail::block_threads<BlockSize>(block);
  const int count = threads > ends.valid_count ? ends.valid_count : threads;
  const bool is_valid = detail::is_valid(rank, ends.valid_count);
  const int valid_lanes = ends.valid_count == all_values ? all_values : count - rank / warp_size * warp_size;
  T prefix = detail::scan_lanes(tile, value, op, valid_lanes);
  const bool has_before = ends.has_start || rank >= warp_size || joins_totals_by_redux<BlockSize, T, Op>;
  T before = ends.start;
  if constexpr (max_warps<BlockSize> > 1) {
    before = detail::join_warps_before<BlockSize>(block, prefix, op, count, ends);
  } else if (ends.total != nullptr) {
    const T total = detail::shuffle(tile, prefix, ends.is_of_none() ? 0 : count - 1);
    if (ends.is_of_none()) *ends.total = ends.start;
    else *ends.total = ends.has_start ? op(ends.start, total) : total;
  }
  if constexpr (Kind == scan_kind::exclusive && !can_subtract<Op, T>) {
    const auto earlier = detail::shuffle_up(tile, prefix, 1u);
    if (!earlier.is_there) return has_before ? before : ends.start;
    prefix = earlier.value;
  }
  if (has_before && is_valid) prefix = op(before, prefix);
  if constexpr (Kind == scan_kind::exclusive && can_subtract<Op, T>) prefix = detail::subtract(prefix, value);
  return prefix;
}

/// What a scan starts from, if a function finds it that is called with the block's aggregate.
template <class Function>
struct called_ends {
  Function& function;
  int valid_count;
  static constexpr bool has_start = true;
};

template <scan_kind Kind, class Op, class Last, class T>
__device__ __forceinline__ auto find_block_ends(const T& value, std::remove_reference_t<Last>& last,
                                                int valid_count = all_values) {
  if constexpr (is_prefix_callback<std::remove_cvref_t<Last>>) {
    return called_ends<std::remove_reference_t<decltype(last.function)>>{last.function, valid_count};
  } else {
    return detail::find_ends<Kind, Op, Last>(value, last, valid_count);
  }
}

/// Scans the values of a block, and then joins each result with the prefix that the function finds.
template <scan_kind Kind, int BlockSize, class Block, class T, class Op, class Function>
__device__ __forceinline__ T block_scan(const Block& block, const T& value, const Op& op,
                                        const called_ends<Function>& ends, call_site here) {
  T prefix = detail::identity_or<Op>(value);
  const scan_ends<T> of_block{prefix, false, detail::pointer_to(prefix), ends.valid_count};
  const T own = detail::block_scan<Kind, BlockSize>(block, value, op, of_block, here);
  static_assert(initial_value_for<decltype(ends.function(prefix)), T>,
                "gpuprim::block_scan: what a prefix_callback returns must convert to the type of the values");
  const int rank = int(block.thread_rank());
  if (rank < warp_size) prefix = detail::convert<T>(ends.function(prefix));
  prefix = detail::block_broadcast<BlockSize>(block, prefix);
  if (Kind == scan_kind::exclusive && rank == 0) return prefix;
  return detail::is_valid(rank, ends.valid_count) ? op(prefix, own) : own;
}

/// Scans `Items` values of each thread in place: first its own, then those of the threads before.
template <scan_kind Kind, int BlockSize, class Block, class T, int Items, class Op, class Ends>
__device__ __forceinline__ void block_scan_items(const Block& block, T (&values)[Items], const Op& op, const Ends& ends,
                                                 call_site here) {
  const T own = gpuprim::thread_inclusive_scan(values, op);
  const T prefix = detail::block_scan<scan_kind::exclusive, BlockSize>(block, own, op, ends, here);
  if constexpr (Kind == scan_kind::inclusive) {
    const bool has_prefix = ends.has_start || block.thread_rank() > 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (has_prefix) values[i] = op(prefix, values[i]);
    }
  } else {
#pragma unroll
    for (int i = Items - 1; i > 0; --i) values[i] = op(prefix, values[i - 1]);
    values[0] = prefix;
  }
}

}  // namespace detail

/// The bytes of a block_with_memory that scans of a block need, also where a thread has several values.
template <int BlockSize, class T>
inline constexpr int block_scan_bytes = detail::scan_memory_bytes<BlockSize, T>;

/// Scans the values of a block: each thread gets op over the threads up to its own.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all, or
///        any number where it is left out. 0 <= valid_count: results of threads behind it are unspecified, and the
///        operator does not see their values. The total of none is what the scan starts from or, without that, the
///        identity, if there is one.
/// @sync  two block barriers, three in a block_with_memory of many warps or long values (none for a single warp): it
///        may be called twice in a row. Accesses to shared memory before and after it are ordered if the block has more
///        than one warp. A prefix_callback is called by the lanes of the first warp, once each, while the other warps
///        wait, and takes one barrier more, or two in a block_with_memory.
/// @order kept, by a tree that depends on the block's size and the thread alone.
/// @cost  one warp scan a warp, then each thread joins the totals of the warps before, or the first warp scans those of
///        many; at most 2 * sizeof(T) bytes of shared memory a warp. A block_with_memory has
///        `block_scan_bytes<BlockSize, T>`, and no barrier is owed behind it.
/// @return op over the threads up to the calling one. `last` may be left out or `{}`. A `total_to{x}` there has x take
///         the total, in every thread; a `running_prefix` joins as a value before the first, and then takes the total;
///         a `prefix_callback{f}` calls f with the block's aggregate, and rank 0's result joins as a value before the
///         first.
/// @source Sengupta, Harris and Garland, "Efficient parallel scan algorithms for GPUs", 2008.
/// @example examples/library/49_scan_levels.cu
template <int BlockSize = runtime_block_size, class Block, class T, class Op, class Last = detail::no_end>
__device__ __forceinline__ T block_inclusive_scan(const Block& block, T value, const Op& op, Last&& last = {},
                                                  int valid_count = detail::all_values,
                                                  detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_block_ends<detail::scan_kind::inclusive, Op, Last>(value, last, valid_count);
  return detail::block_scan<detail::scan_kind::inclusive, BlockSize>(block, value, op, ends, here);
}

/// Scans `Items` values of each thread of a block in place, those of rank 0 first.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Op, class Last = detail::no_end>
__device__ __forceinline__ void block_inclusive_scan(const Block& block, T (&values)[Items], const Op& op,
                                                     Last&& last = {},
                                                     detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_block_ends<detail::scan_kind::inclusive, Op, Last>(values[0], last);
  detail::block_scan_items<detail::scan_kind::inclusive, BlockSize>(block, values, op, ends, here);
}

/// Scans the values of a block: each thread gets op over the threads before its own, and rank 0 the initial value or,
/// without one, the identity. `last` is as in block_inclusive_scan, or an expression: the initial value.
template <int BlockSize = runtime_block_size, class Block, class T, class Op, class Last = detail::no_end>
__device__ __forceinline__ T block_exclusive_scan(const Block& block, T value, const Op& op, Last&& last = {},
                                                  detail::call_site here = detail::call_site::current()) {
  static_assert(has_identity<Op, T> || detail::gives_start<Last>,
                "gpuprim::block_exclusive_scan: the operator has no identity for this type; pass an initial value");
  const auto ends = detail::find_block_ends<detail::scan_kind::exclusive, Op, Last>(value, last);
  return detail::block_scan<detail::scan_kind::exclusive, BlockSize>(block, value, op, ends, here);
}

/// Scans the values of the first `valid_count` threads of a block. `last` is as in block_inclusive_scan;
/// `running_prefix{init}` is an initial value.
template <int BlockSize = runtime_block_size, class Block, class T, class Op, class Last = detail::no_end>
  requires detail::is_scan_end<Last>
__device__ __forceinline__ T block_exclusive_scan(const Block& block, T value, const Op& op, Last&& last,
                                                  std::integral auto valid_count,
                                                  detail::call_site here = detail::call_site::current()) {
  static_assert(has_identity<Op, T> || detail::gives_start<Last>,
                "gpuprim::block_exclusive_scan: the operator has no identity for this type; pass an initial value");
  const auto ends = detail::find_block_ends<detail::scan_kind::exclusive, Op, Last>(value, last, valid_count);
  return detail::block_scan<detail::scan_kind::exclusive, BlockSize>(block, value, op, ends, here);
}

/// Scans from an initial value, which the total that every thread gets contains.
template <int BlockSize = runtime_block_size, class Block, class T, class Op, class Init>
  requires(!detail::is_scan_end<Init>)
__device__ __forceinline__ T block_exclusive_scan(const Block& block, T value, const Op& op, Init init,
                                                  std::type_identity_t<T>& total, int valid_count = detail::all_values,
                                                  detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_ends_with_total<Op>(value, init, total, valid_count);
  return detail::block_scan<detail::scan_kind::exclusive, BlockSize>(block, value, op, ends, here);
}

/// Scans `Items` values of each thread of a block in place, those of rank 0 first.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Op, class Last = detail::no_end>
__device__ __forceinline__ void block_exclusive_scan(const Block& block, T (&values)[Items], const Op& op,
                                                     Last&& last = {},
                                                     detail::call_site here = detail::call_site::current()) {
  static_assert(has_identity<Op, T> || detail::gives_start<Last>,
                "gpuprim::block_exclusive_scan: the operator has no identity for this type; pass an initial value");
  const auto ends = detail::find_block_ends<detail::scan_kind::exclusive, Op, Last>(values[0], last);
  detail::block_scan_items<detail::scan_kind::exclusive, BlockSize>(block, values, op, ends, here);
}

/// Scans `Items` values of each thread from an initial value, which the total that every thread gets contains.
template <int BlockSize = runtime_block_size, class Block, class T, int Items, class Op, class Init>
  requires(!detail::is_scan_end<Init>)
__device__ __forceinline__ void block_exclusive_scan(const Block& block, T (&values)[Items], const Op& op, Init init,
                                                     std::type_identity_t<T>& total,
                                                     detail::call_site here = detail::call_site::current()) {
  const auto ends = detail::find_ends_with_total<Op>(values[0], init, total);
  detail::block_scan_items<detail::scan_kind::exclusive, BlockSize>(block, values, op, ends, here);
}

}  // namespace gpuprim
