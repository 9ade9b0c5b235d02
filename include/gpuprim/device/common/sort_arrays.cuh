// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/radix_digits.hpp>
#include <gpuprim/core/shared.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Stands for the values of a sort of keys alone.
using no_values = nothing;

/// What keys are sorted by. Where a number is all that there is, zeros of both signs are told apart.
template <class Key, class Value, class Order>
auto digits_of_sort(const Order& order) {
  const auto digits = detail::digits_of<Key>(order);
  constexpr auto direction = Order::direction;
  constexpr bool is_number = std::is_same_v<decltype(digits), const number_digits<Key, direction>>;
  if constexpr (!is_number || Order::compared != compared_bits::all) return digits;
  else if constexpr (std::is_same_v<Value, no_values>) return whole_digits<Key, direction>{};
  else return all_digits<Key, direction>{};
}

template <int BlockSize, int Items, int DigitBits>
struct sort_shape {
  static constexpr int block_size = BlockSize, items = Items, digit_bits = DigitBits;
  static constexpr int bins = 1 << DigitBits, tile_items = BlockSize * Items;
};

/// Where a launch reads its n keys and values, from number `begin` on, and where it writes them.
template <class Digits, class KeysIn, class ValuesIn, class Key, class Value>
struct sort_arrays {
  using digits_type = Digits;
  using stored = typename Digits::stored;
  using key_type = Key;
  using value_type = Value;
  static constexpr bool has_values = !std::is_same_v<ValuesIn, no_values>;

  Digits digits;
  KeysIn keys;
  ValuesIn values;
  Key* keys_out;
  Value* values_out;
  std::int64_t begin, n;
};

/// Digits that an earlier launch has found are read once by a kernel.
template <class Arrays>
__device__ __forceinline__ decltype(auto) with_found_digits(const Arrays& arrays) {
  if constexpr (requires { arrays.digits.find(); }) {
    const auto found = arrays.digits.find();
    return sort_arrays<std::remove_const_t<decltype(found)>, decltype(arrays.keys), decltype(arrays.values),
                       typename Arrays::key_type, typename Arrays::value_type>{
        found, arrays.keys, arrays.values, arrays.keys_out, arrays.values_out, arrays.begin, arrays.n};
  } else {
    return (arrays);
  }
}

/// Keys and values, or null pointers where there are none.
template <class Key, class Value>
struct sort_buffers {
  Key* keys;
  Value* values;
};

/// Room for values in shared memory, or none.
template <class Value, int Count>
struct sort_values : shared_array<Value, Count> {};
template <int Count>
struct sort_values<no_values, Count> {};

/// The value that moves with a key of a segment: the element at the key's place, unless the iterator makes it of the
/// place in the segment.
template <class Values, class Place>
__device__ __forceinline__ decltype(auto) value_of_key(const Values& values, std::int64_t at,
                                                       [[maybe_unused]] Place in_segment) {
  if constexpr (requires { values.of_place(in_segment); }) return values.of_place(in_segment);
  else return values[at];
}

/// The segments that one launch sorts: those of a list that an earlier launch has made, or the first `count` ones.
struct segment_list {
  const unsigned long long* total = nullptr;  ///< how many there are, if there is a list
  const unsigned* numbers = nullptr;
  std::int64_t count = 0;

  __device__ std::int64_t size() const { return total ? std::int64_t(*total) : count; }
  __device__ std::int64_t operator[](std::int64_t i) const { return numbers ? numbers[i] : i; }
};

/// The digits that a sort of keys may have.
template <class Digits, int DigitBits>
inline constexpr int most_digits = (Digits::bits + DigitBits - 1) / DigitBits;

/// The most bits of keys that are sorted: shared memory has room to count all of their digits.
inline constexpr int most_sorted_bits = 384;
static_assert(most_sorted_bits / 8 * 256 * int(sizeof(std::uint32_t)) <= most_static_shared_bytes);

/// A digit of keys: its lowest bit, and a mask. Passes behind the last digit sort by none, and keep the order.
struct digit_place {
  int bit;
  unsigned mask;
};

/// The digit of a pass.
template <int DigitBits>
__device__ constexpr digit_place place_of_digit(int pass, int first_bit, int end_bit) {
  const int bit = first_bit + pass * DigitBits;
  if (bit >= end_bit) return {0, 0};
  return {bit, detail::digit_mask<DigitBits>(bit, end_bit)};
}

}  // namespace gpuprim::detail
