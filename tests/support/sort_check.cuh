// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The oracle of sorts and merges: the standard library's, which keep the order of equal keys.
#include "device.cuh"
#include "types.cuh"

#include <gpuprim/core/orders.hpp>

#include <algorithm>

namespace test {

// The library's calls do not find functions of its names beside a user's type.
template <class... Arguments> void thread_sort(Arguments&&...) = delete;
template <class... Arguments> void warp_sort(Arguments&&...) = delete;
template <int, class... Arguments> void block_sort(Arguments&&...) = delete;
template <int, class... Arguments> void block_merge(Arguments&&...) = delete;
template <class... Arguments> void merge_path(Arguments&&...) = delete;
template <class... Arguments> void exchange_if(Arguments&&...) = delete;
template <class... Arguments> void comparing(Arguments&&...) = delete;

/// A key and a tag that no order looks at: shows whether equal keys have changed places.
struct tagged {
  short key;
  unsigned short tag;
  friend bool operator==(const tagged&, const tagged&) = default;
  friend std::ostream& operator<<(std::ostream& o, const tagged& v) { return o << v.key << '#' << v.tag; }
};

/// The order of any element type of the tests: of a part of it, so that different ones are equal to it.
struct by_part {
  template <class T>
  GPUPRIM_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_same_v<T, tagged>) return a.key < b.key;
    else if constexpr (std::is_same_v<T, point3>) return a.y < b.y;
    else if constexpr (std::is_same_v<T, matrix2>) return a.m[0] % 64 < b.m[0] % 64;
    else if constexpr (std::is_same_v<T, span_of_positions>) return a.last % 16 > b.last % 16;
    else if constexpr (is_triple<T>) return a.parts[1] > b.parts[1];
    else return a < b;
  }
};

template <class T>
T make_key(int i) {
  if constexpr (std::is_same_v<T, tagged>) {
    return {short(scramble(std::uint64_t(i)) % 32), static_cast<unsigned short>(i)};
  } else {
    return make_value<T>(std::uint64_t(i));
  }
}
template <class T>
std::vector<T> make_keys(int count, int first = 0) {
  std::vector<T> keys;
  for (int i = 0; i < count; ++i) keys.push_back(make_key<T>(first + i));
  return keys;
}

/// Sorts the first `count` keys from number `from` on, and values beside them.
template <class Key, class Value, class Less>
void sort_part(std::vector<Key>& keys, std::vector<Value>& values, std::size_t from, std::size_t count, Less less) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = from + i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return less(keys[a], keys[b]); });
  const auto old_keys = keys;
  const auto old_values = values;
  for (std::size_t i = 0; i < count; ++i) {
    keys[from + i] = old_keys[order[i]];
    values[from + i] = old_values[order[i]];
  }
}

/// How many of the first `count` of some results, from number `from` on, are not what they must be.
template <class T>
int count_different(const std::vector<T>& got, const std::vector<T>& want, std::size_t from, std::size_t count) {
  int different = 0;
  for (std::size_t i = from; i < from + count; ++i) different += !(got[i] == want[i]);
  return different;
}

/// An order that counts how often it sees a key that nobody may look at.
struct wary_order {
  unsigned* seen;
  __device__ bool operator()(const tagged& a, const tagged& b) const {
    if (a.key < 0 || b.key < 0) atomicAdd(seen, 1u);
    return a.key < b.key;
  }
};

}  // namespace test
