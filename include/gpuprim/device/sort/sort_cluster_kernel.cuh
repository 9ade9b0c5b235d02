// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/sort/sort_pass_kernel.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class Shape, class Arrays>
struct sort_cluster_shared {
  using place = std::conditional_t<Arrays::has_values, std::uint32_t, no_values>;
  typename radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>::storage counts;
  std::uint32_t totals[Shape::bins];  ///< of the block's digits, for the other blocks
  std::uint32_t begins[Shape::bins];  ///< where a digit's keys go in the cluster, less where they begin in the block
  /// The block's keys by their digits, and those that the blocks have put there for it. If there are values, also where
  /// the keys come from.
  shared_array<typename Arrays::stored, Shape::tile_items> sent, received;
  [[no_unique_address]] sort_values<place, Shape::tile_items> sent_from;
  [[no_unique_address]] sort_values<place, Shape::tile_items> received_from;
};

/// Sorts an array that the blocks of one cluster hold, `share` keys each, digit by digit. A block first moves its keys
/// together by their digits. So what it then puts into the shared memory of others goes there in rows. Keys move with
/// the places that they come from; the values are fetched from there at the end. The share is a multiple of 32, so that
/// only the last block may have a row with places behind its keys; they count as greatest, and stay there.
template <class Shape, class Arrays>
__global__ void __launch_bounds__(Shape::block_size, 1)
    sort_cluster_kernel(Arrays arrays, unsigned share, int first_bit, int end_bit) {
  constexpr int items = Shape::items, block_size = Shape::block_size, bins = Shape::bins;
  using ranks = radix_ranks<block_size, items, Shape::digit_bits>;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  auto& shared = *dynamic_shared<sort_cluster_shared<Shape, Arrays>>();
  const this_block block;
  const unsigned own = ptx::cluster_rank(), blocks = ptx::cluster_size();
  const std::int64_t first = std::int64_t(own) * share, left = arrays.n - first;
  const int count = left < 0 ? 0 : left < share ? int(left) : int(share);
  const ranks placing = ranks::spread(shared.counts, count);
  const int rank = placing.rank;
  const unsigned of_one = 0xffffffffu / share + 1;  // multiplied by a place: the block that has it, in the upper half
  uninitialized_array<typename Arrays::stored, items> keys;
  unsigned digits[items], places[items], from[items];
  ptx::begin_kernel();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i >= placing.used) break;
    const int number = placing.number_of(i);
    from[i] = unsigned(first) + unsigned(number);
    if (number >= count) continue;
    const key read = arrays.keys[first + number];
    keys[i] = arrays.digits.store(read);
  }
#pragma unroll 1
  for (int bit = first_bit; bit < end_bit; bit += Shape::digit_bits) {
    const unsigned mask = detail::digit_mask<Shape::digit_bits>(bit, end_bit);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used) break;
      digits[i] = placing.number_of(i) < count ? arrays.digits.digit(keys[i], bit, mask) : bins - 1;
    }
    const unsigned of_digit = placing.count(digits);
    if (rank < bins) shared.totals[rank] = of_digit;
    ptx::sync_cluster();
    unsigned before = 0, sum = 0;
    if (rank < bins) {
#pragma unroll 4
      for (unsigned b = 0; b < blocks; ++b) {
        const unsigned there = *ptx::shared_of_block(&shared.totals[rank], b);
        if (b < own) before += there;
        sum += there;
      }
    }
    // One scan for both: of the cluster's digits in the upper half, and of the block's.
    const std::uint64_t begins =
        gpuprim::block_exclusive_scan<block_size>(block, std::uint64_t(sum) << 32 | of_digit, plus<std::uint64_t>{});
    const unsigned begin = unsigned(begins);
    if (rank < bins) shared.begins[rank] = unsigned(begins >> 32) + before - begin;
    placing.place(digits, begin, places);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used) break;
      if (placing.number_of(i) >= count) continue;
      shared.sent[int(places[i])] = keys[i];
      if constexpr (Arrays::has_values) shared.sent_from[int(places[i])] = from[i];
    }
    block.sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = i * block_size + rank;
      if (at >= count) break;
      const auto& moved = shared.sent[at];
      const unsigned place = shared.begins[arrays.digits.digit(moved, bit, mask)] + unsigned(at);
      const unsigned to = __umulhi(place, of_one);
      const int there = int(place - to * share);
      *ptx::shared_of_block(detail::pointer_to(shared.received[there]), to) = moved;
      if constexpr (Arrays::has_values) {
        *ptx::shared_of_block(&shared.received_from[there], to) = shared.sent_from[at];
      }
    }
    ptx::sync_cluster();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used) break;
      if (placing.number_of(i) >= count) continue;
      keys[i] = shared.received[placing.number_of(i)];
      if constexpr (Arrays::has_values) from[i] = shared.received_from[placing.number_of(i)];
    }
  }
  uninitialized_array<typename Arrays::value_type, items> values;
  if constexpr (Arrays::has_values) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i < placing.used && placing.number_of(i) < count) values[i] = arrays.values[from[i]];
    }
    // All are read before any is written: the output may be the input. A key's place only its thread has read.
    ptx::sync_cluster();
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::int64_t at = first + placing.number_of(i);
    if (i >= placing.used || placing.number_of(i) >= count) break;
    arrays.keys_out[at] = arrays.digits.load(keys[i]);
    if constexpr (Arrays::has_values) arrays.values_out[at] = values[i];
  }
}

}  // namespace gpuprim::detail
