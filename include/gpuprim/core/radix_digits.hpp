// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/radix_key.hpp>
#include <gpuprim/core/tuple.hpp>

#include <type_traits>
#include <utility>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Whether the least key comes first, or the greatest.
enum class sort_direction { ascending, descending };

/// Whether an order compares all bits of a key, or a range of them.
enum class compared_bits { all, some };

namespace detail {

/// The bits of a digit that begins at `bit` and has no bits from `end_bit` on.
template <int DigitBits>
GPUPRIM_HOST_DEVICE constexpr unsigned digit_mask(int bit, int end_bit) {
  return (1u << (end_bit - bit < DigitBits ? end_bit - bit : DigitBits)) - 1;
}

/// Numbers, which are kept as words that have their order. Bit 0 is the lowest of a key.
template <class Key, sort_direction Direction>
struct number_digits {
  using radix = radix_key<Key>;
  using word = typename radix::word;
  using stored = word;
  static constexpr int bits = radix::bits;
  static constexpr bool is_descending = Direction == sort_direction::descending;

  GPUPRIM_HOST_DEVICE stored store(const Key& key) const { return turn(radix::to_word(key)); }
  GPUPRIM_HOST_DEVICE Key load(stored w) const { return radix::to_key(turn(w)); }
  /// The digit of `mask`'s bits from `first` on.
  GPUPRIM_HOST_DEVICE unsigned digit(stored w, int first, unsigned mask) const {
    return unsigned(order(w) >> first) & mask;
  }
  /// What stored words are compared by: one word for both zeros.
  GPUPRIM_HOST_DEVICE word order(stored w) const { return turn(radix::order(turn(w))); }

 private:
  GPUPRIM_HOST_DEVICE static constexpr word turn(word w) {
    if constexpr (is_descending) return word(~w);
    else return w;
  }
};

/// Numbers of which all bits are compared.
template <class Key, sort_direction Direction>
struct all_digits : number_digits<Key, Direction> {
  using key = Key;
};

/// Numbers by all bits of their words: -0 comes before +0. What is equal then is the same.
template <class Key, sort_direction Direction>
struct whole_digits : number_digits<Key, Direction> {
  using key = Key;
  using typename number_digits<Key, Direction>::word;
  GPUPRIM_HOST_DEVICE unsigned digit(word w, int first, unsigned mask) const { return unsigned(w >> first) & mask; }
  GPUPRIM_HOST_DEVICE word order(word w) const { return w; }
};

template <class T>
inline constexpr bool has_digits = has_radix_key<T>;
template <class... Ts>
inline constexpr bool has_digits<tuple<Ts...>> = (has_radix_key<Ts> && ...);

/// Whether a projection makes a number or a tuple of numbers of a key.
template <class Projection, class Key>
concept digit_projection = requires(const Projection& projection, const Key& key) {
  requires has_digits<std::remove_cvref_t<decltype(projection(key))>>;
};

/// Keys of any type, of which `projection(key)` makes a number or a tuple of numbers, of which the first is compared
/// first. Bit 0 is the lowest of the last number.
template <class Key, class Projection, sort_direction Direction>
struct projected_digits {
  static_assert(digit_projection<Projection, Key>,
                "gpuprim: the const operator() of a projection must take a key and return a number of at most 64 bits "
                "or a gpuprim::tuple of such numbers; a __device__ lambda hides from the host what it returns");
  using projected = std::remove_cvref_t<decltype(std::declval<const Projection&>()(std::declval<const Key&>()))>;
  using stored = Key;

  template <class T>
  struct fields {
    static constexpr int bits = radix_key<T>::bits;
    GPUPRIM_HOST_DEVICE static unsigned digit(const T& value, int first, unsigned mask) {
      return number_digits<T, Direction>{}.digit(number_digits<T, Direction>{}.store(value), first, mask);
    }
  };
  template <class... Ts>
  struct fields<tuple<Ts...>> {
    static constexpr int bits = (radix_key<Ts>::bits + ...);
    GPUPRIM_HOST_DEVICE static unsigned digit(const tuple<Ts...>& values, int first, unsigned mask) {
      return digit_of(values, first, mask, std::index_sequence_for<Ts...>{});
    }

   private:
    template <std::size_t... Index>
    GPUPRIM_HOST_DEVICE static unsigned digit_of(const tuple<Ts...>& values, int first, unsigned mask,
                                                 std::index_sequence<Index...>) {
      unsigned found = 0;
      int end = bits;
      const auto add = [&]<class T>(const T& value) {
        constexpr int field_bits = radix_key<T>::bits;
        const int from = first - (end -= field_bits);  // the digit's first bit, in the field
        if (from >= field_bits || from <= -digit_bits) return;
        const auto all = (1u << (field_bits < digit_bits ? field_bits : digit_bits)) - 1;
        if (from >= 0) found |= fields<T>::digit(value, from, all) & low_bits(field_bits - from);
        else found |= fields<T>::digit(value, 0, all) << -from;
      };
      (add(get<Index>(values)), ...);
      return found & mask;
    }
    static constexpr int digit_bits = 8;
    GPUPRIM_HOST_DEVICE static constexpr unsigned low_bits(int count) { return count < 32 ? (1u << count) - 1 : ~0u; }
  };
  static constexpr int bits = fields<projected>::bits;

  Projection projection;

  GPUPRIM_HOST_DEVICE const stored& store(const Key& key) const { return key; }
  GPUPRIM_HOST_DEVICE const Key& load(const stored& key) const { return key; }
  GPUPRIM_HOST_DEVICE unsigned digit(const stored& key, int first, unsigned mask) const {
    return fields<projected>::digit(projection(key), first, mask);
  }
};

/// Stands for a projection where numbers are compared themselves.
struct whole_key {};

/// Makes two numbers of 64 bits of one of 128.
struct halves_of {
  template <class Key>
  GPUPRIM_HOST_DEVICE constexpr auto operator()(const Key& key) const {
    using upper = std::conditional_t<std::is_same_v<Key, int128>, std::int64_t, std::uint64_t>;
    return tuple<upper, std::uint64_t>{static_cast<upper>(key >> 64), static_cast<std::uint64_t>(key)};
  }
};

/// The bits that an order compares.
template <compared_bits Bits>
struct bit_range {
  static constexpr int first_bit = 0, end_bit = -1;
};
template <>
struct bit_range<compared_bits::some> {
  /// The first bit that is compared, counted from the lowest of the last number.
  int first_bit = 0;
  /// The bit behind the last one that is compared; all if it is negative.
  int end_bit = -1;
};

}  // namespace detail

/// An order that keys can be sorted in digit by digit: `ascending` or `descending`. Whether it compares all bits is a
/// part of the type: what does so compiles no kernels for ranges of them.
template <sort_direction Direction, class Projection = detail::whole_key, compared_bits Bits = compared_bits::all>
struct radix_order : detail::bit_range<Bits> {
  /// Which key comes first.
  static constexpr sort_direction direction = Direction;
  /// Whether all bits are compared.
  static constexpr compared_bits compared = Bits;
  /// What makes a number, or a tuple of numbers, of a key.
  Projection projection{};

  /// Compares `projection(key)`, a number or a gpuprim::tuple of numbers, of which the first counts most. It is called
  /// on the device, and the host has to know what it returns. Sorts of arrays and of segments take numbers of at most
  /// 384 bits in all.
  template <class Other>
  GPUPRIM_HOST_DEVICE constexpr radix_order<Direction, Other, Bits> by(const Other& other) const {
    return {*this, other};
  }
  /// Compares only the bits from `first` on that lie before `end`; a key has no others, or they do not matter. A
  /// negative `end` stands for all from `first` on. Of signed and floating numbers the bits are those of the unsigned
  /// number in the same order.
  GPUPRIM_HOST_DEVICE constexpr auto bits(int first, int end) const {
    return radix_order<Direction, Projection, compared_bits::some>{{first, end}, projection};
  }
};

#if defined(__CUDA_ARCH__)
// A kernel refers to objects of its own: those of the host are no constants to it once it passes them by reference.
__device__ constexpr radix_order<sort_direction::ascending> ascending{};
__device__ constexpr radix_order<sort_direction::descending> descending{};
#else
/// From the least key to the greatest. -0 equals +0; NaN come last, or first if their sign bit is set.
inline constexpr radix_order<sort_direction::ascending> ascending{};
/// From the greatest key to the least.
inline constexpr radix_order<sort_direction::descending> descending{};
#endif

namespace detail {

template <class Order>
inline constexpr bool is_radix_order = false;
template <sort_direction Direction, class Projection, compared_bits Bits>
inline constexpr bool is_radix_order<radix_order<Direction, Projection, Bits>> = true;

/// The digits of keys in an order.
template <class Key, sort_direction Direction, class Projection, compared_bits Bits>
GPUPRIM_HOST_DEVICE constexpr auto digits_of(const radix_order<Direction, Projection, Bits>& order) {
  if constexpr (!std::is_same_v<Projection, whole_key>) {
    return projected_digits<Key, Projection, Direction>{order.projection};
  } else if constexpr (is_wide_integer<Key>) {
    return projected_digits<Key, halves_of, Direction>{};
  } else {
    return number_digits<Key, Direction>{};
  }
}

}  // namespace detail
GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
