// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/common/word_range.cuh>

#include <bit>

namespace gpuprim::inline v0_2_0::detail {

/// Whether a block can sort keys by cells: they are words, and those that are equal are the same or have values.
template <class Arrays, class Digits = typename Arrays::digits_type>
inline constexpr bool has_cells = false;
template <class Arrays, class Key, sort_direction Direction>
inline constexpr bool has_cells<Arrays, number_digits<Key, Direction>> = Arrays::has_values || is_integer<Key>;
template <class Arrays, class Key, sort_direction Direction>
inline constexpr bool has_cells<Arrays, all_digits<Key, Direction>> = Arrays::has_values || is_integer<Key>;
template <class Arrays, class Key, sort_direction Direction>
inline constexpr bool has_cells<Arrays, whole_digits<Key, Direction>> = true;

template <class Shape, class Arrays>
struct sort_cells_shared {
  /// Half as many as keys, or fewer.
  static constexpr int cell_bits = std::bit_width(unsigned(Shape::tile_items)) - 2, cells = 1 << cell_bits;
  static_assert(cell_bits > 0);
  using value_type = std::conditional_t<Arrays::has_values, typename Arrays::value_type, no_values>;
  union {
    shared_array<typename Arrays::stored, Shape::tile_items> words;
    sort_values<value_type, Shape::tile_items> values;  ///< once the keys are written
  };
  /// Of the keys before the sort, if there are values.
  [[no_unique_address]] sort_values<std::conditional_t<Arrays::has_values, std::uint16_t, no_values>, Shape::tile_items>
      places;
  std::uint32_t counts[cells];  ///< of the cells, then the places of their next words, and then their ends
};

/// Sorts a segment that a block holds. Cells are ranges of one length, of which there are as many as fit between the
/// least word and the greatest: the block moves the words of a cell together, and finds the rank of each in its cell by
/// comparisons. Where these would be many, it writes nothing, and returns how many of the lowest bits may differ. The
/// threads of the block call it.
template <class Shape, class Arrays>
__device__ __forceinline__ int sort_by_cells(sort_cells_shared<Shape, Arrays>& shared, const Arrays& arrays,
                                             const segment_span& span) {
  using word = typename Arrays::stored;
  constexpr int items = Shape::items, block_size = Shape::block_size, cells = shared.cells;
  constexpr int of_thread = (cells + block_size - 1) / block_size, cell_bits = shared.cell_bits;
  constexpr std::uint32_t most_of_cell = 32;
  const this_block block;
  const int rank = int(block.thread_rank()), count = int(span.length);
  const auto order = [&](word w) { return arrays.digits.order(w); };
  uninitialized_array<typename Arrays::key_type, items> read;  // all are asked for before one is looked at
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank < count) read[i] = arrays.keys[span.begin + i * block_size + rank];
  }
#pragma unroll
  for (int c = 0; c < of_thread; ++c) {
    if (const int cell = c * block_size + rank; cell < cells) shared.counts[cell] = 0;
  }
  word words[items];
  word_range<word> range;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank >= count) break;
    words[i] = arrays.digits.store(read[i]);
    range = join_ranges{}(range, {order(words[i]), order(words[i])});
  }
  range = gpuprim::block_all_reduce<block_size>(block, range, join_ranges{});
  const int length_bits = 64 - __clzll(static_cast<long long>(word(range.high - range.low)));
  const int shift = length_bits > cell_bits ? length_bits - cell_bits : 0;
  const auto cell_of = [&](word w) { return unsigned(word(order(w) - range.low) >> shift); };
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank >= count) break;
    atomicAdd(&shared.counts[cell_of(words[i])], 1u);
  }
  block.sync();
  std::uint32_t counts[of_thread], own = 0;
  bool is_crowded = false;
#pragma unroll
  for (int c = 0; c < of_thread; ++c) {
    const int cell = rank * of_thread + c;
    counts[c] = cell < cells ? shared.counts[cell] : 0;
    own += counts[c];
    is_crowded |= counts[c] > most_of_cell;
  }
  std::uint32_t at = gpuprim::block_exclusive_scan<block_size>(block, own, plus<std::uint32_t>{});
#pragma unroll
  for (int c = 0; c < of_thread; ++c) {
    if (const int cell = rank * of_thread + c; cell < cells) shared.counts[cell] = at;
    at += counts[c];
  }
  // The keys of a cell of one word need no order, but their values keep theirs.
  const bool is_in_order = !Arrays::has_values && shift == 0;
  is_crowded = block.any(is_crowded && !is_in_order);
  const word differing = range.low ^ range.high;
  const int differing_bits = 64 - __clzll(static_cast<long long>(differing | word(1)));
  if (Arrays::has_values && is_crowded) return differing_bits;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank >= count) break;
    const auto place = int(atomicAdd(&shared.counts[cell_of(words[i])], 1u));
    shared.words[place] = words[i];
    if constexpr (Arrays::has_values) shared.places[place] = std::uint16_t(i * block_size + rank);
  }
  block.sync();
  const auto begin_of = [&](unsigned cell) { return cell > 0 ? int(shared.counts[cell - 1]) : 0; };
  if (is_crowded) {
    bool is_mixed = false;
    for (int place = rank; place < count; place += block_size) {
      const word w = shared.words[place];
      const int first = begin_of(cell_of(w)), end = int(shared.counts[cell_of(w)]);
      is_mixed |= end - first > int(most_of_cell) && shared.words[first] != w;
    }
    if (block.any(is_mixed)) return differing_bits;
  }
  // Where the word of a place goes.
  const auto find_rank = [&](int place, word w) {
    const unsigned cell = cell_of(w);
    const int first = begin_of(cell), end = int(shared.counts[cell]);
    if (end - first > int(most_of_cell)) return place;  // the cell has one word
    int to = first;
    for (int other = first; other < end; ++other) {
      const word o = order(shared.words[other]), own_order = order(w);
      bool is_before = other < place;
      if constexpr (Arrays::has_values) is_before = shared.places[other] < shared.places[place];
      to += o < own_order || (o == own_order && is_before);
    }
    return to;
  };
  if constexpr (Arrays::has_values) {
    std::uint32_t moves[items];  // where from, and above that where to
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int place = i * block_size + rank;
      if (place >= count) break;
      const word w = shared.words[place];
      const int to = find_rank(place, w);
      moves[i] = std::uint32_t(to) << 16 | shared.places[place];
      arrays.keys_out[span.begin + to] = arrays.digits.load(w);
    }
    uninitialized_array<typename Arrays::value_type, items> values;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i * block_size + rank < count) values[i] = arrays.values[span.begin + i * block_size + rank];
    }
    block.sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i * block_size + rank < count) shared.values[i * block_size + rank] = values[i];
    }
    block.sync();  // all are read before any is written: the output may be the input
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i * block_size + rank >= count) break;
      arrays.values_out[span.begin + (moves[i] >> 16)] = shared.values[int(moves[i] & 0xffff)];
    }
  } else {
#pragma unroll 4
    for (int place = rank; place < count; place += block_size) {
      const word w = shared.words[place];
      arrays.keys_out[span.begin + (is_in_order ? place : find_rank(place, w))] = arrays.digits.load(w);
    }
  }
  return 0;
}

}  // namespace gpuprim::detail
