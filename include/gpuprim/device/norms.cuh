// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/reduce/run_query.cuh>

#include <cmath>
#include <cstring>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// |x| of a number as a double.
struct magnitude {
  template <class T>
  GPUPRIM_HOST_DEVICE double operator()(const T& x) const {
    double v;
    if constexpr (is_half_precision<T>) v = double(detail::half_to_float(x));
    else v = double(x);
    return v < 0 ? -v : v;
  }
};

struct magnitude_squared {
  template <class T> GPUPRIM_HOST_DEVICE double operator()(const T& x) const { return magnitude{}(x)*magnitude{}(x); }
};

/// Squares of doubles summed in three ranges, the outer two scaled, so that none overflows or is lost.
/// @source Blue, "A portable Fortran program to find the Euclidean norm of a vector", 1978; Anderson, "Algorithm 978:
///         Safe scaling in the level 1 BLAS", 2017.
struct scaled_squares {
  static constexpr double least = 0x1p-511, most = 0x1p486, grow = 0x1p537, shrink = 0x1p-538;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t) const {
    const double x = magnitude{}(value);
    const bool is_large = x > most, is_little = x < least;
    const double scaled = x * (is_large ? shrink : is_little ? grow : 1), square = scaled * scaled;
    return {is_little ? square : 0, {is_large || is_little ? 0 : square, {is_large ? square : 0}}};
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op& op) const {
    return fold_items_of<Acc, T>(*this, packed, at, op);
  }

  /// A row whose elements are all in the middle range takes one multiplication and addition an element.
  template <class T>
  static constexpr bool joins_units = true;

  template <class Acc, class T, class Packed, int Rows, class Position, class Op>
  __device__ void join_unit(Acc& total, const Packed (&loads)[Rows], const Position& position, const Op&) const {
    const each<plus<double>, plus<double>, plus<double>> op{};
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const auto items = unpack_load<T>(loads[row]);
      bool is_plain = true;
      double sum = gpuprim::get<1>(total);
#pragma unroll
      for (int i = 0; i < elements_in_load<T, Packed>; ++i) {
        const double x = magnitude{}(items[i]);
        is_plain &= (x >= least && x <= most) || x == 0;
        sum += x * x;
      }
      if (is_plain) total.rest.first = sum;
      else total = op(total, fold<Acc, T>(loads[row], position(row), op));
    }
  }
};

struct root_of_scaled {
  GPUPRIM_HOST_DEVICE double operator()(const tuple<double, double, double>& sums) const {
    const double little = gpuprim::get<0>(sums), middle = gpuprim::get<1>(sums), large = gpuprim::get<2>(sums);
    constexpr double shrink = scaled_squares::shrink;
    if (large != 0) return std::sqrt(large + middle * shrink * shrink) / shrink;
    if (middle == 0) return std::sqrt(little) / scaled_squares::grow;
    const double a = std::sqrt(middle), b = std::sqrt(little) / scaled_squares::grow;
    const double low = a < b ? a : b, high = a < b ? b : a;
    return little == 0 ? a : high * std::sqrt(1 + low / high * (low / high));
  }
};

struct root {
  GPUPRIM_HOST_DEVICE double operator()(const double& total) const { return std::sqrt(total); }
};

/// |x| as an unsigned integer that orders as |x| does, a NaN behind all numbers.
template <class T>
struct magnitude_key {
  static constexpr bool is_floating = std::is_floating_point_v<T> || is_half_precision<T>;
  using number = std::conditional_t<is_half_precision<T>, float, T>;
  using word = std::conditional_t<is_wide_integer<T>, uint128,
                                  std::conditional_t<sizeof(number) == 8, unsigned long long, unsigned>>;

  GPUPRIM_HOST_DEVICE word operator()(const T& x) const {
    if constexpr (is_floating) {
      const auto v = detail::convert<number>(x);
      word bits;
      std::memcpy(&bits, &v, sizeof bits);
      return bits & (~word{0} >> 1);
    } else if constexpr (is_unsigned_integer<T>) {
      return static_cast<word>(x);
    } else {
      return x < T(0) ? word{0} - static_cast<word>(x) : static_cast<word>(x);
    }
  }
};

template <class T>
struct from_magnitude_key {
  using word = typename magnitude_key<T>::word;
  GPUPRIM_HOST_DEVICE double operator()(const word& key) const {
    if constexpr (magnitude_key<T>::is_floating) {
      typename magnitude_key<T>::number v;
      std::memcpy(&v, &key, sizeof v);
      return double(v);
    } else {
      return double(key);
    }
  }
};

template <class Acc, class Op, class Project, class Finish>
constexpr auto reduction_from_identity(Finish finish, Project project = {}) {
  return reduction<Acc, Op, Project, Finish>{Op{}, project, identity_element<Op, Acc>::value(), finish};
}

struct norm_1_query {
  static constexpr bool is_query = true;
  template <class In>
  auto over(const In&, std::int64_t) const {
    static_assert(is_wide_number<input_value<In>>, "gpuprim::norm_1: the elements must be numbers");
    return reduction_from_identity<double, plus<double>, transformed<magnitude>>(as_it_is{});
  }
};

struct norm_2_query {
  static constexpr bool is_query = true;
  template <class In>
  auto over(const In&, std::int64_t) const {
    using T = input_value<In>;
    static_assert(is_wide_number<T>, "gpuprim::norm_2: the elements must be numbers");
    if constexpr (std::is_same_v<T, double>) {
      using Acc = tuple<double, double, double>;
      using Op = each<plus<double>, plus<double>, plus<double>>;
      return reduction_from_identity<Acc, Op, scaled_squares>(root_of_scaled{});
    } else {
      return reduction_from_identity<double, plus<double>, transformed<magnitude_squared>>(root{});
    }
  }
};

struct norm_infinity_query {
  static constexpr bool is_query = true;
  template <class In>
  auto over(const In&, std::int64_t) const {
    using T = input_value<In>;
    static_assert(is_wide_number<T>, "gpuprim::norm_infinity: the elements must be numbers");
    using word = typename magnitude_key<T>::word;
    return reduction_from_identity<word, maximum<word>, transformed<magnitude_key<T>>>(from_magnitude_key<T>{});
  }
};

}  // namespace detail

/// Computes a norm of `n` numbers: `norm_1(in, n, out, options)` writes the sum of magnitudes, `norm_2` the root of
/// the sum of squares, with no overflow or underflow on the way, `norm_infinity` the greatest magnitude. All are
/// queries for `fused` too.
///
/// @pre   `in`: n numbers, as reduce; `out`: one double that the device can write.
/// @sync  asynchronous on `options.stream`; can be captured into a graph.
/// @order the result is the same bits in every run on one GPU. A NaN among the numbers makes it NaN.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce. `norm_2.workspace_bytes<T>(n)`.
/// @return as reduce; n = 0 writes 0.
/// @source BLAS: asum, nrm2, amax.
/// @example examples/library/08_statistics.cu
inline constexpr detail::device_pass<detail::norm_1_query> norm_1{};
/// The root of the sum of squares; see norm_1.
inline constexpr detail::device_pass<detail::norm_2_query> norm_2{};
/// The greatest magnitude; see norm_1.
inline constexpr detail::device_pass<detail::norm_infinity_query> norm_infinity{};

/// Returned to the host: `norm_1_value(in, n, options)` returns the double; see reduce_value.
/// @throws gpuprim::cuda_error.
inline constexpr detail::device_pass_value<detail::norm_1_query> norm_1_value{"gpuprim::norm_1_value"};
/// The root of the sum of squares, returned to the host; see norm_1_value.
inline constexpr detail::device_pass_value<detail::norm_2_query> norm_2_value{"gpuprim::norm_2_value"};
/// The greatest magnitude, returned to the host; see norm_1_value.
inline constexpr detail::device_pass_value<detail::norm_infinity_query> norm_infinity_value{
    "gpuprim::norm_infinity_value"};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
