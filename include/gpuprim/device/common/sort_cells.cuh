// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/common/word_distance.cuh>

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
/// Whether it does so whatever bits are compared.
template <class Arrays, class Digits = typename Arrays::digits_type>
inline constexpr bool are_sorted_by_cells = false;
template <class Arrays, class Key, sort_direction Direction>
inline constexpr bool are_sorted_by_cells<Arrays, whole_digits<Key, Direction>> = !Arrays::has_values;

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
  /// Its words, and then where the next one goes, and above that how many there are.
  std::uint32_t cell[cells];
  static_assert(Shape::tile_items < 0x10000);
};

/// So few words of a cell a thread sorts in its registers, and so few in shared memory.
inline constexpr int most_of_network = 8, most_of_thread = 16;

/// Sorts at most `most_of_thread` words.
template <class Words>
__device__ __forceinline__ void sort_few(Words& words, int first, int end) {
  if (end - first > most_of_network) {
#pragma unroll 1
    for (int i = first + 1; i < end; ++i) {
      const unsigned moved = words[i];
      int to = i;
#pragma unroll 1
      for (; to > first && moved < words[to - 1]; --to) words[to] = words[to - 1];
      words[to] = moved;
    }
    return;
  }
  unsigned own[most_of_network];
#pragma unroll
  for (int i = 0; i < most_of_network; ++i) own[i] = first + i < end ? words[first + i] : ~0u;
  const auto sort_two = [&](int a, int b) {
    const unsigned lower = minimum<unsigned>{}(own[a], own[b]);
    own[b] = maximum<unsigned>{}(own[a], own[b]);
    own[a] = lower;
  };
  // Knuth, "The Art of Computer Programming", volume 3, section 5.3.4: a network of 19 comparisons.
  sort_two(0, 2), sort_two(1, 3), sort_two(4, 6), sort_two(5, 7);
  sort_two(0, 4), sort_two(1, 5), sort_two(2, 6), sort_two(3, 7);
  sort_two(0, 1), sort_two(2, 3), sort_two(4, 5), sort_two(6, 7);
  sort_two(2, 4), sort_two(3, 5);
  sort_two(1, 4), sort_two(3, 6);
  sort_two(1, 2), sort_two(3, 4), sort_two(5, 6);
#pragma unroll
  for (int i = 0; i < most_of_network; ++i) {
    if (first + i < end) words[first + i] = own[i];
  }
}

/// The places of a cell's words.
struct cell_span {
  int first, end;
};

/// Sorts a segment that a block holds. Cells are ranges of one length, as many as there are room for, between the least
/// word and the greatest: the block moves the words of a cell together, and then a thread sorts a cell, or each finds
/// the rank of its word in the cell by comparisons. Where these would be many, it writes nothing, and returns how many
/// of the lowest bits may differ. The threads of the block call it.
template <class Shape, class Arrays>
__device__ __forceinline__ int sort_by_cells(sort_cells_shared<Shape, Arrays>& shared, const Arrays& arrays,
                                             const segment_span& span) {
  using word = typename Arrays::stored;
  using shared_type = sort_cells_shared<Shape, Arrays>;
  constexpr int items = Shape::items, block_size = Shape::block_size, cells = shared_type::cells;
  constexpr int cell_bits = shared_type::cell_bits;
  // A thread takes neighbours, of an odd number: so that the threads of a warp look at different banks.
  constexpr int of_thread = (cells + block_size - 1) / block_size | 1;
  constexpr std::uint32_t most_of_cell = Arrays::has_values ? 32 : 128;
  // A network is faster than ranks, if words are compared and swapped at once.
  constexpr bool has_network = !Arrays::has_values && sizeof(word) == 4;
  const this_block block;
  const int rank = int(block.thread_rank()), count = int(span.length);
  const auto order = [&](word w) { return arrays.digits.order(w); };
  uninitialized_array<typename Arrays::key_type, items> read;  // all are asked for before one is looked at
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank < count) read[i] = arrays.keys[span.begin + i * block_size + rank];
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
  const word differing = range.low ^ range.high;
  const int differing_bits = 64 - __clzll(static_cast<long long>(differing | word(1)));
  if (Arrays::has_values && differing_bits <= Shape::digit_bits) return differing_bits;  // one digit is sorted at once
  // The keys of a cell of one word need no order, but their values keep theirs.
  const bool is_in_order = !Arrays::has_values && shift == 0;
  // Cells have one length in the words, or in what floats of several powers of two stand for; or, where keys crowd so,
  // in the floats' words, or in the words of the float that says how far an integer is above the least.
  constexpr bool are_floats = std::is_floating_point_v<typename Arrays::key_type>;
  using key = typename Arrays::key_type;
  using distance_type = value_distance<typename Arrays::digits_type, key>;
  [[maybe_unused]] std::conditional_t<are_floats, distance_type, no_values> distance{};
  constexpr int mantissa_bits = are_floats ? std::numeric_limits<key>::digits - 1 : 0;
  const bool is_wide = are_floats ? word(range.high - range.low) >> mantissa_bits > 0 : shift > 0;
  bool is_linear = true, is_crowded;
  if constexpr (are_floats) {
    if (is_wide) distance = distance.around(range.low, range.high);
  }
  const auto power_of = [](word w) {
    if constexpr (sizeof(word) == 4) return __float_as_uint(__uint2float_rz(w));
    else return __float_as_uint(__ull2float_rz(w));
  };
  constexpr unsigned power_of_one = 0x3f800000;
  const unsigned greatest_power = power_of(word(range.high - range.low)) - power_of_one;
  const int power_bits = 32 - __clz(int(greatest_power | 1));
  const int power_shift = power_bits > cell_bits ? power_bits - cell_bits : 0;
  const auto cell_of = [&](word w) {
    if constexpr (are_floats) {
      if (is_linear && is_wide) return distance(w) >> (32 - cell_bits);
      return unsigned(word(order(w) - range.low) >> shift);
    } else {
      const auto above = word(order(w) - range.low);
      if (is_linear) return unsigned(above >> shift);
      const unsigned power = power_of(above);
      return power < power_of_one ? 0u : (power - power_of_one) >> power_shift;
    }
  };
  for (;;) {
    for (int cell = rank; cell < cells; cell += block_size) shared.cell[cell] = 0;
    block.sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i * block_size + rank >= count) break;
      atomicAdd(&shared.cell[cell_of(words[i])], 1u);
    }
    block.sync();
    std::uint32_t counts[of_thread], own = 0;
    is_crowded = false;
#pragma unroll
    for (int c = 0; c < of_thread; ++c) {
      const int cell = rank * of_thread + c;
      counts[c] = cell < cells ? shared.cell[cell] : 0;
      own += counts[c];
      is_crowded |= counts[c] > most_of_cell;
    }
    std::uint32_t at = gpuprim::block_exclusive_scan<block_size>(block, own, plus<std::uint32_t>{});
#pragma unroll
    for (int c = 0; c < of_thread; ++c) {
      if (const int cell = rank * of_thread + c; cell < cells) shared.cell[cell] = at | counts[c] << 16;
      at += counts[c];
    }
    is_crowded = block.any(is_crowded && !is_in_order);
    if (!is_crowded || !is_linear || !is_wide) break;
    is_linear = false;
  }
  if (Arrays::has_values && is_crowded) return differing_bits;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i * block_size + rank >= count) break;
    const auto place = int(atomicAdd(&shared.cell[cell_of(words[i])], 1u) & 0xffff);
    shared.words[place] = words[i];
    if constexpr (Arrays::has_values) shared.places[place] = std::uint16_t(i * block_size + rank);
  }
  block.sync();
  const auto span_of = [&](word w) {
    const std::uint32_t found = shared.cell[cell_of(w)], end = found & 0xffff;
    return cell_span{int(end - (found >> 16)), int(end)};
  };
  if (is_crowded) {
    bool is_mixed = false;
    for (int place = rank; place < count; place += block_size) {
      const word w = shared.words[place];
      const cell_span cell = span_of(w);
      is_mixed |= cell.end - cell.first > int(most_of_cell) && shared.words[cell.first] != w;
    }
    if (block.any(is_mixed)) return differing_bits;
  }
  bool has_unsorted = !is_in_order;
  const bool is_sorted_by_cells = has_network && 2 * count > 3 * cells;  // fewer words have fewer rows than the cells
  if constexpr (has_network) {
    if (is_sorted_by_cells && !is_in_order) {
      bool has_longer = false;
#pragma unroll 1
      for (int cell = rank; cell < cells; cell += block_size) {
        const std::uint32_t found = shared.cell[cell];
        const int end = int(found & 0xffff), length = int(found >> 16);
        has_longer |= length > most_of_thread;
        if (length > 1 && length <= most_of_thread) detail::sort_few(shared.words, end - length, end);
      }
      has_unsorted = block.any(has_longer);
    }
  }
  // Where the word of a place goes.
  const auto find_rank = [&](int place, word w) {
    const cell_span cell = span_of(w);
    const int length = cell.end - cell.first;
    if (length > int(most_of_cell)) return place;  // the cell has one word
    if (is_sorted_by_cells && length <= most_of_thread) return place;
    const word own_order = order(w);
    int to = cell.first, other = cell.first;
#pragma unroll 1
    do {
      const int next = other + 1 < cell.end ? other + 1 : other;
      const word first = order(shared.words[other]), second = order(shared.words[next]);
      bool is_before = other < place, is_next_before = next < place;
      if constexpr (Arrays::has_values) {
        is_before = shared.places[other] < shared.places[place];
        is_next_before = shared.places[next] < shared.places[place];
      }
      to += first < own_order || (first == own_order && is_before);
      to += next > other && (second < own_order || (second == own_order && is_next_before));
      other += 2;
    } while (other < cell.end);
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
      if (i * block_size + rank < count) {
        values[i] = detail::value_of_key(arrays.values, span.begin + i * block_size + rank, i * block_size + rank);
      }
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
      arrays.keys_out[span.begin + (has_unsorted ? find_rank(place, w) : place)] = arrays.digits.load(w);
    }
  }
  return 0;
}

}  // namespace gpuprim::detail
