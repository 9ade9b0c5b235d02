// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Segments whose keys are sorted as words by a few lanes, without places.
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/warp/sort_lanes.cuh>
#include <gpuprim/warp/warp_transpose.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Whether the words of keys may be sorted alone if all bits count: equal words are the same key.
template <class Arrays, class Digits = typename Arrays::digits_type>
inline constexpr bool has_sort_words = false;
template <class Arrays, class Key, sort_direction Direction>
inline constexpr bool has_sort_words<Arrays, number_digits<Key, Direction>> = !Arrays::has_values && is_integer<Key>;
template <class Arrays, class Key, sort_direction Direction>
inline constexpr bool has_sort_words<Arrays, whole_digits<Key, Direction>> = !Arrays::has_values;

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
  uninitialized_array<std::remove_pointer_t<decltype(arrays.keys_out)>, Items> keys;
  word words[Items];
  detail::read_in_lanes<Lanes, Items>(arrays, span, keys);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    words[i] = word(~word(0));
    if (i * Lanes + rank < length) words[i] = arrays.digits.store(keys[i]);
  }
  gpuprim::thread_sort(words, is_less);
  detail::merge_lanes<1>(tile, words, is_less);
  gpuprim::warp_blocked_to_striped(tile, words);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int number = i * Lanes + rank;
    if (number < length) arrays.keys_out[span.begin + number] = arrays.digits.load(words[i]);
  }
}

}  // namespace gpuprim::detail
