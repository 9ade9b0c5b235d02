// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/sorted_arrays.cuh>
#include <gpuprim/device/scan.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The last of some elements, and the one before it if there is one. Joined in a scan, those of an element are it and
/// its neighbour, which another tile may have overwritten in memory.
template <class T>
struct last_two {
  T before, last;
  bool are_two;
};
struct make_last_two {
  template <class T> GPUPRIM_HOST_DEVICE last_two<T> operator()(const T& x) const { return {x, x, false}; }
};
struct join_last_two {
  template <class T>
  GPUPRIM_HOST_DEVICE last_two<T> operator()(const last_two<T>& a, const last_two<T>& b) const {
    return b.are_two ? b : last_two<T>{a.last, b.last, true};
  }
};

/// An array from the one end or the other.
template <class T, int Step>
struct directed_array {
  using value_type = T;
  using reference = T&;
  using pointer = T*;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;

  T* begin;

  GPUPRIM_HOST_DEVICE T& operator[](std::int64_t i) const { return begin[Step * i]; }
};

/// Takes an element and its neighbour, and writes what an operator makes of them.
template <class T, int Step, class Op>
struct difference_output {
  struct place {
    T* at;
    Op op;
    __device__ void operator=(const last_two<T>& x) const {
      if (x.are_two) *at = detail::convert<T>(op(x.last, x.before));
      else *at = x.last;
    }
  };
  directed_array<T, Step> to;
  Op op;

  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {&to[i], op}; }
  GPUPRIM_HOST_DEVICE place operator*() const { return {&to[0], op}; }
};

template <int Step, class Array, class Op>
cudaError_t difference_in_place(const Array& given, std::int64_t n, const Op& op, const options& how) {
  [[maybe_unused]] const refuse_stream<Op> checked{};
  const auto array = detail::sorted_array(given);
  static_assert(std::is_pointer_v<std::remove_const_t<decltype(array)>>,
                "gpuprim::adjacent_difference_in_place: the elements must be an array");
  using T = input_value<std::remove_const_t<decltype(array)>>;
  static_assert(is_device_lambda<Op> || std::is_invocable_v<const Op&, const T&, const T&>,
                "gpuprim::adjacent_difference: the operator's const operator() must take an element and the one before "
                "it");
  for (const outcome& bad : {detail::check_input(array, n), detail::check_results(array, n)}) {
    if (bad.failed()) return bad.report();
  }
  const auto joined = detail::joining<T>(op);
  const directed_array<T, Step> in{Step > 0 || n == 0 ? array : array + (n - 1)};
  const difference_output<T, Step, std::remove_const_t<decltype(joined)>> out{in, joined};
  using pair = last_two<T>;
  return gpuprim::transform_inclusive_scan<pair>(in, n, out, join_last_two{}, make_last_two{}, how);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace detail

/// Bytes of workspace that a difference in place of n elements of type T needs.
template <class T>
constexpr std::int64_t adjacent_difference_workspace_bytes(std::int64_t n) {
  return scan_workspace_bytes<T, detail::last_two<T>>(n);
}

/// Writes op(array[i], array[i - 1]) to array[i] for each of n elements but the first.
///
/// @pre   `array`: an array of n elements that the device can read and write, a pointer or an iterator of a
///        thrust::device_vector. Op: as in adjacent_difference.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each result depends on two neighbouring elements only.
/// @cost  a scan of pairs; a `workspace` of `adjacent_difference_workspace_bytes<T>(n)`, or more stream operations.
/// @return as inclusive_scan.
/// @source cub::DeviceAdjacentDifference::SubtractLeft.
/// @example examples/library/54_scan.cu
template <class Array, class Op = minus<>>
[[nodiscard]] cudaError_t adjacent_difference_in_place(Array array, std::int64_t n, Op op = {},
                                                       const options& how = {}) {
  return detail::difference_in_place<1>(array, n, op, how);
}
/// As above, by minus.
template <class Array>
[[nodiscard]] cudaError_t adjacent_difference_in_place(Array array, std::int64_t n, const options& how) {
  return gpuprim::adjacent_difference_in_place(array, n, minus<>{}, how);
}

/// Writes op(array[i], array[i + 1]) to array[i] for each of n elements but the last. See adjacent_difference_in_place.
template <class Array, class Op = minus<>>
[[nodiscard]] cudaError_t adjacent_difference_right_in_place(Array array, std::int64_t n, Op op = {},
                                                             const options& how = {}) {
  return detail::difference_in_place<-1>(array, n, op, how);
}
/// As above, by minus.
template <class Array>
[[nodiscard]] cudaError_t adjacent_difference_right_in_place(Array array, std::int64_t n, const options& how) {
  return gpuprim::adjacent_difference_right_in_place(array, n, minus<>{}, how);
}

}  // namespace gpuprim
