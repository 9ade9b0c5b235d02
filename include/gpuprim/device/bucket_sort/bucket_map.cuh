// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which bucket a key belongs to. The words of a bucket have no word of another between them.
#include <gpuprim/core/radix_digits.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {

/// Where a word lies between two others, as a number of 32 bits: 0 at the lower one or below it, and the most, which
/// has its highest bit, at the upper one or above it.
template <class Digits>
struct word_distance {
  using word = typename Digits::word;
  static constexpr int word_bits = 8 * int(sizeof(word));

  word low, high;
  int shift;

  __device__ __forceinline__ static word_distance between(word low, word high) {
    const auto length = std::uint64_t(word(high - low)) << (64 - word_bits);
    return {low, high, length == 0 ? 0 : __clzll(static_cast<long long>(length))};
  }
  /// With so much below and above as a sample of keys may have missed.
  __device__ __forceinline__ static word_distance around(word low, word high) {
    const word length = word(high - low), margin = word(length / 64 + 1), top = word(~word(0));
    return between(low > margin ? word(low - margin) : word(0), high < word(top - margin) ? word(high + margin) : top);
  }
  __device__ __forceinline__ unsigned operator()(word w) const {
    w = w < low ? low : w < high ? w : high;
    if constexpr (word_bits == 32) return unsigned(w - low) << shift;
    else return unsigned((w - low) << shift >> 32);
  }
};

/// Where a float lies between two others, by what they stand for: keys that are spread evenly have no even words.
template <class Digits>
struct value_distance {
  using word = typename Digits::word;
  using value = typename Digits::key;
  static constexpr bool is_float = sizeof(value) == 4;
  /// The numbers from this one to twice as much have distances in the bits of their mantissas.
  static constexpr value base = value(std::int64_t{1} << (is_float ? 23 : 52));
  /// No two values of the range are so far apart that their distance overflows.
  static constexpr value most = (std::numeric_limits<value>::max)() / 4;

  word low, high;
  value first, scale;

  __device__ __forceinline__ static value_distance around(word low, word high) {
    const value least = value_of(limit(low, word_of(-most), word_of(most)));
    const value greatest = value_of(limit(high, word_of(-most), word_of(most)));
    const value margin = (greatest - least) / 64, first = least - margin, end = greatest + margin;
    const value scale = (base - 2) / (end - first);
    return {word_of(first), word_of(end), first, scale < most ? scale : most};
  }
  __device__ __forceinline__ unsigned operator()(word w) const {
    const value distance = value_of(limit(w, low, high)) - first;
    if constexpr (is_float) return __float_as_uint(fmaf(distance, scale, base)) << 9;
    else return unsigned(static_cast<std::uint64_t>(__double_as_longlong(fma(distance, scale, base))) << 12 >> 32);
  }

 private:
  /// Rises as words do.
  __device__ __forceinline__ static value value_of(word w) {
    return Digits::is_descending ? -Digits{}.load(w) : Digits{}.load(w);
  }
  __device__ __forceinline__ static word word_of(value x) { return Digits{}.store(Digits::is_descending ? -x : x); }
  __device__ __forceinline__ static word limit(word w, word low, word high) {
    return w < low ? low : w < high ? w : high;
  }
};

/// A part of the distances, and its buckets: where they begin, and how many there are, in 65536ths.
struct bucket_part {
  std::uint32_t first, length;
};
inline constexpr int bucket_part_bits = 7, bucket_parts = 1 << bucket_part_bits;

/// Buckets of one length: 2^32 by `scale` distances.
template <class Distance>
struct even_buckets {
  Distance distance;
  unsigned scale;

  template <class Word>
  __device__ __forceinline__ unsigned operator()(Word w) const {
    return __umulhi(distance(w), scale);
  }
};

/// Buckets of one length if `scale` is not 0, or else the buckets of parts.
template <class Digits>
struct bucket_map {
  using word = typename Digits::word;
  using distance_type =
      std::conditional_t<std::is_floating_point_v<typename Digits::key>, value_distance<Digits>, word_distance<Digits>>;

  distance_type distance;
  unsigned scale;  ///< 2^32 by the distances of a bucket
  int buckets;

  __device__ __forceinline__ bool is_even() const { return scale > 0; }
  __device__ __forceinline__ even_buckets<distance_type> even() const { return {distance, scale}; }
  __device__ __forceinline__ unsigned operator()(word w, const bucket_part* parts) const {
    const unsigned at = distance(w);
    if (is_even()) return __umulhi(at, scale);
    const bucket_part part = parts[at >> (32 - bucket_part_bits)];
    return (part.first + __umulhi(at << bucket_part_bits, part.length)) >> 16;
  }
};

}  // namespace gpuprim::detail
