// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/detail/exchange_tile.cuh>

#include <bit>

namespace gpuprim::inline v0_2_0::detail {

/// An exchange_tile with a gap of a word behind each 128 bytes.
///
/// The ranks of a scatter often grow by about `Items` from one thread to the next: where it drops some values, where it
/// sorts what is nearly in order, or where it changes a layout. Without gaps, such a stride would put the values of a
/// warp in a few banks. Values of a thread are a power of two of bytes, so that they lie between gaps at distances that
/// are the same for every thread.
template <class T, int Threads, int Items>
struct gapped_tile {
  using item_words = widest_words<int(sizeof(T))>;
  static constexpr unsigned row_bytes = 128, item_bytes = sizeof(T), own_bytes = Items * item_bytes;
  static constexpr unsigned gap_bytes = item_words::word_bytes < 4 ? 4 : item_words::word_bytes;
  static constexpr unsigned values_bytes = Threads * own_bytes;
  static constexpr unsigned bytes = values_bytes + (values_bytes - 1) / row_bytes * gap_bytes;
  using own_words = widest_words<int(gap_bytes)>;

  unsigned char* memory;

  /// Where a byte lies whose number is `offset`.
  __device__ __forceinline__ static constexpr unsigned place(unsigned offset) {
    return offset + offset / row_bytes * gap_bytes;
  }
  /// Where word `w` of value number `position` lies.
  __device__ __forceinline__ static unsigned place_at(unsigned position, int w) {
    constexpr unsigned row_items = row_bytes / item_bytes;
    return position * item_bytes + position / row_items * gap_bytes + unsigned(w * item_words::word_bytes);
  }

  __device__ __forceinline__ void store_at(unsigned position, const T& value) const {
    detail::store_words(memory, value, [&](int w) { return place_at(position, w); });
  }
  __device__ __forceinline__ void store_unless_negative(int sign, unsigned position, const T& value) const {
    detail::store_words_unless_negative(sign, memory, value, [&](int w) { return place_at(position, w); });
  }
  __device__ __forceinline__ void load_at(unsigned position, T& value) const {
    detail::load_words(memory, value, [&](int w) { return place_at(position, w); });
  }
  __device__ __forceinline__ void load_striped(unsigned rank, T (&values)[Items]) const {
    constexpr unsigned stripe_bytes = Threads * item_bytes;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if constexpr (stripe_bytes % row_bytes == 0) {
        const unsigned stripe = gapped_tile::place(unsigned(i) * stripe_bytes);
        detail::load_words(memory, values[i], [&](int w) { return place_at(rank, w) + stripe; });
      } else {
        this->load_at(unsigned(i) * Threads + rank, values[i]);
      }
    }
  }
  __device__ __forceinline__ void load_blocked(unsigned rank, T (&values)[Items]) const {
    using word = typename own_words::type;
    const unsigned first = gapped_tile::place(rank * own_bytes);
    word words[own_bytes / gap_bytes];
#pragma unroll
    for (unsigned w = 0; w < own_bytes / gap_bytes; ++w) {
      words[w] = *reinterpret_cast<const word*>(memory + first + gapped_tile::place(w * gap_bytes));
    }
    std::memcpy(static_cast<void*>(values), words, sizeof words);
  }
};

/// The values of a scatter. It has gaps where threads' own values begin a power of two of bytes apart, at least 16, and
/// where there is room for gaps. A single value of each thread needs none.
template <class T, int Threads, int Items>
using scatter_tile =
    std::conditional_t<Items >= 2 && std::has_single_bit(Items * sizeof(T)) && Items * sizeof(T) >= 16 &&
                           sizeof(T) <= 128 && gapped_tile<T, Threads, Items>::bytes <= most_static_shared_bytes,
                       gapped_tile<T, Threads, Items>, exchange_tile<T, Threads, Items>>;

}  // namespace gpuprim::detail
