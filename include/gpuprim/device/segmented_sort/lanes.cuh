// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Segments that a few lanes sort in their registers.
#include <gpuprim/core/radix_digits.hpp>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/warp/sort_lanes.cuh>
#include <gpuprim/warp/warp_transpose.cuh>

#include <utility>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

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

/// What lanes sort in place of keys: their words, whose equal ones are the same keys, if all bits count; or the bits
/// that count and the places that keys come from.
enum class lane_sort { words, places };

/// A word of the bits of a key that count, and the key's place, by which equal words differ. Both are one number.
/// KeyBits: of whole keys.
template <int KeyBits>
struct lane_items {
  using item = std::conditional_t<(KeyBits <= 16), std::uint32_t, std::uint64_t>;
  using word = std::uint32_t;
  static constexpr int bits = KeyBits <= 16 ? 16 : 32;
  static constexpr item absent = item(~item(0));

  GPUPRIM_HOST_DEVICE static item make(word w, unsigned, unsigned place) { return item(item(w) << 16 | place); }
  GPUPRIM_HOST_DEVICE static unsigned place_of(item i) { return unsigned(i) & 0xffff; }
  GPUPRIM_HOST_DEVICE bool operator()(item a, item b) const { return a < b; }
};

/// Keys of more bits are sorted by 64 of them at a time, from the lowest on, each time in the order that they have had:
/// `number` says where an item was last, `place` where its key lies.
template <int KeyBits>
  requires(KeyBits > 32)
struct lane_items<KeyBits> {
  struct item {
    std::uint32_t high, low, number_and_place;
  };
  using word = std::uint64_t;
  static constexpr int bits = 64;
  static constexpr item absent = {0xffffffff, 0xffffffff, 0xffffffff};

  GPUPRIM_HOST_DEVICE static item make(word w, unsigned number, unsigned place) {
    return {std::uint32_t(w >> 32), std::uint32_t(w), number << 16 | place};
  }
  GPUPRIM_HOST_DEVICE static unsigned place_of(const item& i) { return i.number_and_place & 0xffff; }
  GPUPRIM_HOST_DEVICE bool operator()(const item& a, const item& b) const {
    const word first = word(a.high) << 32 | a.low, second = word(b.high) << 32 | b.low;
    return first < second || (first == second && b.number_and_place > a.number_and_place);
  }
};

/// The bits of a stored key from `first` to `end`, at most as many as a word has.
template <class Word, class Digits, class Stored>
__device__ __forceinline__ Word find_sort_word(const Digits& digits, const Stored& stored, int first, int end) {
  constexpr int word_bits = 8 * int(sizeof(Word));
  if constexpr (requires { typename Digits::radix; }) {
    const int count = end - first, from = count > 0 ? first : 0;
    const Word mask = count < word_bits ? Word((Word(1) << count) - 1) : Word(~Word(0));
    return Word(digits.order(stored) >> from) & mask;
  } else {
    constexpr int most = Digits::bits < word_bits ? Digits::bits : word_bits, piece = 8;
    Word found = 0;
#pragma unroll
    for (int i = 0; i < most; i += piece) {
      const int bit = first + i;
      if (bit >= end) break;
      found |= Word(digits.digit(stored, bit, detail::digit_mask<piece>(bit, end))) << i;
    }
    return found;
  }
}

/// Sorts a segment of at most Lanes * Items keys by their places. Its lanes call it.
template <int Lanes, int Items, class Arrays>
__device__ __forceinline__ void sort_places_in_lanes(const Arrays& arrays, const segment_span& span, int first_bit,
                                                     int end_bit) {
  using key = std::remove_pointer_t<decltype(arrays.keys_out)>;
  using order = lane_items<Arrays::digits_type::bits>;
  static_assert(Lanes * Items < 0x8000);
  const warp_tile<Lanes> tile;
  const int rank = int(tile.thread_rank()), length = int(span.length);
  unsigned places[Items];
#pragma unroll
  for (int i = 0; i < Items; ++i) places[i] = unsigned(i * Lanes + rank);
#pragma unroll 1
  for (int bit = first_bit;; bit += order::bits) {
    uninitialized_array<typename order::item, Items> items;
    uninitialized_array<key, Items> keys;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (i * Lanes + rank < length) keys[i] = arrays.keys[span.begin + places[i]];
    }
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const int number = i * Lanes + rank;
      items[i] = order::absent;
      if (number >= length) continue;
      const auto word =
          detail::find_sort_word<typename order::word>(arrays.digits, arrays.digits.store(keys[i]), bit, end_bit);
      items[i] = order::make(word, unsigned(number), places[i]);
    }
    gpuprim::thread_sort(items.items, order{});
    detail::merge_lanes<1>(tile, items.items, order{});
#pragma unroll
    for (int i = 0; i < Items; ++i) places[i] = order::place_of(items[i]);
    gpuprim::warp_blocked_to_striped(tile, places);
    if (Arrays::digits_type::bits <= order::bits || bit + order::bits >= end_bit) break;
  }
  uninitialized_array<key, Items> keys;
  uninitialized_array<typename Arrays::value_type, Items> values;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (i * Lanes + rank >= length) break;
    keys[i] = arrays.keys[span.begin + places[i]];
    if constexpr (Arrays::has_values) {
      values[i] = detail::value_of_key(arrays.values, span.begin + places[i], places[i]);
    }
  }
  tile.sync();  // all are read before any is written: the output may be the input
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const std::int64_t at = span.begin + i * Lanes + rank;
    if (i * Lanes + rank >= length) break;
    arrays.keys_out[at] = keys[i];
    if constexpr (Arrays::has_values) arrays.values_out[at] = values[i];
  }
}

template <lane_sort How, int Lanes, int Items, class Arrays>
__device__ __forceinline__ void sort_in_lanes(const Arrays& arrays, const segment_span& span, int first_bit,
                                              int end_bit) {
  if constexpr (How == lane_sort::words) detail::sort_words_in_lanes<Lanes, Items>(arrays, span);
  else detail::sort_places_in_lanes<Lanes, Items>(arrays, span, first_bit, end_bit);
}

/// Sorts the segments of the classes from `First` to before `End`, each list with the lanes of its class.
template <class Classes, int First, int End, lane_sort How, class Arrays, class Spans>
__global__ void __launch_bounds__(Classes::lanes_block_size, Classes::lanes_blocks)
    segmented_sort_lanes_kernel(Arrays arrays, Spans spans, typename Classes::lists lists, int first_bit, int end_bit) {
  ptx::begin_kernel();
  const auto sort_class = [&]<int Class>() {
    constexpr int lanes = Classes::tile(Class).lanes, items = Classes::tile(Class).items;
    const segment_list& list = lists.of[Class];
    const std::int64_t size = list.size(), threads = std::int64_t(gridDim.x) * Classes::lanes_block_size;
    std::int64_t i = (std::int64_t(blockIdx.x) * Classes::lanes_block_size + this_block::thread_rank()) / lanes;
    for (; i < size; i += threads / lanes) {
      detail::sort_in_lanes<How, lanes, items>(arrays, spans(list[i]), first_bit, end_bit);
    }
  };
  [&]<int... Index>(std::integer_sequence<int, Index...>) {
    (sort_class.template operator()<First + Index>(), ...);
  }(std::make_integer_sequence<int, End - First>{});
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
