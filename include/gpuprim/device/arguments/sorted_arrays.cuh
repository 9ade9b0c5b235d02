// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>

namespace gpuprim::inline v0_2_0 {

/// Two arrays of as many elements, of which a sort uses the other one as memory.
template <class T>
struct double_buffer {
  /// The elements; after a sort the sorted ones.
  T* current;
  /// What may be overwritten.
  T* other;
};
template <class T>
double_buffer(T*, T*) -> double_buffer<T>;

namespace detail {

/// The array behind an output, in which a sort keeps elements meanwhile; null where an iterator says at run time only
/// that it is no array.
template <class Out>
auto sorted_array(const Out& out) {
  const auto raw = detail::unwrap_contiguous(out);
  if constexpr (!may_be_contiguous<std::remove_const_t<decltype(raw)>>) return raw;
  else return detail::is_contiguous(raw) ? detail::unwrap_pointer(raw) : nullptr;
}

/// The most bytes of an array that is sorted: so few that the size of no scratch memory overflows.
inline constexpr std::int64_t most_sorted_bytes = std::int64_t{1} << 58;

/// Checks one array that a sort reads and one that it writes. They may be the same.
template <class In, class Out>
outcome check_sorted_array(const In& in, std::int64_t n, const Out& out) {
  if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if (n > most_sorted_bytes / std::int64_t(sizeof(input_value<In>))) {
    return {cudaErrorInvalidValue, "the count is too large: the size of the scratch memory might overflow 64 bits"};
  }
  if (!detail::may_replace(out, in, n)) {
    return {cudaErrorInvalidValue, "an output overlaps an input and is not the same array"};
  }
  return {};
}

/// Checks the arrays of a sort, of which the values may be `nothing`.
template <class Keys, class Values, class Key, class Value>
outcome check_sorted(const Keys& keys, const Values& values, std::int64_t n, Key* keys_out, Value* values_out) {
  const outcome bad = detail::check_sorted_array(keys, n, keys_out);
  if constexpr (!std::is_same_v<Values, nothing>) {
    if (bad.failed()) return bad;
    if (const outcome worse = detail::check_sorted_array(values, n, values_out); worse.failed()) return worse;
    if (detail::overlap(keys_out, n, values_out, n) || detail::overlap(keys_out, n, values, n) ||
        detail::overlap(values_out, n, keys, n)) {
      return {cudaErrorInvalidValue, "an output overlaps the other one or its input"};
    }
  }
  return bad;
}

template <class T>
outcome check_buffers(const double_buffer<T>& buffers, std::int64_t n) {
  if (const outcome bad = detail::check_sorted_array(buffers.current, n, buffers.current); bad.failed()) return bad;
  if (n > 0 && buffers.other == buffers.current) {
    return {cudaErrorInvalidValue, "the two buffers are the same array"};
  }
  return detail::check_sorted_array(buffers.current, n, buffers.other);
}

/// Checks buffers of keys and buffers of values, unless these are `nothing`.
template <class Key, class Value>
outcome check_buffers(const double_buffer<Key>& keys, const double_buffer<Value>& values, std::int64_t n) {
  if (const outcome bad = detail::check_buffers(keys, n); bad.failed()) return bad;
  if constexpr (!std::is_same_v<Value, nothing>) {
    if (const outcome bad = detail::check_buffers(values, n); bad.failed()) return bad;
    const Key* const both[] = {keys.current, keys.other};
    for (const Key* of_keys : both) {
      if (detail::overlap(of_keys, n, values.current, n) || detail::overlap(of_keys, n, values.other, n)) {
        return {cudaErrorInvalidValue, "a buffer of keys overlaps one of values"};
      }
    }
  }
  return {};
}

}  // namespace detail
}  // namespace gpuprim
