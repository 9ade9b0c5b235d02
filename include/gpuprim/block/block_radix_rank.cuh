// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/radix_ranks.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <int BlockSize, int DigitBits>
using ranked_places = radix_places<BlockSize / warp_size, 1 << DigitBits>;

}  // namespace detail

/// The bytes of a block_with_memory that block_radix_rank needs.
template <int BlockSize, int DigitBits>
inline constexpr int block_radix_rank_bytes =
    detail::bytes_of_parts(sizeof(detail::ranked_places<BlockSize, DigitBits>), block_scan_bytes<BlockSize, unsigned>);

/// Finds where each item of a block goes if they are sorted by one digit, as a pass of a radix sort does, or a
/// partition into many parts. `block_scatter_to_blocked` and `block_scatter_to_striped` move the items there.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all, a
///        multiple of 32 and at least `1 << DigitBits`; DigitBits is 1 to 8. Digits are unsigned integers below
///        `1 << DigitBits`, and are striped over each warp, as block_blocked_to_warp_striped leaves them: item `i` of a
///        lane is number `i * 32 + lane` of its warp's items. If only the first items count, those behind them have the
///        last digit. `ranks` may be `digits`, if their type holds all ranks.
/// @sync  two block barriers and those of block_exclusive_scan, and one more in a block_with_memory: it may be called
///        twice in a row. Accesses to shared memory before and after it are ordered.
/// @order items of equal digits keep their order.
/// @cost  an atomic addition in shared memory, DigitBits votes and some accesses of shared memory for each item;
///        `4 << DigitBits` bytes of shared memory for each warp, and those of block_exclusive_scan. A block_with_memory
///        has `block_radix_rank_bytes<BlockSize, DigitBits>`, and no barrier is owed behind it.
/// @return thread d: how many items of the block have a digit below d, which is the number of all items in threads from
///         `1 << DigitBits` on. `ranks` takes the ranks, from 0 on.
/// @source Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022;
///         cub::BlockRadixRankMatch.
/// @example examples/library/83_block_sort.cu
template <int BlockSize, int DigitBits, class Block, class Digit, class Rank, int Items>
__device__ __forceinline__ int block_radix_rank(const Block& block, const Digit (&digits)[Items], Rank (&ranks)[Items],
                                                detail::call_site here = detail::call_site::current()) {
  static_assert(block_like<Block>, "gpuprim::block_radix_rank: the group must be a thread block");
  static_assert(DigitBits >= 1 && DigitBits <= 8, "gpuprim::block_radix_rank: a digit has 1 to 8 bits");
  static_assert(BlockSize % warp_size == 0 && BlockSize >= 1 << DigitBits && BlockSize <= max_block_size,
                "gpuprim::block_radix_rank: BlockSize must be a multiple of 32, and each digit needs a thread");
  static_assert(std::is_unsigned_v<Digit> && std::is_integral_v<Rank>,
                "gpuprim::block_radix_rank: digits must be unsigned integers, and ranks integers");
  constexpr int last_rank = BlockSize * Items - 1;
  static_assert(int(static_cast<Rank>(last_rank)) == last_rank,
                "gpuprim::block_radix_rank: the type of the ranks does not hold the number of the last item");
  using placing = detail::radix_ranks<BlockSize, Items, DigitBits>;
  detail::expects_memory<block_radix_rank_bytes<BlockSize, DigitBits>>(block, here);
  detail::expects_block_size<BlockSize>(block, "gpuprim::block_radix_rank", here);
  detail::expects_whole_block(here);
  constexpr int bins = 1 << DigitBits;
  for (const Digit digit : digits) {
    detail::expects(static_cast<std::uint64_t>(digit) < bins,
                    "gpuprim::block_radix_rank: a digit is %lld, of %lld values", here, digit, bins);
  }
  const placing items{detail::storage_of<detail::ranked_places<BlockSize, DigitBits>>(block)};
  const auto digit_of = [&](int i) { return unsigned(digits[i]); };
  const unsigned count = items.count_each(digit_of);
  const unsigned begin = gpuprim::block_exclusive_scan<BlockSize>(
      detail::memory_behind<sizeof(typename placing::storage)>(block), count, plus<unsigned>{}, {}, here);
  items.place_each(digit_of, begin, [&](int i, unsigned place) { ranks[i] = static_cast<Rank>(place); });
  detail::leave_memory(block);
  return int(begin);
}

}  // namespace gpuprim
