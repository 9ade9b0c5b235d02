// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The steps of a sort of long segments: their digits are counted, and then each pass sorts them by one digit.
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/radix_ranks.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/segmented_sort/state.cuh>
#include <gpuprim/grid/segment_look_back.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Place: an unsigned type that a place in a segment fits.
template <class Shape, class Stored, class Value, class Place>
struct sort_tile_shared {
  using place_type = Place;
  typename radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>::storage counts;
  union {
    shared_array<Stored, Shape::tile_items> keys;
    shared_array<Value, Shape::tile_items> values;  ///< once the keys are written
  };
  Place begins[Shape::bins];  ///< where a digit's keys go in the segment, less where they begin in the tile
};

template <int MostPasses, int Bins>
struct digit_counts_shared {
  std::uint32_t of[MostPasses][Bins];
};

/// Where the bit is that has so many below it, or -1 if there are too few.
__device__ __forceinline__ int find_bit(std::uint64_t bits, unsigned below) {
  for (; below > 0; --below) bits &= bits - 1;
  return __ffsll(static_cast<long long>(bits)) - 1;
}

/// The passes that move the keys of a segment, a bit for each: not those by a digit that all keys share. What is sorted
/// in place is moved an even number of times, and else at least once.
template <int Bins>
__device__ __forceinline__ std::uint64_t find_moves(const unsigned long long* counts, std::int64_t length, int passes,
                                                    bool is_in_place) {
  const this_block block;
  const auto rank = int(block.thread_rank());
  std::uint64_t moves = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const bool is_of_all = rank < Bins && std::int64_t(ptx::load_relaxed(&counts[pass * Bins + rank])) == length;
    if (!block.any(is_of_all)) moves |= std::uint64_t{1} << pass;
  }
  const bool has_one_more = is_in_place ? __popcll(moves) % 2 == 1 : moves == 0;
  return has_one_more ? moves | (moves + 1) : moves;
}

/// Counts how often each digit has each value in the tiles from `begin` to `end`, and adds the counts to those of the
/// segments. The block that is the last one of a segment finds what moves its keys.
/// @sync a vote of the block follows the last key that it reads and the last count that it adds.
template <class Shape, int MostPasses, class Arrays>
__device__ __forceinline__ void count_segment_digits(digit_counts_shared<MostPasses, Shape::bins>& counts,
                                                     const Arrays& arrays, const segmented_sort_state& state,
                                                     std::int64_t begin, std::int64_t end, int passes, int first_bit,
                                                     int end_bit, bool is_in_place) {
  constexpr int bins = Shape::bins, block_size = Shape::block_size, items = 8;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  const this_block block;
  const int rank = int(block.thread_rank());
  for (int i = rank; i < passes * bins; i += block_size) counts.of[i / bins][i % bins] = 0;
  block.sync();
  const warp_tile<warp_size> warp;
  // The lanes of a warp whose keys have one digit would add to its count one after the other.
  const auto add = [&]<int Items>(const uninitialized_array<key, Items>& own, bool is_whole_warp) {
#pragma unroll
    for (int pass = 0; pass < MostPasses; ++pass) {
      if (pass >= passes) break;
      const digit_place at = detail::place_of_digit<Shape::digit_bits>(pass, first_bit, end_bit);
      unsigned digits[Items], differing = 0;
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        digits[k] = arrays.digits.digit(arrays.digits.store(own[k]), at.bit, at.mask);
        differing |= digits[k] ^ digits[0];
      }
      if (is_whole_warp) differing |= digits[0] ^ warp.shfl(digits[0], 0);
      if (is_whole_warp && __all_sync(warp.mask(), differing == 0) != 0) {
        if (warp.thread_rank() == 0) atomicAdd(&counts.of[pass][digits[0]], unsigned(Items * warp_size));
      } else {
#pragma unroll
        for (int k = 0; k < Items; ++k) atomicAdd(&counts.of[pass][digits[k]], 1u);
      }
    }
  };
  unsigned counted = 0;
  for (std::int64_t tile = begin; tile < end; ++tile) {
    const sort_task task = state.tasks[tile];
    const std::int64_t first = task.begin + task.first;
    int i = rank;
    for (; (i | (warp_size - 1)) + (items - 1) * block_size < task.count; i += items * block_size) {
      uninitialized_array<key, items> some;
#pragma unroll
      for (int k = 0; k < items; ++k) some[k] = arrays.keys[first + i + k * block_size];
      add(some, true);
    }
    for (; i < task.count; i += block_size) {
      uninitialized_array<key, 1> one;
      one[0] = arrays.keys[first + i];
      add(one, false);
    }
    ++counted;
    if (task.index + 1 < task.tiles && tile + 1 < end) continue;
    if (task.tiles > 0) {
      block.sync();
      unsigned long long* const of_segment = state.digit_counts + std::int64_t(task.slot) * passes * bins;
      for (int d = rank; d < passes * bins; d += block_size) {
        const unsigned of_block = counts.of[d / bins][d % bins];
        if (of_block > 0) atomicAdd(&of_segment[d], static_cast<unsigned long long>(of_block));
        counts.of[d / bins][d % bins] = 0;
      }
      block.sync();
      bool is_last = false;
      if (rank == 0) {
        is_last = ptx::add_in_order(&state.done[task.slot], counted) + counted == unsigned(task.tiles);
      }
      if (block.any(is_last)) {
        const auto moves = detail::find_moves<bins>(of_segment, task.length, passes, is_in_place);
        if (rank == 0) {
          ptx::store_relaxed(&state.moves[task.slot], moves | state.are_known);
          atomicOr(state.all_moves, static_cast<unsigned long long>(moves));
        }
      }
    }
    counted = 0;
  }
}

/// Sorts a tile of a segment by the digit of a pass: a block ranks the keys by their digit, moves them together in
/// shared memory, and writes the keys of each digit behind those of the tiles before it in the segment. `next()` is
/// called when later tiles no longer wait for this one.
template <class Shape, class Shared, class Arrays, class Next>
__device__ __forceinline__ void sort_segment_tile(Shared& shared, const Arrays& arrays,
                                                  const segmented_sort_state& state, const sort_task& task,
                                                  const segment_look_back<Shape::bins>& look_back, digit_place at,
                                                  int pass, int passes, const Next& next) {
  constexpr int items = Shape::items, block_size = Shape::block_size, bins = Shape::bins;
  using ranks = radix_ranks<block_size, items, Shape::digit_bits>;
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  using place_type = typename Shared::place_type;
  const this_block block;
  const std::int64_t first = task.begin + task.first;
  const auto length = place_type(task.length);
  const ranks placing = ranks::spread(shared.counts, task.count);
  const int rank = placing.rank;
  uninitialized_array<key, items> read;  // all are asked for before one is looked at
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i < placing.used && placing.number_of(i) < task.count) read[i] = arrays.keys[first + placing.number_of(i)];
  }
  uninitialized_array<typename Arrays::stored, items> keys;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i < placing.used && placing.number_of(i) < task.count) keys[i] = arrays.digits.store(read[i]);
  }
  const auto digit_of = [&](int i) {
    return placing.number_of(i) < task.count ? arrays.digits.digit(keys[i], at.bit, at.mask) : bins - 1;
  };
  const unsigned of_tile = placing.count_each(digit_of);
  // The places behind the last key count as the last digit.
  const unsigned own_keys = of_tile - (rank == bins - 1 ? unsigned(-task.count) % warp_size : 0);
  place_type of_segment = 0;
  if (rank < bins) {
    look_back.publish(task.index, rank, own_keys);
    of_segment = place_type(state.digit_counts[(std::int64_t(task.slot) * passes + pass) * bins + rank]);
  }
  // Where a digit's keys begin in the segment, and below that where in the tile.
  constexpr int tile_bits = 20;
  static_assert(Shape::tile_items + warp_size < 1 << tile_bits);
  const std::uint64_t begins = gpuprim::block_exclusive_scan<block_size>(
      block, std::uint64_t(of_segment) << tile_bits | of_tile, plus<std::uint64_t>{});
  const unsigned begin_in_tile = unsigned(begins) % (1u << tile_bits);
  std::uint16_t places[items];
  placing.place_each(digit_of, begin_in_tile, [&](int i, unsigned place) {
    shared.keys[int(place)] = keys[i];
    if constexpr (Arrays::has_values) places[i] = std::uint16_t(place);
  });
  if (rank < bins) {
    shared.begins[rank] =
        place_type(begins >> tile_bits) + place_type(look_back.sum_before(task.index, rank, own_keys)) - begin_in_tile;
  }
  next();
  block.sync();
  // Keys of segments that overlap, as offsets that decrease make them, are not those that were counted.
  [[maybe_unused]] place_type to[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int number = i * block_size + rank;
    if (number >= task.count) break;
    const auto& stored = shared.keys[number];
    const place_type place = shared.begins[arrays.digits.digit(stored, at.bit, at.mask)] + place_type(number);
    if (place < length) arrays.keys_out[task.begin + std::int64_t(place)] = arrays.digits.load(stored);
    if constexpr (Arrays::has_values) to[i] = place;
  }
  if constexpr (Arrays::has_values) {
    uninitialized_array<typename Arrays::value_type, items> values;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used || placing.number_of(i) >= task.count) break;
      values[i] = detail::value_of_key(arrays.values, first + placing.number_of(i), task.first + placing.number_of(i));
    }
    block.sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i >= placing.used || placing.number_of(i) >= task.count) break;
      shared.values[int(places[i])] = values[i];
    }
    block.sync();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int number = i * block_size + rank;
      if (number >= task.count) break;
      if (to[i] < length) arrays.values_out[task.begin + std::int64_t(to[i])] = shared.values[number];
    }
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
