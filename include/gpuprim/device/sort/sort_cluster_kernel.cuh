// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Shape, class Arrays>
struct sort_cluster_shared {
  typename sort_items<Shape, Arrays>::ranks::storage counts;
  std::uint32_t totals[Shape::bins];  ///< of the block's digits, for the other blocks
  shared_array<typename Arrays::stored, Shape::tile_items> keys;
  [[no_unique_address]] sort_values<typename Arrays::value_type, Shape::tile_items> values;
};

/// Sorts what the blocks of one cluster hold in their registers, digit by digit. They exchange how many keys of each
/// digit each block has, and then move keys and values to where they go, in the shared memory of the block that has
/// the place.
template <class Shape, class Arrays>
__global__ void __launch_bounds__(Shape::block_size, 1)
    sort_cluster_kernel(Arrays arrays, int first_bit, int end_bit) {
  constexpr int items = Shape::items, tile_items = Shape::tile_items;
  using ranks = typename sort_items<Shape, Arrays>::ranks;
  auto& shared = *dynamic_shared<sort_cluster_shared<Shape, Arrays>>();
  const this_block block;
  const ranks placing{shared.counts};
  const int own = int(ptx::cluster_rank()), blocks = int(ptx::cluster_size());
  const std::int64_t first = std::int64_t(own) * tile_items, left = arrays.n - first;
  ptx::begin_kernel();
  sort_items<Shape, Arrays> tile(arrays, placing, left < tile_items ? int(left) : tile_items);
  tile.read_keys(first);
  tile.read_values(first);
#pragma unroll 1
  for (int bit = first_bit; bit < end_bit; bit += Shape::digit_bits) {
    unsigned digits[items], places[items];
    tile.find_digits(bit, detail::digit_mask<Shape::digit_bits>(bit, end_bit), digits);
    const unsigned count = placing.count(digits);
    if (placing.rank < Shape::bins) shared.totals[placing.rank] = count;
    ptx::sync_cluster();
    unsigned before = 0, sum = 0;
    if (placing.rank < Shape::bins) {
      for (int b = 0; b < blocks; ++b) {
        const unsigned there = *ptx::shared_of_block(&shared.totals[placing.rank], unsigned(b));
        if (b < own) before += there;
        sum += there;
      }
    }
    before += gpuprim::block_exclusive_scan<Shape::block_size>(block, sum, plus<unsigned>{});
    placing.place(digits, before, places);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const unsigned to = places[i] / tile_items, at = places[i] % tile_items;
      *ptx::shared_of_block(&shared.keys[int(at)], to) = tile.keys[i];
      if constexpr (Arrays::has_values) *ptx::shared_of_block(&shared.values[int(at)], to) = tile.values[i];
    }
    ptx::sync_cluster();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      tile.keys[i] = shared.keys[placing.number_of(i)];
      if constexpr (Arrays::has_values) tile.values[i] = shared.values[placing.number_of(i)];
    }
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const std::int64_t at = first + placing.number_of(i);
    if (!tile.is_valid(i)) continue;
    arrays.keys_out[at] = arrays.digits.load(tile.keys[i]);
    if constexpr (Arrays::has_values) arrays.values_out[at] = tile.values[i];
  }
}

}  // namespace gpuprim::detail
