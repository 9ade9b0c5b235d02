// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which bucket a key belongs to. A bucket has the keys of a range, and no other bucket has any of these.
#include <gpuprim/core/radix_digits.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_1_0::detail {

/// Ranges of one length between two words: 2^bits of them. The first bucket has what lies below too, and the last one
/// what lies above.
template <class Digits>
struct word_buckets {
  using word = typename Digits::word;
  static constexpr int word_bits = 8 * int(sizeof(word));

  word low, high;
  int shift, bits;
  unsigned scale;  ///< 2^63 by the distances from `low` that there are, by their highest 32 bits

  __device__ __forceinline__ static word_buckets between(word low, word high, int bits) {
    const auto length = std::uint64_t(word(high - low)) << (64 - word_bits);
    const int shift = length == 0 ? 0 : __clzll(static_cast<long long>(length));
    const std::uint64_t distances = (length << shift >> 32) + 1;
    return {low, high, shift, bits, unsigned(((std::uint64_t{1} << 63) - 1) / distances)};
  }
  /// With so much below and above as a sample of keys may have missed.
  __device__ __forceinline__ static word_buckets around(word low, word high, int bits) {
    const word length = word(high - low), margin = word(length / 64), top = word(~word(0));
    return between(low > margin ? word(low - margin) : word(0), high < word(top - margin) ? word(high + margin) : top,
                   bits);
  }
  /// The range of some neighbouring buckets, in as many buckets of its own.
  __device__ __forceinline__ word_buckets part(unsigned first, unsigned last, int part_bits) const {
    return between(word(low + before(first)), word(low + before(last + 1)), part_bits);
  }
  __device__ __forceinline__ unsigned operator()(word w) const {
    w = w < low ? low : w < high ? w : high;
    unsigned distance = 0;
    if constexpr (word_bits <= 32) distance = unsigned(w - low) << (32 - word_bits) << shift;
    else distance = unsigned((w - low) << shift >> 32);
    return __umulhi(distance, scale) >> (31 - bits);
  }

 private:
  /// At most the least distance from `low` that a word of a bucket has.
  __device__ __forceinline__ word before(unsigned bucket) const {
    const auto length = std::uint64_t(word(high - low));
    return word((length >> bits) * bucket + ((length & ((1u << bits) - 1)) * bucket >> bits));
  }
};

/// The same between two floats: ranges of one length of what they stand for, which their words have not.
template <class Digits>
struct value_buckets {
  using word = typename Digits::word;
  using value = typename Digits::key;

  word low, high;
  value first_value, scale;
  int bits;

  __device__ __forceinline__ static value_buckets between(value first, value end, int bits) {
    const Digits digits;
    const value scale = value(1u << bits) / (end - first);
    return {digits.store(turn(first)), digits.store(turn(end)), first, scale, bits};
  }
  __device__ __forceinline__ static value_buckets around(word low, word high, int bits) {
    const Digits digits;
    const value first = turn(digits.load(low)), end = turn(digits.load(high)), margin = (end - first) / 64;
    return between(first - margin, end + margin, bits);
  }
  __device__ __forceinline__ value_buckets part(unsigned first, unsigned last, int part_bits) const {
    return between(first_value + value(first) / scale, first_value + value(last + 1) / scale, part_bits);
  }
  __device__ __forceinline__ unsigned operator()(word w) const {
    const unsigned most = (1u << bits) - 1;
    if (w <= low) return 0;
    if (w >= high) return most;
    const auto bucket = unsigned((turn(Digits{}.load(w)) - first_value) * scale);
    return bucket < most ? bucket : most;
  }

 private:
  /// Values rise as words do.
  __device__ __forceinline__ static value turn(value x) { return Digits::is_descending ? -x : x; }
};

template <class Digits>
using buckets_of =
    std::conditional_t<std::is_floating_point_v<typename Digits::key>, value_buckets<Digits>, word_buckets<Digits>>;

}  // namespace gpuprim::detail
