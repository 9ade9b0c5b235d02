// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/radix_ranks.cuh>
#include <gpuprim/core/radix_digits.hpp>

namespace gpuprim::inline v0_2_0 {

namespace detail {

enum class sorted_layout { blocked, striped };

/// The bits of a digit in a block, in which each value of a digit has a thread.
template <int BlockSize>
inline constexpr int block_digit_bits = BlockSize >= 256   ? 8
                                        : BlockSize >= 128 ? 7
                                        : BlockSize >= 64  ? 6
                                                           : 5;

/// The shared memory in which a block counts digits.
template <int BlockSize>
using block_radix_places = radix_places<BlockSize / warp_size, 1 << block_digit_bits<BlockSize>>;

/// Moves values to their places among those of the block, and from there to the lanes of warps in rows.
template <int BlockSize, class Block, class Ranks, class T, int Items>
__device__ __forceinline__ void scatter_to_rows(const Block& block, const Ranks& placing, T (&values)[Items],
                                                const unsigned (&places)[Items], call_site here) {
  const auto tile = detail::make_scatter_tile<BlockSize, T, Items>(block);
  detail::store_at_ranks<BlockSize * Items>(tile, values, places, here);
  block.sync();
#pragma unroll
  for (int i = 0; i < Items; ++i) tile.load_at(unsigned(placing.number_of(i)), values[i]);
  block.sync();
}

/// Sorts `stored` keys, and values with them, if there are any, by the digits from one bit to another. `values`: of
/// each array `move(array)`.
template <sorted_layout Layout, int BlockSize, class Block, class Digits, class Stored, int Items, class... Value>
__device__ __forceinline__ void block_radix_sort(const Block& block, const Digits& order, int first_bit, int end_bit,
                                                 int valid_count, call_site here, Stored (&keys)[Items],
                                                 Value (&... values)[Items]) {
  constexpr int bits = block_digit_bits<BlockSize>;
  using ranks = radix_ranks<BlockSize, Items, bits>;
  using places_type = block_radix_places<BlockSize>;
  const ranks placing{detail::storage_of<places_type>(block)};
  gpuprim::block_blocked_to_warp_striped<BlockSize>(block, keys, here);
  (gpuprim::block_blocked_to_warp_striped<BlockSize>(block, values, here), ...);
#pragma unroll 1
  for (int bit = first_bit;; bit += bits) {
    unsigned digits[Items], places[Items];
    const unsigned mask = bit < end_bit ? detail::digit_mask<bits>(bit, end_bit) : 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const bool is_there = detail::is_valid(placing.number_of(i), valid_count);
      digits[i] = is_there ? order.digit(keys[i], bit, mask) : ranks::bins - 1;
    }
    const unsigned count = placing.count(digits);
    const unsigned begin = gpuprim::block_exclusive_scan<BlockSize>(detail::memory_behind<sizeof(places_type)>(block),
                                                                    count, plus<unsigned>{});
    placing.place(digits, begin, places);
    detail::leave_memory(block);  // where keys go next
    const bool is_last = bit + bits >= end_bit;
    const auto move = [&](auto& items) {
      if (!is_last) detail::scatter_to_rows<BlockSize>(block, placing, items, places, here);
      else if constexpr (Layout == sorted_layout::blocked) {
        gpuprim::block_scatter_to_blocked<BlockSize>(block, items, places, here);
      } else {
        gpuprim::block_scatter_to_striped<BlockSize>(block, items, places, here);
      }
    };
    move(keys);
    (move(values), ...);
    if (is_last) break;
  }
}

template <int BlockSize, int Items, class... Values>
inline constexpr int radix_sort_bytes = detail::larger(
    block_exchange_bytes<BlockSize, Items, Values...>,
    detail::bytes_of_parts(sizeof(block_radix_places<BlockSize>), scan_memory_bytes<BlockSize, unsigned>));

template <sorted_layout Layout, int BlockSize, class Block, class Key, int Items, class Order, class... Value>
__device__ __forceinline__ void block_radix_sort_keys(const Block& block, const Order& order, int valid_count,
                                                      call_site here, Key (&keys)[Items], Value (&... values)[Items]) {
  static_assert(is_radix_order<Order>,
                "gpuprim::block_radix_sort: the order must be gpuprim::ascending or gpuprim::descending");
  static_assert(BlockSize % warp_size == 0, "gpuprim::block_radix_sort: BlockSize must be a multiple of 32");
  static_assert(has_radix_key<Key> || is_wide_integer<Key> || !std::is_same_v<decltype(Order::projection), whole_key>,
                "gpuprim::block_radix_sort: keys that are no numbers need ascending.by(projection), where "
                "projection(key) is a number or a gpuprim::tuple of numbers");
  const auto digits = detail::digits_of<Key>(order);
  using digits_type = std::remove_const_t<decltype(digits)>;
  const int key_bits = digits_type::bits, first_bit = order.first_bit;
  const int end_bit = 0 > order.end_bit ? key_bits : order.end_bit;
  expects(0 <= first_bit && first_bit <= end_bit && end_bit <= key_bits,
          "gpuprim::block_radix_sort: the order compares bits that a key does not have: from %lld to %lld, of %lld",
          here, first_bit, end_bit, key_bits);
  detail::expects_memory<detail::radix_sort_bytes<BlockSize, Items, Key, Value...>>(block, here);
  expects(valid_count >= 0, "gpuprim::block_radix_sort: valid_count must not be negative: it is %lld", here,
          valid_count);
  uninitialized_array<typename digits_type::stored, Items> stored;
#pragma unroll
  for (int i = 0; i < Items; ++i) stored[i] = digits.store(keys[i]);
  const bool has_bits = first_bit < end_bit;  // else a word is not shifted by all that it has
  detail::block_radix_sort<Layout, BlockSize>(block, digits, has_bits ? first_bit : 0, has_bits ? end_bit : 0,
                                              valid_count, here, stored.items, values...);
#pragma unroll
  for (int i = 0; i < Items; ++i) keys[i] = digits.load(stored[i]);
}

}  // namespace detail

/// The bytes of a block_with_memory that block_radix_sort of `Items` keys a thread needs, and of values beside them if
/// they are named. Keys and digits lie there in turn.
template <int BlockSize, int Items, class Key, class... Value>
inline constexpr int block_radix_sort_bytes = detail::radix_sort_bytes<BlockSize, Items, Key, Value...>;

/// Sorts the keys of a block by their digits: the first of them are rank 0's.
///
/// @pre   All threads of the block call it. The block has one, two or three dimensions and BlockSize threads in all, a
///        multiple of 32; its keys take at most 48 KiB, and so do its values; or the block is a block_with_memory of
///        `block_radix_sort_bytes<BlockSize, Items, Key, Value>`. Keys are numbers, 8-bit floats or integers of 128
///        bits. `order`: `ascending` or `descending`, with a projection of other keys, and a range of bits if not all
///        are compared. 0 <= valid_count: of the keys only that many of the first are sorted; what stands behind them
///        is unspecified.
/// @sync  six block barriers for each digit, seven in a block_with_memory: it may be called twice in a row. Accesses to
///        shared memory before and after it are ordered.
/// @order stable: equal keys stay in their order. -0 and +0 are equal; NaN come last in ascending order, or first if
///        their sign bit is set.
/// @cost  for each 8 bits (7 in blocks of 128 threads, 6 of 64, 5 of 32) votes and some accesses of shared memory for
///        each key. Shared memory: that of block_scatter_to_blocked and of block_blocked_to_warp_striped for the keys,
///        and for values that take more or less bytes than those. Beside it 4 bytes for each warp and value of a digit,
///        and those of block_exclusive_scan; in a block_with_memory, behind which no barrier is owed, all lie in
///        one place in turn.
/// @source Merrill and Grimshaw, "High Performance and Scalable Radix Sorting", 2011; cub::BlockRadixSort.
/// @example examples/library/83_block_sort.cu
template <int BlockSize, class Block, class Key, int Items, class Order = radix_order<sort_direction::ascending>>
__device__ __forceinline__ void block_radix_sort(const Block& block, Key (&keys)[Items], const Order& order = {},
                                                 int valid_count = detail::all_values,
                                                 detail::call_site here = detail::call_site::current()) {
  detail::block_radix_sort_keys<detail::sorted_layout::blocked, BlockSize>(block, order, valid_count, here, keys);
}

/// Sorts the keys of a block and moves a value along with each.
template <int BlockSize, class Block, class Key, class Value, int Items,
          class Order = radix_order<sort_direction::ascending>>
__device__ __forceinline__ void block_radix_sort(const Block& block, Key (&keys)[Items], Value (&values)[Items],
                                                 const Order& order = {}, int valid_count = detail::all_values,
                                                 detail::call_site here = detail::call_site::current()) {
  detail::block_radix_sort_keys<detail::sorted_layout::blocked, BlockSize>(block, order, valid_count, here, keys,
                                                                           values);
}

/// Sorts the keys of a block, and leaves them striped: key `i * BlockSize + r` of the result is key `i` of rank `r`, as
/// stores to memory want it. In all else like block_radix_sort.
template <int BlockSize, class Block, class Key, int Items, class Order = radix_order<sort_direction::ascending>>
__device__ __forceinline__ void block_radix_sort_to_striped(const Block& block, Key (&keys)[Items],
                                                            const Order& order = {},
                                                            int valid_count = detail::all_values,
                                                            detail::call_site here = detail::call_site::current()) {
  detail::block_radix_sort_keys<detail::sorted_layout::striped, BlockSize>(block, order, valid_count, here, keys);
}

/// Sorts the keys of a block, moves a value along with each, and leaves both striped.
template <int BlockSize, class Block, class Key, class Value, int Items,
          class Order = radix_order<sort_direction::ascending>>
__device__ __forceinline__ void block_radix_sort_to_striped(const Block& block, Key (&keys)[Items],
                                                            Value (&values)[Items], const Order& order = {},
                                                            int valid_count = detail::all_values,
                                                            detail::call_site here = detail::call_site::current()) {
  detail::block_radix_sort_keys<detail::sorted_layout::striped, BlockSize>(block, order, valid_count, here, keys,
                                                                           values);
}

}  // namespace gpuprim
