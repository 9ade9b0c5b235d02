// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_with_memory.cuh>
#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/words.cuh>
#include <gpuprim/ptx/sm_70.cuh>

#include <bit>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// Who meets between the uses of a piece of shared memory: functions of one kind may share it.
enum class meeting { of_block, of_warp };

template <meeting Meeting, int Bytes, int Alignment>
struct alignas(Alignment) exchanged_bytes {
  unsigned char bytes[Bytes];
};

/// Shared memory through which values change their threads. All functions that use as many bytes share it, because each
/// of them ends with a barrier.
template <meeting Meeting, int Bytes, int Alignment = 16, class Block = this_block>
__device__ __forceinline__ unsigned char* exchange_memory(const Block& block = {}) {
  return detail::storage_of<exchanged_bytes<Meeting, Bytes, (Alignment > 16 ? Alignment : 16)>>(block).bytes;
}

/// Calls `store(to, word)` for the words of a value, where word `w` goes to `memory + find_place(w)`.
template <class T, class Place, class Store>
__device__ __forceinline__ void store_words(unsigned char* memory, const T& value, const Place& find_place,
                                            const Store& store) {
  using item_words = widest_words<int(sizeof(T))>;
  using word = typename item_words::type;
  word words[item_words::count];
  std::memcpy(words, detail::pointer_to(value), sizeof words);
  detail::for_words<T, item_words::count>(
      [&](int w) { store(reinterpret_cast<word*>(memory + find_place(w)), words[w]); });
}
struct store_word {
  template <class Word> __device__ __forceinline__ void operator()(Word* to, const Word& word) const { *to = word; }
};
template <class T, class Place>
__device__ __forceinline__ void load_words(const unsigned char* memory, T& value, const Place& find_place) {
  using item_words = widest_words<int(sizeof(T))>;
  using word = typename item_words::type;
  word words[item_words::count];
#pragma unroll
  for (int w = 0; w < item_words::count; ++w) words[w] = *reinterpret_cast<const word*>(memory + find_place(w));
  std::memcpy(static_cast<void*>(detail::pointer_to(value)), words, sizeof words);
}

/// Accesses to values by their numbers among those of all threads. Tile: says where words lie.
template <class Tile, class T>
struct numbered_values {
  unsigned char* memory;

  __device__ __forceinline__ void store_at(unsigned position, const T& value) const {
    detail::store_words(memory, value, [&](int w) { return Tile::place_at(position, w); }, store_word{});
  }
  __device__ __forceinline__ void store_unless_negative(int sign, unsigned position, const T& value) const {
    detail::store_words(
        memory, value, [&](int w) { return Tile::place_at(position, w); },
        [&](auto* to, const auto& word) { ptx::store_shared_unless_negative(sign, to, word); });
  }
  __device__ __forceinline__ void load_at(unsigned position, T& value) const {
    detail::load_words(memory, value, [&](int w) { return Tile::place_at(position, w); });
  }
};

/// `Items` values of each of `Threads` threads in shared memory, those of rank 0 first.
///
/// A thread accesses its own values by vectors of 16 bytes where these divide them. If each thread has an even number
/// of vectors, those of 8 neighbouring threads would lie in the same banks. Hence vectors change places in groups of
/// `swapped`: the number of a vector's row is added to the vector's number bit by bit. This takes no memory, and 128
/// neighbouring bytes stay in 128 neighbouring bytes, so that striped accesses have no conflicts either.
template <class T, int Threads, int Items>
struct exchange_tile : numbered_values<exchange_tile<T, Threads, Items>, T> {
  static constexpr unsigned item_bytes = sizeof(T), own_bytes = Items * item_bytes, bytes = Threads * own_bytes;
  using own_words = widest_words<int(own_bytes)>;
  using item_words = widest_words<int(item_bytes)>;
  static constexpr unsigned vectors = own_words::word_bytes == 16 ? own_words::count : 1;
  static constexpr unsigned swapped = (vectors | 8) & -(vectors | 8);  // the largest power of two, up to 8, in vectors
  static constexpr unsigned row_bytes = vectors / swapped * 128, period_bytes = row_bytes * swapped;
  using numbered_values<exchange_tile, T>::memory;

  /// Where a byte lies whose number is `offset`.
  __device__ __forceinline__ static unsigned place(unsigned offset) {
    return offset ^ offset / row_bytes % swapped * 16;
  }
  /// Where word `w` of value `i * Threads + rank` lies.
  __device__ __forceinline__ static unsigned place_striped(unsigned rank, int i, int w) {
    const unsigned offset = rank * item_bytes + unsigned(w * item_words::word_bytes);
    const unsigned stripe = unsigned(i) * Threads * item_bytes;
    if constexpr (Threads * item_bytes % period_bytes == 0) return place(offset) + stripe;
    else return place(offset + stripe);
  }
  /// Where word `w` of a thread's own values lies.
  __device__ __forceinline__ static unsigned place_own(unsigned rank, int w) {
    const unsigned row = rank / (8 / swapped) % swapped;  // a row has whole threads
    return rank * own_bytes + (unsigned(w * own_words::word_bytes) ^ row * 16);
  }

  __device__ __forceinline__ void store_blocked(unsigned rank, const T (&values)[Items]) const {
    using word = typename own_words::type;
    word words[own_words::count];
    std::memcpy(words, values, sizeof words);
#pragma unroll
    for (int w = 0; w < own_words::count; ++w) *reinterpret_cast<word*>(memory + place_own(rank, w)) = words[w];
  }
  __device__ __forceinline__ void load_blocked(unsigned rank, T (&values)[Items]) const {
    using word = typename own_words::type;
    word words[own_words::count];
#pragma unroll
    for (int w = 0; w < own_words::count; ++w) words[w] = *reinterpret_cast<const word*>(memory + place_own(rank, w));
    std::memcpy(static_cast<void*>(values), words, sizeof words);
  }

  __device__ __forceinline__ void store_striped(unsigned rank, const T (&values)[Items]) const {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      detail::store_words(memory, values[i], [&](int w) { return place_striped(rank, i, w); }, store_word{});
    }
  }
  __device__ __forceinline__ void load_striped(unsigned rank, T (&values)[Items]) const {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      detail::load_words(memory, values[i], [&](int w) { return place_striped(rank, i, w); });
    }
  }
  __device__ __forceinline__ static unsigned place_at(unsigned position, int w) {
    return place(position * item_bytes + unsigned(w * item_words::word_bytes));
  }
};

/// An exchange_tile with a gap of a word behind each 128 bytes.
///
/// The ranks of a scatter often grow by about `Items` from one thread to the next: where it drops some values, where it
/// sorts what is nearly in order, or where it changes a layout. Without gaps, such a stride would put the values of a
/// warp in a few banks. Values of a thread are a power of two of bytes, so that they lie between gaps at distances that
/// are the same for every thread.
template <class T, int Threads, int Items>
struct gapped_tile : numbered_values<gapped_tile<T, Threads, Items>, T> {
  using item_words = widest_words<int(sizeof(T))>;
  static constexpr unsigned row_bytes = 128, item_bytes = sizeof(T), own_bytes = Items * item_bytes;
  static constexpr unsigned gap_bytes = item_words::word_bytes < 4 ? 4 : item_words::word_bytes;
  static constexpr unsigned values_bytes = Threads * own_bytes;
  static constexpr unsigned bytes = values_bytes + (values_bytes - 1) / row_bytes * gap_bytes;
  using own_words = widest_words<int(gap_bytes)>;
  using numbered_values<gapped_tile, T>::memory;

  /// Where a byte lies whose number is `offset`.
  __device__ __forceinline__ static constexpr unsigned place(unsigned offset) {
    return offset + offset / row_bytes * gap_bytes;
  }
  /// Where word `w` of value number `position` lies.
  __device__ __forceinline__ static unsigned place_at(unsigned position, int w) {
    constexpr unsigned row_items = row_bytes / item_bytes;
    return position * item_bytes + position / row_items * gap_bytes + unsigned(w * item_words::word_bytes);
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
