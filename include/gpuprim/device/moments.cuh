// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/moments.hpp>
#include <gpuprim/device/reduce/run_query.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// What distances are multiplied by: those of doubles might overflow.
template <class T>
inline constexpr double distance_scale = std::is_same_v<T, double> ? 0.5 : 1;

/// x - y, rounded once, times the scale. The difference of two long integers may not fit their type.
template <class T>
GPUPRIM_HOST_DEVICE double distance(const T& x, const T& y) {
  if constexpr (is_integer<T> && sizeof(T) >= 8) {
    using word = wrapping<T>;
    return x >= y ? double(word(x) - word(y)) : -double(word(y) - word(x));
  } else if constexpr (is_half_precision<T>) {
    return double(detail::half_to_float(x)) - double(detail::half_to_float(y));
  } else {
    return x * distance_scale<T> - y * distance_scale<T>;
  }
}

/// What the distances of doubles are multiplied by in their first sum, which might overflow where their mean does not.
/// Next to a very small pivot it would round them, which only a mean alone shows: their squares are 0.
template <int Order, class T>
GPUPRIM_HOST_DEVICE double sum_scale(const T& pivot) {
  if constexpr (!std::is_same_v<T, double>) return 1;
  else if constexpr (Order > 1) return 0x1p-40;
  else return pivot != 0 && pivot < 0x1p-900 && pivot > -0x1p-900 ? 1 : 0x1p-40;
}

/// Sums of the first `Order` powers of the distances from one pivot, the first element, so that parts join by
/// addition; the first is scaled.
///
/// No element is a bad pivot: (pivot - mean)^2 <= n variance, so that the subtraction which makes a central moment of
/// such sums loses at most a factor of n of their precision of 53 bits, and next to none with any pivot near the
/// others.
template <int Order, class In>
struct power_sums {
  static_assert(Order >= 1 && Order <= 4);
  In in;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t) const {
    double sums[4];
    add<into::empty>(sums, value, detail::convert<T>(in[0]));
    return join<Acc>(sums);
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t, const Op&) const {
    const auto items = unpack_load<T>(packed);
    const auto pivot = detail::convert<T>(in[0]);
    double sums[4];
    add<into::empty>(sums, items[0], pivot);
#pragma unroll
    for (int i = 1; i < elements_in_load<T, Packed>; ++i) add<into::running>(sums, items[i], pivot);
    return join<Acc>(sums);
  }

  /// All rows go into the running sums, because sums for each row would take more registers than there are.
  template <class T>
  static constexpr bool joins_units = true;

  template <class Acc, class T, class Packed, int Rows, class Position, class Op>
  __device__ void join_unit(Acc& total, const Packed (&loads)[Rows], const Position&, const Op&) const {
    const auto pivot = detail::convert<T>(in[0]);
    double sums[4];
    split(total, sums);
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      const auto items = unpack_load<T>(loads[row]);
#pragma unroll
      for (int i = 0; i < elements_in_load<T, Packed>; ++i) add<into::running>(sums, items[i], pivot);
    }
    total = join<Acc>(sums);
  }

 private:
  enum class into { empty, running };
  /// Adds the powers of the distance to sums, which may be empty.
  template <into Sums, class T>
  __device__ static void add(double (&sums)[4], const T& value, const T& pivot) {
    const double x = distance(value, pivot), square = x * x;
    const double powers[4] = {x * sum_scale<Order>(pivot), square, square * x, square * square};
#pragma unroll
    for (int k = 0; k < Order; ++k) sums[k] = Sums == into::empty ? powers[k] : sums[k] + powers[k];
  }
  template <class... Sums>
  __device__ static void split(const tuple<Sums...>& total, double (&sums)[4]) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      ((sums[Index] = get<Index>(total)), ...);
    }(std::index_sequence_for<Sums...>{});
  }
  template <class Acc>
  __device__ static Acc join(const double (&sums)[4]) {
    if constexpr (Order == 1) return {sums[0]};
    else if constexpr (Order == 2) return {sums[0], {sums[1]}};
    else if constexpr (Order == 3) return {sums[0], {sums[1], {sums[2]}}};
    else return {sums[0], {sums[1], {sums[2], {sums[3]}}}};
  }
};

/// The moments behind such sums; those above `Order` are NaN.
template <int Order, class In, class Figure>
struct finish_moments {
  In in;
  std::int64_t n;
  Figure figure;

  template <class... Sums>
  __device__ std::invoke_result_t<Figure, moments> operator()(const tuple<Sums...>& total) const {
    double s[4] = {NAN, NAN, NAN, NAN};
    if (n == 0) return figure(moments{0, NAN, {NAN, NAN, NAN}});
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      ((s[Index] = get<Index>(total)), ...);
    }(std::index_sequence_for<Sums...>{});
    if (s[0] - s[0] != 0) s[0] = NAN;  // an infinity: else its place would decide
    using T = input_value<In>;
    const auto pivot = detail::convert<T>(in[0]);
    const double count = double(n), scale = sum_scale<Order>(pivot), unit = distance_scale<T>;
    const double mean = (distance(pivot, detail::convert<T>(0.0f)) * scale + s[0] / count) / scale / unit;
    s[0] /= scale * unit;
    s[1] /= unit * unit;
    s[2] /= unit * unit * unit;
    s[3] /= unit * unit * unit * unit;
    const double d = s[0] / count, d2 = d * d;
    const bool overflows = s[1] == HUGE_VAL && mean == mean;  // the sum of squares of finite numbers
    const double second = overflows ? s[1] : s[1] - s[0] * d;
    return figure(moments{count,
                          mean,
                          {second < 0 ? 0 : second, s[2] - 3 * d * s[1] + 2 * s[0] * d2,
                           s[3] - 4 * d * s[2] + 6 * d2 * s[1] - 3 * s[0] * d * d2}});
  }
};

struct all_moments {
  GPUPRIM_HOST_DEVICE moments operator()(const moments& m) const { return m; }
};
struct the_mean {
  GPUPRIM_HOST_DEVICE double operator()(const moments& m) const { return m.mean; }
};
struct the_variance {
  GPUPRIM_HOST_DEVICE double operator()(const moments& m) const { return m.variance(); }
};
struct the_deviation {
  GPUPRIM_HOST_DEVICE double operator()(const moments& m) const { return m.standard_deviation(); }
};
struct the_skewness {
  GPUPRIM_HOST_DEVICE double operator()(const moments& m) const { return m.skewness(); }
};
struct the_kurtosis {
  GPUPRIM_HOST_DEVICE double operator()(const moments& m) const { return m.kurtosis(); }
};

template <int Order, class Figure>
struct moments_query {
  static constexpr bool is_query = true, needs_number = true;

  template <class In>
  auto over(const In& in, std::int64_t n) const {
    static_assert(is_wide_number<input_value<In>>, "gpuprim::moments: the elements must be numbers");
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      using Acc = tuple<std::conditional_t<(Index >= 0), double, void>...>;
      using Op = each<std::conditional_t<(Index >= 0), plus<double>, void>...>;
      return reduction<Acc, Op, power_sums<Order, In>, finish_moments<Order, In, Figure>>{
          Op{}, {in}, identity_element<Op, Acc>::value(), {in, n, {}}};
    }(std::make_index_sequence<Order>{});
  }
};

}  // namespace detail

/// Computes a statistic of `n` numbers: `mean(in, n, out, options)` writes a double. All are queries for `fused` too,
/// and `all_moments` writes the `moments` that all of them come from.
///
/// @pre   `in`: n numbers, as reduce; `out`: one double that the device can write (`all_moments`: one `moments`).
/// @sync  asynchronous on `options.stream`; can be captured into a graph.
/// @order the result is the same bits in every run on one GPU. A NaN or an infinity makes it NaN. Of finite numbers the
///        mean is finite, and the variance infinite where double does not hold the sum of the squares of distances from
///        the first element; sums of higher powers that it does not hold may make skewness and kurtosis NaN.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce; one addition and multiplication in double
///        for each power and element. `mean.workspace_bytes<T>(n)`.
/// @return as reduce; n = 0 writes NaN. `variance` divides by n: see moments::sample_variance for an estimate.
/// @source Chan, Golub and LeVeque, "Algorithms for computing the sample variance", 1983 (shifted data).
/// @example examples/library/08_statistics.cu
inline constexpr detail::device_pass<detail::moments_query<1, detail::the_mean>> mean{};
/// The variance, over n; see mean.
inline constexpr detail::device_pass<detail::moments_query<2, detail::the_variance>> variance{};
/// The root of the variance; see mean.
inline constexpr detail::device_pass<detail::moments_query<2, detail::the_deviation>> standard_deviation{};
/// The skewness, which is 0 for symmetric numbers; see mean.
inline constexpr detail::device_pass<detail::moments_query<3, detail::the_skewness>> skewness{};
/// The kurtosis, which is 3 for a normal distribution; see mean.
inline constexpr detail::device_pass<detail::moments_query<4, detail::the_kurtosis>> kurtosis{};
/// All of them at once, as `moments`; see mean.
inline constexpr detail::device_pass<detail::moments_query<4, detail::all_moments>> all_moments{};

/// Returned to the host: `mean_value(in, n, options)` returns the double; see reduce_value.
/// @throws gpuprim::cuda_error.
inline constexpr detail::device_pass_value<detail::moments_query<1, detail::the_mean>> mean_value{
    "gpuprim::mean_value"};
/// The variance, returned to the host; see mean_value.
inline constexpr detail::device_pass_value<detail::moments_query<2, detail::the_variance>> variance_value{
    "gpuprim::variance_value"};
/// The root of the variance, returned to the host; see mean_value.
inline constexpr detail::device_pass_value<detail::moments_query<2, detail::the_deviation>> standard_deviation_value{
    "gpuprim::standard_deviation_value"};
/// The skewness, returned to the host; see mean_value.
inline constexpr detail::device_pass_value<detail::moments_query<3, detail::the_skewness>> skewness_value{
    "gpuprim::skewness_value"};
/// The kurtosis, returned to the host; see mean_value.
inline constexpr detail::device_pass_value<detail::moments_query<4, detail::the_kurtosis>> kurtosis_value{
    "gpuprim::kurtosis_value"};
/// All of them at once, returned to the host as `moments`; see mean_value.
inline constexpr detail::device_pass_value<detail::moments_query<4, detail::all_moments>> all_moments_value{
    "gpuprim::all_moments_value"};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
