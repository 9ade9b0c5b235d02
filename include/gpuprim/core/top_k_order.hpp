// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/radix_key.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Which end of the order a top-k takes.
enum class top_k_end {
  largest,   ///< the largest keys
  smallest,  ///< the smallest keys
};

/// How a top-k writes what it takes.
enum class top_k_form {
  unsorted,  ///< in any order, which may differ from run to run
  sorted,    ///< as a stable sort would: the first key is the largest, or the smallest
};

/// An order of what a projection makes of keys: what `top_k_order::by` returns.
template <top_k_form Form, class Projection>
struct top_k_order_by;

/// Which keys a top-k takes and how it writes them: `largest`, `smallest`, `largest.sorted()`, `smallest.sorted()`. The
/// form is part of the type: what is unsorted compiles no sort.
template <top_k_form Form = top_k_form::unsorted>
struct top_k_order {
  /// The order of the results.
  static constexpr top_k_form form = Form;
  /// The end that is taken.
  top_k_end end = top_k_end::largest;

  /// As it is, but sorted.
  constexpr top_k_order<top_k_form::sorted> sorted() const { return {end}; }
  /// Compares `projection(key)`, a number of at most 64 bits, for keys of any type. It is called on the device, and the
  /// host has to know what it returns.
  template <class Projection>
  constexpr top_k_order_by<Form, Projection> by(const Projection& projection) const {
    return {*this, projection};
  }

  /// Whether both take the same end.
  friend constexpr bool operator==(const top_k_order&, const top_k_order&) = default;
};

template <top_k_form Form, class Projection>
struct top_k_order_by {
  /// The end that is taken, and the order of the results.
  top_k_order<Form> order;
  /// What makes a number of a key.
  Projection projection;

  /// As it is, but sorted.
  constexpr top_k_order_by<top_k_form::sorted, Projection> sorted() const { return {order.sorted(), projection}; }
};

/// The k largest keys, in any order.
inline constexpr top_k_order<> largest{top_k_end::largest};
/// The k smallest keys, in any order.
inline constexpr top_k_order<> smallest{top_k_end::smallest};

namespace detail {

/// What zeros of both signs are where keys are compared.
enum class zeros {
  distinct,  ///< +0 is above -0, so that a key can be made of its word again
  equal,     ///< one number, as positions tell which is which
};

/// Keys as words that are the larger, the sooner a key is taken.
template <class Key, zeros Zeros>
struct key_ranking {
  using key_type = Key;
  using radix = radix_key<Key>;
  using word = typename radix::word;
  static constexpr int bits = 8 * int(sizeof(word));
  /// Whether floating keys are told apart by their magnitude, which zeros of both signs share.
  static constexpr bool joins_zeros = radix::is_floating && Zeros == zeros::equal;

  word flipped = 0;  ///< bits that a rank has the other way round: all where the smallest keys are taken

  GPUPRIM_HOST_DEVICE static constexpr key_ranking of(top_k_end end) {
    return {end == top_k_end::largest ? word(0) : word(~word(0))};
  }
  GPUPRIM_HOST_DEVICE constexpr word rank(const Key& key) const {
    if constexpr (joins_zeros) {
      const word raw = __builtin_bit_cast(word, key);
      return word((raw & radix::sign ? word(-raw) : word(raw | radix::sign)) ^ flipped);
    } else {
      return word(radix::to_word(key) ^ flipped);
    }
  }
  /// Two keys of 16 bits at once.
  GPUPRIM_HOST_DEVICE constexpr std::uint32_t rank_two(std::uint32_t keys) const {
    constexpr std::uint32_t ones = 0x10001, signs = radix::sign * ones;
    std::uint32_t words = keys ^ signs;
    if constexpr (radix::is_floating) {
      const std::uint32_t negative = keys >> 15 & ones;
      words = (keys ^ (negative * 0xffff | signs)) + (joins_zeros ? negative : 0);
    }
    return words ^ flipped * ones;
  }
  /// Whether a rank tells the key: the word of both zeros does not.
  GPUPRIM_HOST_DEVICE constexpr bool tells_key(word rank) const {
    return !joins_zeros || word(rank ^ flipped) != radix::sign;
  }
  /// @pre tells_key(rank)
  GPUPRIM_HOST_DEVICE constexpr Key key(word rank) const {
    const word w = word(rank ^ flipped);
    return radix::to_key(joins_zeros && radix::sign > w ? word(w - 1) : w);
  }
};

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
