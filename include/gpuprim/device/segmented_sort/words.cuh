// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Segments whose keys are sorted as words by a few lanes, without places.
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/warp/sort_lanes.cuh>
#include <gpuprim/warp/warp_transpose.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Whether the words of keys may be sorted alone if all bits count.
template <class Arrays>
inline constexpr bool has_sort_words = !Arrays::has_values && requires { typename Arrays::digits_type::radix; };

/// The zeros of a segment, of which lanes find the places before they write. Both zeros are sorted as one word, so that
/// they are behind each other, and then each gets the sign of the one that was there.
template <int Lanes, int Items, class Arrays>
struct lane_zeros {
  using word = typename Arrays::stored;
  using key = std::remove_pointer_t<decltype(Arrays::keys_out)>;

  const Arrays& arrays;
  const segment_span& span;
  unsigned zeros = 0, negatives = 0;  ///< of the lane's keys, a bit for each
  word zero = arrays.digits.store(__builtin_bit_cast(key, word(0)));
  word negative_zero = arrays.digits.store(__builtin_bit_cast(key, Arrays::digits_type::radix::sign));

  __device__ __forceinline__ void find() {
    const int rank = int(warp_tile<Lanes>::thread_rank());
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const int number = i * Lanes + rank;
      if (number >= int(span.length)) break;
      const word own = arrays.digits.store(arrays.keys[span.begin + number]);
      zeros |= unsigned(own == zero || own == negative_zero) << i;
      negatives |= unsigned(own == negative_zero) << i;
    }
  }
  /// Writes them behind the sorted words before them.
  __device__ __forceinline__ void write(const word (&sorted)[Items]) const {
    const warp_tile<Lanes> tile;
    std::int64_t to = span.begin;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const bool is_before = i * Lanes + int(tile.thread_rank()) < int(span.length) && sorted[i] < zero;
      to += __popc(__ballot_sync(tile.mask(), is_before));
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const bool is_zero = (zeros >> i & 1) != 0;
      const unsigned all = __ballot_sync(tile.mask(), is_zero);
      const int place = __popc(all & ((1u << tile.lane()) - 1));
      if (is_zero) arrays.keys_out[to + place] = arrays.digits.load((negatives >> i & 1) != 0 ? negative_zero : zero);
      to += __popc(all);
    }
  }
};

/// Reads the lane's keys of a segment. What is made of them waits until all are asked for: were it done one by one, the
/// lane would wait for each.
template <int Lanes, int Items, class Arrays, class Keys>
__device__ __forceinline__ void read_in_lanes(const Arrays& arrays, const segment_span& span, Keys& keys) {
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int number = i * Lanes + int(warp_tile<Lanes>::thread_rank());
    if (number < int(span.length)) keys[i] = arrays.keys[span.begin + number];
  }
}

/// Sorts the words of a segment of at most Lanes * Items keys. Its lanes call it.
template <int Lanes, int Items, class Arrays>
__device__ __forceinline__ void sort_words_in_lanes(const Arrays& arrays, const segment_span& span) {
  using word = typename Arrays::stored;
  constexpr auto is_less = [](word a, word b) { return a < b; };
  const warp_tile<Lanes> tile;
  const int rank = int(tile.thread_rank()), length = int(span.length);
  lane_zeros<Lanes, Items, Arrays> zeros{arrays, span};
  bool has_negative_zero = false;
  uninitialized_array<std::remove_pointer_t<decltype(arrays.keys_out)>, Items> keys;
  word words[Items];
  detail::read_in_lanes<Lanes, Items>(arrays, span, keys);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    words[i] = word(~word(0));
    if (i * Lanes + rank < length) words[i] = arrays.digits.store(keys[i]);
    if constexpr (Arrays::digits_type::radix::is_floating) {
      const bool is_negative_zero = words[i] == zeros.negative_zero;
      has_negative_zero |= is_negative_zero;
      if (is_negative_zero) words[i] = zeros.zero;
    }
  }
  if constexpr (Arrays::digits_type::radix::is_floating) {
    has_negative_zero = __any_sync(tile.mask(), has_negative_zero) != 0;
    if (has_negative_zero) zeros.find();
  }
  gpuprim::thread_sort(words, is_less);
  detail::merge_lanes<1>(tile, words, is_less);
  gpuprim::warp_blocked_to_striped(tile, words);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int number = i * Lanes + rank;
    if (number >= length || (has_negative_zero && words[i] == zeros.zero)) continue;
    arrays.keys_out[span.begin + number] = arrays.digits.load(words[i]);
  }
  if constexpr (Arrays::digits_type::radix::is_floating) {
    if (!has_negative_zero) return;
    // All are read before a zero is written: the output may be the input. Other places only their own lane has read.
    tile.sync();
    zeros.write(words);
  }
}

}  // namespace gpuprim::detail
