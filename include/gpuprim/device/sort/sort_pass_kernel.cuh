// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/grid/digit_look_back.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class Shape, class Arrays>
struct sort_pass_shared {
  union {
    typename sort_items<Shape, Arrays>::ranks::storage counts;
    sort_values<typename Arrays::value_type, Shape::tile_items> values;  ///< once the keys have their places
  };
  shared_array<typename Arrays::stored, Shape::tile_items> keys;
  std::int64_t begins[Shape::bins];  ///< where a digit's keys go, less where they begin in the tile
  int tile;
};

/// One launch of a pass, for a part of the input.
template <int Bins>
struct sort_step {
  int bit;
  unsigned mask;                     ///< of the digit
  const unsigned long long* begins;  ///< where the part's keys of each digit go
  unsigned long long* later;         ///< where those of the next part go
  unsigned* ticket;
  digit_look_back<Bins> counts;
  unsigned* next_ticket;  ///< for the next launch, to be cleared
  std::uint32_t* next_words;
  std::int64_t next_count;
};

/// Sorts a part of the input by one digit. A block takes one tile: it ranks the keys by their digit, moves them
/// together in shared memory, and writes the keys of each digit where those of the tiles before it end.
template <class Shape, class Arrays, int BlocksPerMultiprocessor>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    sort_pass_kernel(Arrays given, sort_step<Shape::bins> step) {
  constexpr int items = Shape::items, tile_items = Shape::tile_items, block_size = Shape::block_size;
  using found_arrays = std::remove_cvref_t<decltype(detail::with_found_digits(given))>;
  using ranks = typename sort_items<Shape, found_arrays>::ranks;
  auto& shared = *dynamic_shared<sort_pass_shared<Shape, Arrays>>();
  const this_block block;
  const ranks placing{shared.counts};
  ptx::begin_kernel();
  const auto& arrays = detail::with_found_digits(given);
  if (placing.rank == 0) shared.tile = int(ptx::count_one_relaxed(step.ticket));
  block.sync();
  const int tile = shared.tile, rank = placing.rank;
  const std::int64_t first = std::int64_t(tile) * tile_items, left = arrays.n - first;
  const int count = left < tile_items ? int(left) : tile_items;
  sort_items<Shape, found_arrays> own(arrays, placing, count);
  own.read_keys(first);
  // Unrolled, the loop counts its turns by a division, for which small tiles have no time. Floats alone wait for it.
  constexpr bool are_floats = !Arrays::has_values && std::is_floating_point_v<typename Arrays::key_type>;
  [[maybe_unused]] constexpr int unrolled_turns = block_size < 512 || are_floats ? 1 : 4;
#pragma unroll unrolled_turns
  for (std::int64_t i = std::int64_t(tile) * block_size + rank; i < step.next_count;
       i += std::int64_t(gridDim.x) * block_size) {
    step.next_words[i] = 0;
  }
  if (tile == 0 && rank == 0) *step.next_ticket = 0;
  unsigned digits[items], places[items];
  own.find_digits(step.bit, step.mask, digits);
  const unsigned of_digit = placing.count(digits);
  // Of small tiles the look-back takes longer than the votes.
  const bool has_one_digit = tile_items >= 4096 && placing.has_one_digit(digits);
  if (rank < Shape::bins) step.counts.publish(tile, rank, of_digit);
  const unsigned begin = gpuprim::block_exclusive_scan<block_size>(block, of_digit, plus<unsigned>{});
  placing.place(digits, begin, places, has_one_digit);
#pragma unroll
  for (int i = 0; i < items; ++i) shared.keys[int(places[i])] = own.keys[i];
  own.read_values(first);  // which arrive while the block looks back
  if (rank < Shape::bins) {
    const auto before = std::int64_t(step.begins[rank]) + step.counts.sum_before(tile, rank, of_digit);
    shared.begins[rank] = before - begin;
    if (tile == int(gridDim.x) - 1) step.later[rank] = static_cast<unsigned long long>(before + of_digit);
  }
  block.sync();
  if constexpr (Arrays::has_values) {
#pragma unroll
    for (int i = 0; i < items; ++i) shared.values[int(places[i])] = own.values[i];
    block.sync();
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int at = i * block_size + rank;
    if (at >= count) break;
    const auto& key = shared.keys[at];
    const std::int64_t to = shared.begins[arrays.digits.digit(key, step.bit, step.mask)] + at;
    arrays.keys_out[to] = arrays.digits.load(key);
    if constexpr (Arrays::has_values) arrays.values_out[to] = shared.values[at];
  }
}

}  // namespace gpuprim::detail
