// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a thread of a streaming pass reads and writes neighbouring elements.
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/thread/load.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// How the arrays of a pass lie in memory.
enum class packet_form {
  aligned,   ///< packets begin with a word in all of them
  shifted,   ///< in all outputs: a word of an input is made of the two that it lies in
  elements,  ///< nowhere: a packet is one element
};

/// The largest power of two, up to the bytes of a wide load, that divides a size.
constexpr int find_word_bytes(std::size_t size) {
  const std::size_t power = size & (~size + 1);
  return power < load_bytes ? int(power) : load_bytes;
}

/// An unsigned number of so many bytes; of 16 bytes four of them.
template <int Bytes>
using word = std::conditional_t<
    Bytes == 16, uint4,
    std::conditional_t<
        Bytes == 8, std::uint64_t,
        std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 2, std::uint16_t, std::uint8_t>>>>;

/// The word that begins `shift` bytes after `low` and ends in `high`.
template <class Word>
__device__ __forceinline__ Word join_words(const Word& low, const Word& high, int shift) {
  if constexpr (sizeof(Word) == 16) {
    return detail::join_loads(ptx::keep_whole(low), ptx::keep_whole(high), shift);
  } else if constexpr (sizeof(Word) == 8) {
    return low >> 8 * shift | high << (64 - 8 * shift);
  } else if constexpr (sizeof(Word) == 4) {
    return __funnelshift_r(low, high, unsigned(8 * shift));
  } else {
    return static_cast<Word>((low | unsigned(high) << 8 * sizeof(Word)) >> 8 * shift);
  }
}

/// Bytes of a packet above which its elements are moved one by one: no registers hold many such packets.
inline constexpr int most_packet_bytes = 64;

/// Elements of a packet: as few as make whole wide words of the shortest elements that do, of all arrays. 1 where there
/// is no array, or where the elements are long.
template <class... Its>
constexpr int find_packet_items() {
  int items = load_bytes, longest = 0;
  const auto see = [&]<class It>(std::type_identity<It>) {
    if constexpr (std::is_pointer_v<It>) {
      const int needed = load_bytes / detail::find_word_bytes(sizeof(input_value<It>));
      if (needed < items) items = needed;
      if (int(sizeof(input_value<It>)) > longest) longest = int(sizeof(input_value<It>));
    }
  };
  (see(std::type_identity<Its>{}), ...);
  return longest == 0 || longest * items > most_packet_bytes ? 1 : items;
}

/// Whether packets of an array are moved in words.
template <class It, int Items, packet_form Form>
inline constexpr bool moves_words = false;
template <class T, int Items, packet_form Form>
inline constexpr bool moves_words<T*, Items, Form> =
    Form != packet_form::elements && Items * int(sizeof(T)) <= most_packet_bytes;

/// The words of a packet of an array.
template <class T, int Items>
struct packet_words {
  static constexpr int bytes = Items * int(sizeof(T)), word_bytes = find_word_bytes(bytes), count = bytes / word_bytes;
  using type = word<word_bytes>;
  type words[count];

  __device__ __forceinline__ uninitialized_array<T, Items> unpack() const {
    uninitialized_array<T, Items> items;
    std::memcpy(static_cast<void*>(detail::pointer_to(items)), words, sizeof items);
    return items;
  }
  __device__ __forceinline__ void pack(const uninitialized_array<T, Items>& items) {
    std::memcpy(words, static_cast<const void*>(detail::pointer_to(items)), sizeof items);
  }
};

/// A packet of an input, as it is loaded. Iterators, and elements that are not moved in words, are read one by one.
template <class In, int Items, packet_form Form>
struct input_packet {
  using value = input_value<In>;
  uninitialized_array<value, Items> items;

  __device__ __forceinline__ void load(const In& in, std::int64_t first, int) {
#pragma unroll
    for (int i = 0; i < Items; ++i) items[i] = in[first + i];
  }
  __device__ __forceinline__ const uninitialized_array<value, Items>& open(int) const { return items; }
};

template <class In, int Items, packet_form Form>
  requires(moves_words<In, Items, Form>)
struct input_packet<In, Items, Form> {
  using value = input_value<In>;
  using packed = packet_words<value, Items>;
  static constexpr int count = packed::count;
  static constexpr bool may_shift = Form == packet_form::shifted && packed::word_bytes > 1;
  typename packed::type loaded[count + may_shift];

  /// `shift`: bytes from a boundary of words to the packet.
  __device__ __forceinline__ void load(const In& in, std::int64_t first, int shift) {
    const auto* from = reinterpret_cast<const typename packed::type*>(in + first);
    if constexpr (may_shift) {
      from = reinterpret_cast<const typename packed::type*>(reinterpret_cast<const char*>(from) - shift);
      if (shift > 0) loaded[count] = from[count];
    }
#pragma unroll
    for (int i = 0; i < count; ++i) loaded[i] = from[i];
  }
  __device__ __forceinline__ packed join([[maybe_unused]] int shift) const {
    packed joined;
#pragma unroll
    for (int i = 0; i < count; ++i) joined.words[i] = loaded[i];
    if constexpr (may_shift) {
      if (shift > 0) {
#pragma unroll
        for (int i = 0; i < count; ++i) joined.words[i] = detail::join_words(loaded[i], loaded[i + 1], shift);
      }
    }
    return joined;
  }
  __device__ __forceinline__ uninitialized_array<value, Items> open(int shift) const { return join(shift).unpack(); }
};

/// Bytes of a packet of an output that the lanes of a warp trade before they are stored, so that the stores of a warp
/// are coalesced: 0 where a packet is one word.
template <class Out, int Items, packet_form Form>
inline constexpr int traded_bytes_of = 0;
template <class T, int Items, packet_form Form>
  requires(moves_words<T*, Items, Form>)
inline constexpr int traded_bytes_of<T*, Items, Form> =
    packet_words<T, Items>::count > 1 ? packet_words<T, Items>::bytes : 0;

/// Stores the packets of the first `count` lanes of a warp; that of lane 0 begins at element `first`. A warp calls it.
/// `room` in shared memory is the warp's, and is free again when it returns.
template <class T, int Items>
__device__ __forceinline__ void store_traded(const packet_words<T, Items>& own, T* out, std::int64_t first, int count,
                                             void* room) {
  using packed = packet_words<T, Items>;
  const warp_tile<warp_size> warp;
  const int lane = int(warp.thread_rank());
  auto* const words = static_cast<typename packed::type*>(room);
  if (lane < count) {
#pragma unroll
    for (int i = 0; i < packed::count; ++i) words[lane * packed::count + i] = own.words[i];
  }
  warp.sync();
  auto* const to = reinterpret_cast<typename packed::type*>(out + first);
#pragma unroll
  for (int i = 0; i < packed::count; ++i) {
    const int at = i * warp_size + lane;
    if (at < count * packed::count) to[at] = words[at];
  }
  warp.sync();
}

}  // namespace gpuprim::detail
