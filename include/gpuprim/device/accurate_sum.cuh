// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/device/reduce/run_query.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Selects a sum of float or double that is exact but for about one rounding.
struct accurate_t {};
/// The argument that selects it.
inline constexpr accurate_t accurate{};

namespace detail {

/// A sum, and the sum of what was rounded off on the way.
struct compensated {
  double sum, error;
};

/// What is rounded off in sum = a + b, exactly.
GPUPRIM_HOST_DEVICE inline double lost_in(double a, double b, double sum) {
  const double part = sum - a;
  return (a - (sum - part)) + (b - part);
}

struct add_compensated {
  GPUPRIM_HOST_DEVICE compensated operator()(const compensated& a, const compensated& b) const {
    const double sum = a.sum + b.sum;
    return {sum, a.error + b.error + lost_in(a.sum, b.sum, sum)};
  }
};

template <class T>
struct rounded_once {
  GPUPRIM_HOST_DEVICE T operator()(const compensated& total) const {
    const bool is_finite = total.sum - total.sum == 0;
    return detail::convert<T>(is_finite ? total.sum + total.error : total.sum);
  }
};

/// Elements as doubles.
struct as_compensated {
  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t) const {
    return {to_double(value), 0};
  }
  /// Pairs first: an element has no error of its own, and which of two floats is the larger costs no arithmetic in
  /// double.
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t, const Op& op) const {
    const auto items = unpack_load<T>(packed);
    constexpr int count = elements_in_load<T, Packed>;
    if constexpr (count == 1) {
      return item<Acc>(items[0], 0);
    } else {
      Acc total = add_pair(items[0], items[1]);
#pragma unroll
      for (int i = 2; i < count; i += 2) total = op(total, add_pair(items[i], items[i + 1]));
      return total;
    }
  }

 private:
  template <class T>
  __device__ static double to_double(const T& value) {
    if constexpr (is_half_precision<T>) return double(detail::half_to_float(value));
    else return double(value);
  }
  template <class T>
  __device__ static compensated add_pair(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, double>) {
      const double sum = a + b;
      return {sum, lost_in(a, b, sum)};
    } else {
      const float x = detail::convert<float>(a), y = detail::convert<float>(b);
      const bool is_ordered = fabsf(x) >= fabsf(y);
      const double larger = is_ordered ? x : y, other = is_ordered ? y : x, sum = larger + other;
      return {sum, other - (sum - larger)};
    }
  }
};

struct accurate_sum_query {
  static constexpr bool is_query = true;
  double init = 0;

  template <class In>
  auto over(const In&, std::int64_t) const {
    using T = input_value<In>;
    static_assert(std::is_floating_point_v<T> || is_half_precision<T>,
                  "gpuprim::accurate_sum: the elements must be floating-point numbers; sums of integers are exact");
    using Result = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return reduction<compensated, add_compensated, as_compensated, rounded_once<Result>>{{}, {}, {init, 0}, {}};
  }
};

}  // namespace detail

template <>
inline constexpr bool is_commutative<detail::add_compensated, detail::compensated> = true;

template <>
struct identity_element<detail::add_compensated, detail::compensated> {
  GPUPRIM_HOST_DEVICE static constexpr detail::compensated value() { return {0, 0}; }
};

/// Sums floating-point numbers so that the result is the true sum but for about one rounding of it, however much of
/// the numbers cancels: `accurate_sum(in, n, out, options)`; a query for `fused` too.
///
/// With u = 2^-53 and h the longest chain of additions that a number goes through,
/// |result - sum| <= r |sum| + 2 h^2 u^2 sum |x|, where r is the rounding of the result type: 2^-24 of float, which is
/// the result of elements of 16 bits too, and 2^-53 of double. On 132 multiprocessors h is at most about
/// n / 2^20 + 100.
///
/// @pre   `in`, `out`: as reduce; `out` is a float, for elements of double a double.
/// @sync  asynchronous on `options.stream`; can be captured into a graph.
/// @order the result is the same bits in every run on one GPU. NaN and infinities as in a plain sum.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce; about six additions in double an element.
/// @return as reduce.
/// @source Ogita, Rump and Oishi, "Accurate sum and dot product", 2005 (Sum2), by a tree; Knuth, Dekker.
/// @example examples/library/08_statistics.cu
inline constexpr detail::device_pass<detail::accurate_sum_query> accurate_sum{};
/// The accurate sum returned to the host: `accurate_sum_value(in, n, options)`; see reduce_value.
/// @throws gpuprim::cuda_error.
inline constexpr detail::device_pass_value<detail::accurate_sum_query> accurate_sum_value{
    "gpuprim::accurate_sum_value"};

/// The accurate sum as a form of reduce, with an initial value that counts as an element.
template <class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t reduce(accurate_t, In in, std::int64_t n, Out out, Op, Init init, const options& how = {}) {
  static_assert(detail::is_from<Op, plus>,
                "gpuprim::reduce: accurate is a way to add; the operator must be gpuprim::plus");
  static_assert(initial_value_for<Init, double>, "gpuprim::reduce: the initial value of accurate must be a number");
  const detail::accurate_sum_query from{static_cast<double>(detail::convertible<double>(init))};
  return detail::run_query(in, n, out, from, how).report();
}

/// Starts from 0.
template <class In, class Out, class Op>
[[nodiscard]] cudaError_t reduce(accurate_t, In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  return gpuprim::reduce(accurate, in, n, out, op, 0.0, how);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
