// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Inputs and outputs that are no arrays. Those of Thrust and libcu++ do as well.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// Takes any value, and keeps none.
struct discarding_place {
  template <class T>
  __device__ void operator=(const T&) const {}
};

/// Takes a value, and assigns what a function makes of it.
template <class Out, class Fn>
struct transforming_place {
  const Out& out;
  std::int64_t i;
  const Fn& fn;
  template <class T>
    requires(!std::is_same_v<T, transforming_place>)
  __device__ void operator=(const T& x) const {
    detail::assign(out[i], fn(x));
  }
};

}  // namespace detail

/// An input of equal elements.
template <class T>
struct constant_values : detail::input_iterator_types<T> {
  T value;  ///< of each of them
  /// Holds a value.
  explicit constexpr constant_values(const T& v) : value(v) {}
  /// The value.
  GPUPRIM_HOST_DEVICE constexpr T operator[](std::int64_t) const { return value; }
};

/// An output that keeps nothing: `unique_count(in, n, discard_output{})`.
struct discard_output {
  /// A place that takes anything.
  GPUPRIM_HOST_DEVICE constexpr detail::discarding_place operator[](std::int64_t) const { return {}; }
  /// The first place.
  GPUPRIM_HOST_DEVICE constexpr detail::discarding_place operator*() const { return {}; }
};

/// An output that gets fn(x) for each x that is written to it: what `transform_to` returns.
template <class Out, class Fn>
struct transform_output {
  Out out;  ///< where results go
  Fn fn;    ///< a function object that the device can call
  /// Place i, which lives as long as this.
  GPUPRIM_HOST_DEVICE constexpr detail::transforming_place<Out, Fn> operator[](std::int64_t i) const {
    return {out, i, fn};
  }
  /// The first place.
  GPUPRIM_HOST_DEVICE constexpr detail::transforming_place<Out, Fn> operator*() const { return {out, 0, fn}; }
};

/// An output that writes fn(x) to `out` for each x that it is given.
template <class Out, class Fn>
constexpr transform_output<detail::raw_iterator<Out>, Fn> transform_to(Out out, Fn fn) {
  return {detail::unwrap_contiguous(out), fn};
}

/// The elements of an array in the order of indices, to read or to write: what `permuted` returns.
template <class Array, class Index>
struct permuted_elements {
  /// What std::iterator_traits asks for.
  using value_type = typename std::iterator_traits<Array>::value_type;
  /// As the array's.
  using reference = typename std::iterator_traits<Array>::reference;
  /// None that goes on to the next element.
  using pointer = void;
  /// What elements are counted in.
  using difference_type = std::int64_t;
  /// Any element can be read.
  using iterator_category = std::random_access_iterator_tag;

  Array array;  ///< what is indexed
  Index index;  ///< a pointer or an iterator to integers
  /// array[index[i]].
  GPUPRIM_HOST_DEVICE constexpr decltype(auto) operator[](std::int64_t i) const {
    return array[static_cast<std::int64_t>(index[i])];
  }
  /// The first of them.
  GPUPRIM_HOST_DEVICE constexpr decltype(auto) operator*() const { return (*this)[0]; }
};

/// An input or output whose element i is array[index[i]].
template <class Array, class Index>
constexpr permuted_elements<detail::raw_iterator<Array>, detail::raw_iterator<Index>> permuted(Array array,
                                                                                               Index index) {
  return {detail::unwrap_contiguous(array), detail::unwrap_contiguous(index)};
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
