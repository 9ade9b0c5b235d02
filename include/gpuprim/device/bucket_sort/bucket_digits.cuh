// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/bucket_sort/bucket_map.cuh>

namespace gpuprim::inline v0_2_0::detail {

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
