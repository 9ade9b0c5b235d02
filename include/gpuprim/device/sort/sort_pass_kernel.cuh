// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/block/radix_ranks.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/grid/digit_look_back.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go(keys, values, to, pass)` for each pass: from the input to `out` or `other`, and then from one to the
/// other, so that the last pass writes to `out`.
template <class KeysIn, class ValuesIn, class Key, class Value, class Go>
outcome pass_alternately(const KeysIn& keys, const ValuesIn& values, int passes, const sort_buffers<Key, Value>& out,
                         const sort_buffers<Key, Value>& other, const Go& go) {
  outcome done;
  for (int pass = 0; pass < passes && !done.failed(); ++pass) {
    const bool to_out = (passes - pass) % 2 == 1;
    const auto& to = to_out ? out : other;
    const auto& from = to_out ? other : out;
    const Key* const moved = from.keys;
    if (pass == 0) done = go(keys, values, to, pass);
    else if constexpr (std::is_same_v<Value, no_values>) done = go(moved, no_values{}, to, pass);
    else done = go(moved, static_cast<const Value*>(from.values), to, pass);
  }
  return done;
}

/// If an output is the input itself, and the first pass writes to it, the pass reads a copy.
template <class In, class T>
outcome copy_if_in_place(In& in, const T* out, T* other, std::int64_t n, const options& how) {
  if constexpr (std::is_same_v<In, const T*>) {
    if (in != out) return {};
    in = other;
    return {detail::copy_bytes(other, out, n * std::int64_t(sizeof(T)), how)};
  } else {
    return {};
  }
}

/// What a thread holds of a tile, and what it does with it.
template <class Shape, class Arrays>
struct sort_items {
  using stored = typename Arrays::stored;
  using ranks = radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>;
  static constexpr int items = Shape::items;

  const Arrays& arrays;
  const ranks& placing;
  const int count;  ///< of the tile; the places behind count as greatest, so that they stay there
  uninitialized_array<stored, items> keys;
  uninitialized_array<typename Arrays::value_type, items> values;

  __device__ sort_items(const Arrays& a, const ranks& r, int n) : arrays(a), placing(r), count(n) {}

  __device__ bool is_valid(int i) const { return placing.number_of(i) < count; }

  /// Reads the tile that begins with the launch's key number `first`. All keys are asked for before the first is made a
  /// word, which the compiler would else do early to save registers, and so wait twice. Integers without values are
  /// words as they are, or nearly so, and need no further registers.
  __device__ __forceinline__ void read_keys(std::int64_t first) {
    using key_type = typename Arrays::key_type;
    if constexpr (Arrays::has_values || !std::is_integral_v<key_type>) {
      uninitialized_array<key_type, items> read;
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) read[i] = arrays.keys[arrays.begin + first + placing.number_of(i)];
      }
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) keys[i] = arrays.digits.store(read[i]);
      }
    } else {
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) keys[i] = arrays.digits.store(arrays.keys[arrays.begin + first + placing.number_of(i)]);
      }
    }
  }
  __device__ __forceinline__ void read_values(std::int64_t first) {
    if constexpr (Arrays::has_values) {
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) values[i] = arrays.values[arrays.begin + first + placing.number_of(i)];
      }
    }
  }
  /// The digits of `mask` from a bit on.
  __device__ __forceinline__ void find_digits(int first_bit, unsigned mask, unsigned (&found)[items]) const {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      found[i] = is_valid(i) ? arrays.digits.digit(keys[i], first_bit, mask) : Shape::bins - 1;
    }
  }
};

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
