// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/concepts.hpp>
#include <gpuprim/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The unsigned integer of so many bytes.
template <int Bytes>
using unsigned_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Keys whose bits are those of a number of at most 64 bits: numbers, and 8-bit floats, which only store them.
template <class Key>
inline constexpr bool has_radix_key = is_number<Key> || is_quarter_precision<Key>;

/// Numbers as unsigned integers in the same order, digit by digit of which they can be sorted and selected.
///
/// Of floating types a NaN comes behind +infinity, or before -infinity if its sign bit is set. -0 and +0 have words of
/// their own, which `order` makes one.
template <class Key>
struct radix_key {
  static_assert(has_radix_key<Key>);
  using word = unsigned_of<int(sizeof(Key))>;
  static constexpr int bits = std::is_same_v<Key, bool> ? 1 : 8 * int(sizeof(Key));
  static constexpr bool is_floating = std::is_floating_point_v<Key> || is_short_float<Key>;
  static constexpr word sign = is_floating || std::is_signed_v<Key> ? word(word(1) << (8 * sizeof(Key) - 1)) : word(0);

  GPUPRIM_HOST_DEVICE static constexpr word to_word(const Key& key) {
    const word raw = __builtin_bit_cast(word, key);
    if constexpr (is_floating) return word(raw & sign ? ~raw : raw | sign);
    else return word(raw ^ sign);
  }
  GPUPRIM_HOST_DEVICE static constexpr Key to_key(word w) {
    if constexpr (is_floating) return __builtin_bit_cast(Key, word(w & sign ? w ^ sign : ~w));
    else return __builtin_bit_cast(Key, word(w ^ sign));
  }
  /// What words are compared by: one word for both zeros.
  GPUPRIM_HOST_DEVICE static constexpr word order(word w) {
    if constexpr (is_floating) return w == word(sign - 1) ? sign : w;
    else return w;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
