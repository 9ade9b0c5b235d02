// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/sort/segmented_sort_state.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Shape, class Arrays>
struct segmented_sort_block_shared {
  static_assert(Shape::tile_items <= 0x10000);
  typename radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>::storage counts;
  shared_array<typename Arrays::stored, Shape::tile_items> keys;
  /// Of the keys before the sort, if there are values.
  [[no_unique_address]] sort_values<std::conditional_t<Arrays::has_values, std::uint16_t, no_values>, Shape::tile_items>
      places;
};

/// Sorts segments that a block holds, each digit by digit. Keys move with the places that they come from; the values
/// are fetched from there at the end.
template <class Shape, int BlocksPerMultiprocessor, class Arrays, class Spans>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    segmented_sort_block_kernel(Arrays arrays, Spans spans, segment_list list, int first_bit, int end_bit) {
  constexpr int items = Shape::items, bins = Shape::bins;
  using ranks = radix_ranks<Shape::block_size, items, Shape::digit_bits>;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  auto& shared = *dynamic_shared<segmented_sort_block_shared<Shape, Arrays>>();
  const this_block block;
  ptx::begin_kernel();
  const std::int64_t size = list.size();
  for (std::int64_t segment = blockIdx.x; segment < size; segment += gridDim.x) {
    const segment_span span = spans(list[segment]);
    const int length = int(span.length);
    const ranks placing = ranks::spread(shared.counts, length);
    uninitialized_array<typename Arrays::stored, items> keys;
    unsigned digits[items], places[items];
    std::uint16_t from[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used) break;
      const int number = placing.number_of(i);
      from[i] = std::uint16_t(number);
      if (number >= length) continue;
      const key own = arrays.keys[span.begin + number];
      keys[i] = arrays.digits.store(own);
    }
#pragma unroll 1
    for (int bit = first_bit; bit < end_bit; bit += Shape::digit_bits) {
      const unsigned mask = detail::digit_mask<Shape::digit_bits>(bit, end_bit);
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (i >= placing.used) break;
        digits[i] = placing.number_of(i) < length ? arrays.digits.digit(keys[i], bit, mask) : bins - 1;
      }
      const unsigned count = placing.count(digits);
      placing.place(digits, gpuprim::block_exclusive_scan<Shape::block_size>(block, count, plus<unsigned>{}), places);
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (i >= placing.used) break;
        shared.keys[int(places[i])] = keys[i];
        if constexpr (Arrays::has_values) shared.places[int(places[i])] = from[i];
      }
      block.sync();
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (i >= placing.used) break;
        keys[i] = shared.keys[placing.number_of(i)];
        if constexpr (Arrays::has_values) from[i] = shared.places[placing.number_of(i)];
      }
    }
    uninitialized_array<typename Arrays::value_type, items> values;
    if constexpr (Arrays::has_values) {
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (i < placing.used && placing.number_of(i) < length) values[i] = arrays.values[span.begin + from[i]];
      }
      block.sync();  // all are read before any is written: the output may be the input
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int number = placing.number_of(i);
      if (i >= placing.used || number >= length) break;
      arrays.keys_out[span.begin + number] = arrays.digits.load(keys[i]);
      if constexpr (Arrays::has_values) arrays.values_out[span.begin + number] = values[i];
    }
  }
}

}  // namespace gpuprim::detail
