// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Which bucket a key belongs to. The words of a bucket have no word of another between them.
#include <gpuprim/device/common/word_distance.cuh>

#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {

/// A part of the distances: which bucket it begins with, and how many it has. A crowded part is split into as many
/// again. It is one word, so that threads fetch it at once.
struct bucket_part {
  std::uint32_t word;
  static constexpr unsigned is_split = 0xffff;  ///< in place of a length, with the number of the split

  __device__ static bucket_part of(unsigned first, unsigned length) { return {first | length << 16}; }
  __device__ unsigned first() const { return word & 0xffff; }
  __device__ unsigned length() const { return word >> 16; }
};
inline constexpr int bucket_part_bits = 7, bucket_parts = 1 << bucket_part_bits, most_splits = 8;
/// The parts, and then those of each split.
inline constexpr int all_bucket_parts = bucket_parts * (1 + most_splits);

/// Buckets of one length: 2^32 by `scale` distances. The words of all keys are inside.
template <class Digits, class Distance>
struct even_buckets {
  Distance distance;
  unsigned scale;

  template <class Key>
  __device__ __forceinline__ unsigned operator()(const Digits& digits, const Key& key) const {
    return __umulhi(distance.of_inside_key(digits, key), scale);
  }
};

/// Buckets of one length if `scale` is not 0, or else the buckets of parts.
template <class Digits>
struct bucket_map {
  using word = typename Digits::word;
  using key = typename Digits::key;
  using distance_type =
      std::conditional_t<std::is_floating_point_v<key>, value_distance<Digits, key>, word_distance<Digits>>;

  distance_type distance;
  unsigned scale;  ///< 2^32 by the distances of a bucket
  int buckets;
  bool has_outsiders;  ///< words that are not inside

  __device__ __forceinline__ bool is_even() const { return scale > 0; }
  __device__ __forceinline__ even_buckets<Digits, distance_type> even() const { return {distance, scale}; }
  __device__ __forceinline__ unsigned even_bucket(word w) const { return __umulhi(distance(w), scale); }
  __device__ __forceinline__ unsigned operator()(word w, const bucket_part* parts) const {
    if (is_even()) return even_bucket(w);
    unsigned at = distance(w);
    bucket_part part = parts[at >> (32 - bucket_part_bits)];
    at <<= bucket_part_bits;
    if (part.length() == bucket_part::is_split) {
      part = parts[(part.first() + 1) * bucket_parts + (at >> (32 - bucket_part_bits))];
      at <<= bucket_part_bits;
    }
    return part.first() + __umulhi(at, part.length());
  }
};

/// Keys by the bits of their bucket's number.
template <class Digits>
struct found_bucket_digits : Digits {
  static constexpr int bits = 16;

  bucket_map<Digits> map;
  const bucket_part* parts;

  __device__ __forceinline__ unsigned digit(typename Digits::word w, int first, unsigned mask) const {
    return map(this->order(w), parts) >> first & mask;
  }
};

/// Keys by the bits of their bucket's number, of buckets that an earlier launch finds.
template <class Digits>
struct bucket_digits : Digits {
  static constexpr int bits = found_bucket_digits<Digits>::bits;

  const bucket_map<Digits>* map;
  const bucket_part* parts;

  __device__ __forceinline__ found_bucket_digits<Digits> find() const { return {*this, *map, parts}; }
};

/// What a launch prepares for passes by the digits of a bucket's number: where the keys of each digit go, and what the
/// first pass needs cleared. There is nothing to prepare if `begins` is null.
struct digit_passes {
  static constexpr int digit_bits = 8, bins = 1 << digit_bits, most = 2;

  unsigned long long* begins = nullptr;
  unsigned* ticket = nullptr;
  std::uint32_t* words = nullptr;
  std::int64_t count = 0;
};

}  // namespace gpuprim::detail
