// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/radix_ranks.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/outcome.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Calls `go(keys, values, to, pass)` for each pass: from the input to `out` or `other`, and then from one to the
/// other, so that the last pass writes to `out`.
template <class KeysIn, class ValuesIn, class Key, class Value, class Go>
outcome pass_alternately(const KeysIn& keys, const ValuesIn& values, int passes, const sort_buffers<Key, Value>& out,
                         const sort_buffers<Key, Value>& other, const Go& go) {
  outcome done;
  for (int pass = 0; pass < passes && !done.failed(); ++pass) {
    const bool to_out = (passes - pass) % 2 == 1;
    const auto& to = to_out ? out : other;
    const auto& from = to_out ? other : out;
    const Key* const moved = from.keys;
    if (pass == 0) done = go(keys, values, to, pass);
    else if constexpr (std::is_same_v<Value, no_values>) done = go(moved, no_values{}, to, pass);
    else done = go(moved, static_cast<const Value*>(from.values), to, pass);
  }
  return done;
}

/// If an output is the input itself, and the first pass writes to it, the pass reads a copy.
template <class In, class T>
outcome copy_if_in_place(In& in, const T* out, T* other, std::int64_t n, const options& how) {
  if constexpr (std::is_same_v<In, const T*>) {
    if (in != out) return {};
    in = other;
    return {detail::copy_bytes(other, out, n * std::int64_t(sizeof(T)), how)};
  } else {
    return {};
  }
}

/// What a thread holds of a tile, and what it does with it.
template <class Shape, class Arrays>
struct sort_items {
  using stored = typename Arrays::stored;
  using ranks = radix_ranks<Shape::block_size, Shape::items, Shape::digit_bits>;
  static constexpr int items = Shape::items;

  const Arrays& arrays;
  const ranks& placing;
  const int count;  ///< of the tile; the places behind count as greatest, so that they stay there
  uninitialized_array<stored, items> keys;
  uninitialized_array<typename Arrays::value_type, items> values;

  __device__ sort_items(const Arrays& a, const ranks& r, int n) : arrays(a), placing(r), count(n) {}

  __device__ bool is_valid(int i) const { return placing.number_of(i) < count; }

  /// Reads the tile that begins with the launch's key number `first`. All keys are asked for before the first is made a
  /// word, which the compiler would else do early to save registers, and so wait twice. Integers without values are
  /// words as they are, or nearly so, and need no further registers.
  __device__ __forceinline__ void read_keys(std::int64_t first) {
    using key_type = typename Arrays::key_type;
    if constexpr (Arrays::has_values || !std::is_integral_v<key_type>) {
      uninitialized_array<key_type, items> read;
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) read[i] = arrays.keys[arrays.begin + first + placing.number_of(i)];
      }
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) keys[i] = arrays.digits.store(read[i]);
      }
    } else {
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) keys[i] = arrays.digits.store(arrays.keys[arrays.begin + first + placing.number_of(i)]);
      }
    }
  }
  __device__ __forceinline__ void read_values(std::int64_t first) {
    if constexpr (Arrays::has_values) {
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (is_valid(i)) values[i] = arrays.values[arrays.begin + first + placing.number_of(i)];
      }
    }
  }
  /// The digits of `mask` from a bit on.
  __device__ __forceinline__ void find_digits(int first_bit, unsigned mask, unsigned (&found)[items]) const {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      found[i] = is_valid(i) ? arrays.digits.digit(keys[i], first_bit, mask) : Shape::bins - 1;
    }
  }
};

}  // namespace gpuprim::detail
