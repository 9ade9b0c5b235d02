// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/sorted_array.cuh>

namespace gpuprim::inline v0_2_0 {

/// Two arrays of as many elements, of which a sort uses the other one as memory.
template <class T>
struct double_buffer {
  /// The elements; after a sort the sorted ones.
  T* current;
  /// What may be overwritten.
  T* other;
};

namespace detail {

template <class T>
outcome check_buffers(const double_buffer<T>& buffers, std::int64_t n) {
  if (const outcome bad = detail::check_sorted_array(buffers.current, n, buffers.current); bad.failed()) return bad;
  if (n > 0 && buffers.other == buffers.current) {
    return {cudaErrorInvalidValue, "the two buffers are the same array"};
  }
  return detail::check_sorted_array(buffers.current, n, buffers.other);
}

/// Checks buffers of keys and buffers of values, unless these are `no_values`.
template <class Key, class Value>
outcome check_buffers(const double_buffer<Key>& keys, const double_buffer<Value>& values, std::int64_t n) {
  if (const outcome bad = detail::check_buffers(keys, n); bad.failed()) return bad;
  if constexpr (!std::is_same_v<Value, no_values>) {
    if (const outcome bad = detail::check_buffers(values, n); bad.failed()) return bad;
    for (const Key* of_keys : {keys.current, keys.other}) {
      if (detail::overlap(of_keys, n, values.current, n) || detail::overlap(of_keys, n, values.other, n)) {
        return {cudaErrorInvalidValue, "a buffer of keys overlaps one of values"};
      }
    }
  }
  return {};
}

}  // namespace detail

}  // namespace gpuprim
