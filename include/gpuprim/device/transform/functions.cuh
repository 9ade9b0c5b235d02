// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The inputs and the functions that make other passes of the one over elements. Those that call what is the caller's
// are for the device alone, where nvcc refuses functions of the host; in a function for both it would only warn.
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/operators.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

template <class T>
struct constant {
  T value;
  GPUPRIM_HOST_DEVICE const T& operator()() const { return value; }
};

template <class T>
struct progression {
  T first, step;
  GPUPRIM_HOST_DEVICE T operator()(std::int64_t i) const {
    return plus<T>{}(first, multiplies<T>{}(static_cast<T>(i), step));
  }
};

template <class Predicate, class T>
struct replaced_if {
  Predicate predicate;
  T value;
  __device__ T operator()(const T& x) const { return predicate(x) ? value : x; }
};

/// Which neighbour an element is joined with.
enum class neighbour { left, right };

/// Joins an element with a neighbour. The first has none to the left, and the last none to the right: it is copied.
template <class Op, neighbour Side>
struct difference {
  static constexpr bool copies_first = Side == neighbour::left, copies_last = Side == neighbour::right;
  Op op;
  template <class T> __device__ auto operator()(const T& element, const T& beside) const { return op(element, beside); }
};

template <class In>
struct gathered {
  In in;
  template <class Index>
  __device__ input_value<In> operator()(const Index& i) const {
    return in[static_cast<std::int64_t>(i)];
  }
};

/// Writes a value to a place of an output, converted as by assignment.
template <class Out, class T>
__device__ __forceinline__ void put_at(const Out& out, std::int64_t at, const T& value) {
  if constexpr (std::is_pointer_v<Out>) out[at] = detail::convert<input_value<Out>>(value);
  else detail::assign(out[at], value);
}

template <class Out>
struct scattered {
  Out out;
  template <class T, class Index>
  __device__ void operator()(const T& value, const Index& i) const {
    detail::put_at(out, static_cast<std::int64_t>(i), value);
  }
};
template <class Out, class Predicate>
struct scattered_if {
  Out out;
  Predicate predicate;
  template <class T, class Index, class Stencil>
  __device__ void operator()(const T& value, const Index& i, const Stencil& stencil) const {
    if (predicate(stencil)) detail::put_at(out, static_cast<std::int64_t>(i), value);
  }
};

/// Writes what a function returns of an element to its place, where a predicate holds for the element, or for the value
/// beside it in a stencil. Elements are taken one by one, so that lanes store side by side, and no thread reads a place
/// that another one writes.
template <class Out, class Fn, class Predicate>
struct transformed_if {
  static constexpr bool takes_elements = true;
  Out out;
  Fn fn;
  Predicate predicate;
  template <class... Ts>
  __device__ void operator()(std::int64_t i, const Ts&... elements) const {
    if (predicate(elements...)) detail::put_at(out, i, fn(elements...));
  }
};
template <class Out, class Fn, class Predicate>
struct transformed_by_stencil {
  static constexpr bool takes_elements = true;
  Out out;
  Fn fn;
  Predicate predicate;
  template <class Stencil, class... Ts>
  __device__ void operator()(std::int64_t i, const Stencil& stencil, const Ts&... elements) const {
    if (predicate(stencil)) detail::put_at(out, i, fn(elements...));
  }
};

/// Reads from the end.
template <class In>
struct read_reversed {
  In in;
  std::int64_t last;
  __device__ input_value<In> operator()(std::int64_t i) const { return in[last - i]; }
};
/// Exchanges an element and the one as far from the end.
template <class Array>
struct swapped_ends {
  Array array;
  std::int64_t last;
  __device__ void operator()(std::int64_t i) const {
    const auto first = array[i];
    array[i] = array[last - i];
    array[last - i] = first;
  }
};

/// The first place of a sorted array at which a value could be inserted, or the last.
enum class bound { lower, upper };

template <bound Which, class Sorted, class Less>
struct found_bound {
  Sorted sorted;
  std::int64_t n;
  Less less;

  template <class T>
  __device__ std::int64_t operator()(const T& value) const {
    std::int64_t first = 0, count = n;
    while (count > 0) {
      const std::int64_t half = count / 2;
      bool is_before = false;
      if constexpr (Which == bound::lower) is_before = less(sorted[first + half], value);
      else is_before = !less(value, sorted[first + half]);
      if (is_before) first += half + 1;
      count = is_before ? count - half - 1 : half;
    }
    return first;
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
