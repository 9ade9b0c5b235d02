// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/radix_ranks.cuh>
#include <gpuprim/device/common/sort_cells.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class Shape, class Arrays>
struct sort_digits_shared {
  static_assert(Shape::tile_items <= 0x10000);
  typename radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>::storage counts;
  shared_array<typename Arrays::stored, Shape::tile_items> keys;
  /// Of the keys before the sort, if there are values.
  [[no_unique_address]] sort_values<std::conditional_t<Arrays::has_values, std::uint16_t, no_values>, Shape::tile_items>
      places;
};

/// Sorts a segment that a block holds, digit by digit. Keys move with the places that they come from; the values are
/// fetched from there at the end. The threads of the block call it.
template <class Shape, class Arrays>
__device__ __forceinline__ void sort_by_digits(sort_digits_shared<Shape, Arrays>& shared, const Arrays& arrays,
                                               const segment_span& span, int first_bit, int end_bit) {
  constexpr int items = Shape::items, bins = Shape::bins;
  // Cells sort whole keys without values, but for those that crowd.
  using ranks = radix_ranks<Shape::block_size, items, Shape::digit_bits, are_sorted_by_cells<Arrays> ? 1 : items>;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  const this_block block;
  const int length = int(span.length);
  const ranks placing = ranks::spread(shared.counts, length);
  uninitialized_array<key, items> read;  // all are asked for before one is looked at
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i < placing.used && placing.number_of(i) < length) read[i] = arrays.keys[span.begin + placing.number_of(i)];
  }
  uninitialized_array<typename Arrays::stored, items> keys;
  std::uint16_t from[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i >= placing.used) break;
    from[i] = std::uint16_t(placing.number_of(i));
    if (placing.number_of(i) < length) keys[i] = arrays.digits.store(read[i]);
  }
#pragma unroll 1
  for (int bit = first_bit; bit < end_bit; bit += Shape::digit_bits) {
    const unsigned mask = detail::digit_mask<Shape::digit_bits>(bit, end_bit);
    const auto digit_of = [&](int i) {
      return placing.number_of(i) < length ? arrays.digits.digit(keys[i], bit, mask) : bins - 1;
    };
    const unsigned count = placing.count_each(digit_of);
    const unsigned first = gpuprim::block_exclusive_scan<Shape::block_size>(block, count, plus<unsigned>{});
    placing.place_each(digit_of, first, [&](int i, unsigned place) {
      shared.keys[int(place)] = keys[i];
      if constexpr (Arrays::has_values) shared.places[int(place)] = from[i];
    });
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
      if (i < placing.used && placing.number_of(i) < length) {
        values[i] = detail::value_of_key(arrays.values, span.begin + from[i], from[i]);
      }
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

/// Sorts by digits as a function of its own, so that its caller keeps few registers. Relocatable code cannot have one:
/// the registers of its kernel do not bound its own.
template <class Shape, class Arrays>
#if !defined(__CUDACC_RDC__)
[[gnu::noinline]]
#endif
__device__ void call_sort_by_digits(sort_digits_shared<Shape, Arrays>& shared, const Arrays& arrays,
                                    const segment_span& span, int first_bit, int end_bit) {
  detail::sort_by_digits(shared, arrays, span, first_bit, end_bit);
}

template <class Shape, class Arrays>
struct sort_block_shared {
  sort_digits_shared<Shape, Arrays> digits;
};
template <class Shape, class Arrays>
  requires has_cells<Arrays>
struct sort_block_shared<Shape, Arrays> {
  union {
    sort_digits_shared<Shape, Arrays> digits;
    sort_cells_shared<Shape, Arrays> cells;
  };
};

/// Sorts a segment that a block holds: by cells where all bits of words are compared, or else by digits.
template <class Shape, class Arrays>
__device__ __forceinline__ void sort_in_block(sort_block_shared<Shape, Arrays>& shared, const Arrays& arrays,
                                              const segment_span& span, int first_bit, int end_bit) {
  if constexpr (has_cells<Arrays>) {
    const bool by_cells = first_bit == 0 && end_bit == Arrays::digits_type::bits;
    if (by_cells) end_bit = detail::sort_by_cells(shared.cells, arrays, span);
    if (!by_cells || end_bit > 0) detail::call_sort_by_digits(shared.digits, arrays, span, first_bit, end_bit);
    this_block::sync();  // before the memory is used again
  } else {
    detail::sort_by_digits(shared.digits, arrays, span, first_bit, end_bit);
  }
}

/// Sorts segments that a block holds.
template <class Shape, int BlocksPerMultiprocessor, class Arrays, class Spans>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    sort_block_kernel(Arrays arrays, Spans spans, segment_list list, int first_bit, int end_bit) {
  auto& shared = *dynamic_shared<sort_block_shared<Shape, Arrays>>();
  ptx::begin_kernel();
  const std::int64_t size = list.size();
  for (std::int64_t i = blockIdx.x; i < size; i += gridDim.x) {
    detail::sort_in_block(shared, arrays, spans(list[i]), first_bit, end_bit);
  }
}

}  // namespace gpuprim::detail
