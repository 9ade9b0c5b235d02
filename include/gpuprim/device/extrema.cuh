// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/reduce/run_query.cuh>

#include <cmath>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// The earlier of two values in a number order; of a NaN and a number the number.
template <class Less>
struct first_value {
  template <class T>
  GPUPRIM_HOST_DEVICE T operator()(const T& a, const T& b) const {
    constexpr bool is_less = std::is_same_v<Less, less_than>;
    if constexpr (std::is_same_v<T, float>) return is_less ? std::fmin(a, b) : std::fmax(a, b);  // one instruction
    else if constexpr (std::is_floating_point_v<T>) return (Less{}(b, a) | (a != a)) ? b : a;
    else return is_less == (b < a) ? b : a;
  }
};

inline constexpr std::int64_t nowhere = no_position<std::int64_t>;

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
    return is_second_first(less, a.value[0], a.position, b.value[0], b.position) ? b : a;
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
      const auto x = detail::convert<key>(value);
      return x == x ? Acc::at(x, at) : empty<Acc, key>();
    } else {
      return Acc::at(value, at);
    }
  }

  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op& op) const {
    using key = std::remove_cvref_t<decltype(Acc{}.value[0])>;
    if constexpr (is_number_order<Less, key>) {
      const key best = find_best<key, T>(packed);
      return best == best ? find_first<Acc, T>(packed, best, at) : empty<Acc, key>();
    } else {
      return fold_items_of<Acc, T>(*this, packed, at, op);
    }
  }

  /// In a number order the values of a unit come first, which takes one or two instructions an element. The position
  /// is looked up only if the best of the unit is better than all before it.
  template <class T>
  static constexpr bool joins_units = is_number_order<Less, T>;

  template <class Acc, class T, class Packed, int Rows, class Position, class Op>
  __device__ void join_unit(Acc& total, const Packed (&loads)[Rows], const Position& position, const Op&) const {
    using key = std::remove_cvref_t<decltype(total.value[0])>;
    uninitialized_array<key, Rows> best;
#pragma unroll
    for (int row = 0; row < Rows; ++row) best[row] = find_best<key, T>(loads[row]);
    const key unit = gpuprim::thread_reduce(best, first_value<Less>{});
    if (!less(unit, total.value[0]) && total.position != nowhere) return;
    Packed found;
    int found_row = Rows;
#pragma unroll
    for (int row = Rows - 1; row >= 0; --row) {
      if (best[row] != unit) continue;
      found = loads[row];
      found_row = row;
    }
    if (found_row == Rows) return;  // all are NaN
    total = find_first<Acc, T>(found, unit, position(found_row));
  }

 private:
  template <class Acc, class Key> __device__ static Acc empty() { return Acc::at(last_value<Less, Key>(), nowhere); }

  /// The best value of a load. NaN if all elements are.
  template <class Key, class T, class Packed>
  __device__ static Key find_best(const Packed& packed) {
    if constexpr (std::is_same_v<Packed, uint4> && ptx::has_packed_extrema<T>) {
      constexpr auto which = std::is_same_v<Less, less_than> ? ptx::extreme::least : ptx::extreme::greatest;
      return ptx::find_packed_extreme<which, T>(packed);
    } else {
      const auto items = unpack_load<T>(packed);
      Key best = detail::convert<Key>(items[0]);
#pragma unroll
      for (int i = 1; i < elements_in_load<T, Packed>; ++i) {
        best = first_value<Less>{}(best, detail::convert<Key>(items[i]));
      }
      return best;
    }
  }

  /// The first element of a load that equals a value in it: zeros of both signs are equal.
  template <class Acc, class T, class Packed, class Key>
  __device__ static Acc find_first(const Packed& packed, const Key& value, std::int64_t at) {
    const auto items = unpack_load<T>(packed);
    int index = elements_in_load<T, Packed> - 1;
    Key first = detail::convert<Key>(items[index]);
#pragma unroll
    for (int i = index - 1; i >= 0; --i) {
      const Key item = detail::convert<Key>(items[i]);
      first = item == value ? item : first;
      index = item == value ? i : index;
    }
    return Acc::at(first, at + index);
  }
};

template <class T>
struct to_extremum {
  std::int64_t n;
  template <class Key>
  GPUPRIM_HOST_DEVICE extremum<T> operator()(const candidate<Key>& best) const {
    return {detail::convert<T>(best.value[0]), best.position == nowhere ? n : best.position};
  }
};

/// The order in which a device compares Keys: numbers by the built-in one, other types by their own <.
template <class Key, class Less>
constexpr auto order_on_device(const Less& less) {
  if constexpr (!is_number<Key> && std::is_same_v<Less, less_than>) return comes_before{};
  else if constexpr (!is_number<Key> && std::is_same_v<Less, greater_than>) return reversed<comes_before>{};
  else return less;
}

template <class Less>
struct extremum_query {
  static constexpr bool is_query = true;
  Less less{};

  template <class In>
  auto over(const In&, std::int64_t n) const {
    using T = input_value<In>;
    static_assert(is_device_lambda<Less> || std::is_invocable_r_v<bool, const Less&, const T&, const T&>,
                  "gpuprim::min_element: the order's const operator() must take two elements and say whether the "
                  "first is less");
    using key = std::conditional_t<is_half_precision<T>, float, T>;
    const auto order = detail::order_on_device<key>(less);
    using first = first_of<std::remove_const_t<decltype(order)>>;
    using Acc = candidate<key>;
    return reduction<Acc, first, positioned<std::remove_const_t<decltype(order)>>, to_extremum<T>>{
        {order}, {order}, identity_element<first, Acc>::value(), {n}};
  }
};

/// Writes an extremum to an output for its value and one for its position.
template <class ValueOut, class PositionOut>
struct extremum_outputs {
  ValueOut value_out;
  PositionOut position_out;

  __device__ const extremum_outputs& operator*() const { return *this; }
  template <class T>
    requires(output_for<ValueOut, T> && output_for<PositionOut, std::int64_t>)
  __device__ void operator=(const extremum<T>& found) const {
    detail::assign(*value_out, found.value);
    *position_out = found.position;
  }
  bool is_writable() const { return detail::is_writable(value_out) && detail::is_writable(position_out); }
  bool is_aligned() const { return detail::is_aligned(value_out) && detail::is_aligned(position_out); }
};

template <class Query>
struct extremum_pass : device_pass<Query> {
  using device_pass<Query>::operator();

  template <class In, number_of_elements Count = element_count, class ValueOut, class PositionOut>
    requires(!std::is_same_v<PositionOut, cudaStream_t>)
  [[nodiscard]] cudaError_t operator()(In in, Count n, ValueOut value_out, PositionOut position_out,
                                       const options& how = {}) const {
    const auto count = detail::as_count(n);
    const std::int64_t most = detail::most_of(count);
    const extremum_outputs both{detail::unwrap_contiguous(value_out), detail::unwrap_contiguous(position_out)};
    if (most > 0 && !detail::fits<std::remove_cvref_t<decltype(*both.position_out)>>(most)) {
      return outcome{cudaErrorInvalidValue, "the count does not fit the type of the position"}.report();
    }
    return detail::run_query(in, count, both, static_cast<const Query&>(*this), how).report();
  }
};

struct min_element_pass : extremum_pass<extremum_query<less_than>> {
  template <class Less>
  static constexpr auto by(Less less) {
    const auto order = detail::comparing_in_call(less);
    return extremum_pass<extremum_query<std::remove_const_t<decltype(order)>>>{{{order}}};
  }
};

struct max_element_pass : extremum_pass<extremum_query<greater_than>> {
  template <class Less>
  static constexpr auto by(Less less) {
    const auto order = detail::comparing_in_call(less);
    return extremum_pass<extremum_query<reversed<std::remove_const_t<decltype(order)>>>>{{{{order}}}};
  }
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

/// Finds the least of `n` elements and its first position: `min_element(in, n, out, options)` writes an
/// `extremum<T>`, `min_element(in, n, value_out, position_out, options)` an element and an integer of any size.
/// `min_element.by(less)` finds it in an order of your own. All of these are queries for `fused` too.
///
/// @pre   `in`: as reduce; the outputs: one of each that the device can write. Elements have a strict weak order.
/// @sync  asynchronous on `options.stream`; can be captured into a graph.
/// @order of equivalent elements the first. A NaN is passed over: it is found neither least nor greatest.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce; `min_element.workspace_bytes<T>(n)`.
/// @return as reduce; cudaErrorInvalidValue too if n does not fit the type of `position_out`. Where there is no
///        element, or nothing but NaN, the position is n and the value unspecified. n may be an `element_count`, as in
///        reduce; the position is the most then where there is no element.
/// @source std::min_element; cub::DeviceReduce::ArgMin.
/// @example examples/library/07_extrema.cu
inline constexpr detail::min_element_pass min_element{};

/// Finds the greatest element, of equals the first, which is not what `std::minmax_element` does.
inline constexpr detail::max_element_pass max_element{};

/// Both in one pass: a `tuple` of two, the least first.
inline constexpr detail::device_pass<detail::minmax_query> minmax_element{};

/// Returned to the host: `min_element_value(in, n, options)` returns the extremum; see reduce_value.
/// @throws gpuprim::cuda_error.
inline constexpr detail::device_pass_value<detail::extremum_query<detail::less_than>> min_element_value{
    "gpuprim::min_element_value"};
/// The greatest element, returned to the host; see min_element_value.
inline constexpr detail::device_pass_value<detail::extremum_query<detail::greater_than>> max_element_value{
    "gpuprim::max_element_value"};
/// Both, returned to the host as a `tuple`; see min_element_value.
inline constexpr detail::device_pass_value<detail::minmax_query> minmax_element_value{"gpuprim::minmax_element_value"};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
