// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where words lie in a range of them.
#include <gpuprim/core/operators.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

namespace gpuprim::inline v0_2_0::detail {

/// The least word of some and the greatest; of none at first.
template <class Word>
struct word_range {
  Word low = Word(~Word(0)), high = 0;
};

struct join_ranges {
  template <class Word>
  __device__ word_range<Word> operator()(const word_range<Word>& a, const word_range<Word>& b) const {
    return {minimum<Word>{}(a.low, b.low), maximum<Word>{}(a.high, b.high)};
  }
};

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
  __device__ __forceinline__ bool is_inside(word w) const { return low <= w && w <= high; }
  __device__ __forceinline__ unsigned operator()(word w) const {
    return of_inside(w < low ? low : w < high ? w : high);
  }
  /// Of a word that is inside.
  __device__ __forceinline__ unsigned of_inside(word w) const {
    if constexpr (word_bits == 32) return unsigned(w - low) << shift;
    else return unsigned((w - low) << shift >> 32);
  }
  /// Of a key whose word is inside.
  template <class Key>
  __device__ __forceinline__ unsigned of_inside_key(const Digits& digits, const Key& key) const {
    return of_inside(digits.store(key));
  }
};

/// Where a float lies between two others, by what they stand for: keys that are spread evenly have no even words.
template <class Digits, class Key>
struct value_distance {
  using word = typename Digits::word;
  using value = Key;
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
  __device__ __forceinline__ bool is_inside(word w) const { return low <= w && w <= high; }
  __device__ __forceinline__ unsigned operator()(word w) const { return of_inside(limit(w, low, high)); }
  /// Of a word that is inside.
  __device__ __forceinline__ unsigned of_inside(word w) const { return of_value(value_of(w)); }
  /// Of a key whose word is inside.
  __device__ __forceinline__ unsigned of_inside_key(const Digits&, value key) const {
    return of_value(Digits::is_descending ? -key : key);
  }

 private:
  __device__ __forceinline__ unsigned of_value(value x) const {
    const value distance = x - first;
    if constexpr (is_float) return __float_as_uint(fmaf(distance, scale, base)) << 9;
    else return unsigned(static_cast<std::uint64_t>(__double_as_longlong(fma(distance, scale, base))) << 12 >> 32);
  }
  /// Rises as words do.
  __device__ __forceinline__ static value value_of(word w) {
    return Digits::is_descending ? -Digits{}.load(w) : Digits{}.load(w);
  }
  __device__ __forceinline__ static word word_of(value x) { return Digits{}.store(Digits::is_descending ? -x : x); }
  __device__ __forceinline__ static word limit(word w, word low, word high) {
    return w < low ? low : w < high ? w : high;
  }
};

}  // namespace gpuprim::detail
