// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce_into.cuh>

#include <limits>

namespace gpuprim {

/// An element, and where it is in the input: its first position, or the number of elements if there is none.
template <class T>
struct extremum {
  T value;
  std::int64_t position;
  friend bool operator==(const extremum&, const extremum&) = default;
};

namespace detail {

struct less_than {
  template <class T>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return a < b; }
};
struct greater_than {
  template <class T>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return b < a; }
};
template <class Less>
struct reversed {
  Less less;
  template <class T>
  GPUPRIM_HOST_DEVICE constexpr bool operator()(const T& a, const T& b) const { return less(b, a); }
};

/// True for the built-in order of numbers: there is a last value, and NaN, which is unordered, is known.
template <class Less, class T>
inline constexpr bool is_number_order =
    is_number<T> && (std::is_same_v<Less, less_than> || std::is_same_v<Less, greater_than>);

/// The value that comes after all others in a number order.
template <class Less, class T>
GPUPRIM_HOST_DEVICE constexpr T last_value() {
  using join = std::conditional_t<std::is_same_v<Less, less_than>, minimum<>, maximum<>>;
  return identity_element<join, T>::value();
}

inline constexpr std::int64_t nowhere = bounds<std::int64_t>::highest;

/// The first element of some, or none at position `nowhere`. Its type need not have a default constructor.
template <class T>
struct candidate {
  uninitialized_array<T, 1> value;
  std::int64_t position;

  GPUPRIM_HOST_DEVICE static constexpr candidate none() {
    candidate c;
    c.position = nowhere;
    return c;
  }
  GPUPRIM_HOST_DEVICE static constexpr candidate at(const T& value, std::int64_t position) {
    candidate c;
    c.value[0] = value;
    c.position = position;
    return c;
  }
};

/// The earlier of two in an order of values; of equivalent ones that at the lower position, so that it commutes.
template <class Less>
struct first_of {
  Less less;

  template <class T>
  GPUPRIM_HOST_DEVICE candidate<T> operator()(const candidate<T>& a, const candidate<T>& b) const {
    if constexpr (!is_number_order<Less, T>) {
      if (b.position == nowhere) return a;
      if (a.position == nowhere) return b;
    }
    const bool before = less(b.value[0], a.value[0]), after = less(a.value[0], b.value[0]);
    return before | (!after & (b.position < a.position)) ? b : a;
  }
};

/// Elements with their positions. A NaN is nothing.
template <class Less>
struct positioned {
  Less less;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t at) const {
    using key = std::remove_cvref_t<decltype(Acc{}.value[0])>;
    if constexpr (is_number_order<Less, key>) {
      const auto x = static_cast<key>(value);
      return x == x ? Acc::at(x, at) : empty<Acc, key>();
    } else {
      return Acc::at(value, at);
    }
  }

  /// From the last element to the first, with a small index: each one that is not behind the best takes its place.
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op&) const {
    using key = std::remove_cvref_t<decltype(Acc{}.value[0])>;
    const auto items = unpack_load<T>(packed);
    constexpr int count = int(sizeof items / sizeof items[0]);
    if constexpr (is_number_order<Less, key>) {
      key best = last_value<Less, key>();
      int index = count;
#pragma unroll
      for (int i = count - 1; i >= 0; --i) {
        const auto x = static_cast<key>(items[i]);
        const bool takes = std::is_same_v<Less, less_than> ? x <= best : x >= best;  // not so of a NaN
        best = takes ? x : best;
        index = takes ? i : index;
      }
      return Acc::at(best, index == count ? nowhere : at + index);
    } else {
      T best = items[count - 1];
      int index = count - 1;
      for (int i = count - 2; i >= 0; --i) {
        if (less(best, items[i])) continue;
        best = items[i];
        index = i;
      }
      return Acc::at(best, at + index);
    }
  }

 private:
  template <class Acc, class Key>
  __device__ static Acc empty() { return Acc::at(last_value<Less, Key>(), nowhere); }
};

template <class T>
struct to_extremum {
  std::int64_t n;
  template <class Key>
  GPUPRIM_HOST_DEVICE extremum<T> operator()(const candidate<Key>& best) const {
    return {static_cast<T>(best.value[0]), best.position == nowhere ? n : best.position};
  }
};

template <class Less>
struct extremum_query {
  static constexpr bool is_query = true;
  Less less{};

  template <class In>
  auto over(const In&, std::int64_t n) const {
    using T = input_value<In>;
    static_assert(is_device_lambda<Less> || std::is_invocable_r_v<bool, const Less&, const T&, const T&>,
                  "gpuprim::min_element: the order must take two elements and say whether the first is less");
    using key = std::conditional_t<is_half_precision<T>, float, T>;
    using Acc = candidate<key>;
    return reduction<Acc, first_of<Less>, positioned<Less>, to_extremum<T>>{
        {less}, {less}, identity_element<first_of<Less>, Acc>::value(), {n}};
  }
};

struct min_element_pass : device_pass<extremum_query<less_than>> {
  template <class Less>
  static constexpr auto by(Less less) { return device_pass<extremum_query<Less>>{{less}}; }
};

struct max_element_pass : device_pass<extremum_query<greater_than>> {
  template <class Less>
  static constexpr auto by(Less less) { return device_pass<extremum_query<reversed<Less>>>{{{less}}}; }
};

using minmax_query = fused_query<extremum_query<less_than>, extremum_query<greater_than>>;

}  // namespace detail

template <class Less, class T>
inline constexpr bool is_commutative<detail::first_of<Less>, detail::candidate<T>> = true;

template <class Less, class T>
struct identity_element<detail::first_of<Less>, detail::candidate<T>> {
  GPUPRIM_HOST_DEVICE static constexpr detail::candidate<T> value() {
    if constexpr (detail::is_number_order<Less, T>) {
      return detail::candidate<T>::at(detail::last_value<Less, T>(), detail::nowhere);
    } else {
      return detail::candidate<T>::none();
    }
  }
};

/// Finds the least of `n` elements and its first position: `min_element(in, n, out, options)` writes an `extremum<T>`.
/// `min_element.by(less)` finds it in an order of your own. All of these are queries for `fused` too.
///
/// @pre   `in`: as reduce; `out`: one extremum<T> that the device can write. Elements have a strict weak order.
/// @sync  asynchronous on `options.stream`; can be captured into a graph.
/// @order of equivalent elements the first. A NaN is passed over: it is found neither least nor greatest.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce; `min_element.workspace_bytes<T>(n)`.
/// @return as reduce. Where there is no element, or nothing but NaN, the position is n and the value unspecified.
/// @source std::min_element; cub::DeviceReduce::ArgMin.
/// @example examples/07_extrema.cu
inline constexpr detail::min_element_pass min_element{};

/// The same for the greatest element, the first of equals, which is not what `std::minmax_element` does.
inline constexpr detail::max_element_pass max_element{};

/// Both in one pass: a `tuple` of two, the least first.
inline constexpr detail::device_pass<detail::minmax_query> minmax_element{};

/// The same to the host: `min_element_value(in, n, options)` returns the extremum; see reduce_value.
/// @throws gpuprim::cuda_error.
inline constexpr detail::device_pass_value<detail::extremum_query<detail::less_than>> min_element_value{
    "gpuprim::min_element_value"};
inline constexpr detail::device_pass_value<detail::extremum_query<detail::greater_than>> max_element_value{
    "gpuprim::max_element_value"};
inline constexpr detail::device_pass_value<detail::minmax_query> minmax_element_value{"gpuprim::minmax_element_value"};

}  // namespace gpuprim
