// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_pass.cuh"
#include "types.cuh"

#include <gpuprim/gpuprim.cuh>

namespace {

using namespace bench;

/// A value of type T, and 8 bytes behind its start a position, as CUB is asked to write it.
template <class T>
bool agree_on_extremum(const void* one, const void* other) {
  static_assert(sizeof(gpuprim::extremum<T>) == 16);
  const auto &a = *static_cast<const gpuprim::extremum<T>*>(one), &b = *static_cast<const gpuprim::extremum<T>*>(other);
  return a == b;
}

/// What a query says, written to memory of its result's type.
template <auto Query>
struct query_call {
  template <class T>
  static cudaError_t run(const T* in, std::int64_t n, void* out, const gpuprim::options& how) {
    using all = gpuprim::detail::reduction_over<decltype(gpuprim::detail::as_query(Query)), const T*>;
    using Result = typename all::result;
    return gpuprim::reduce_into(in, n, static_cast<Result*>(out), Query, how);
  }
};

struct squares_call {
  template <class T>
  static cudaError_t run(const T* in, std::int64_t n, void* out, const gpuprim::options& how) {
    return gpuprim::transform_reduce(in, n, static_cast<float*>(out), gpuprim::plus{}, square{}, 0.0f, how);
  }
};

struct product_call {
  static cudaError_t run(const float* in, std::int64_t n, void* out, const gpuprim::options& how) {
    return gpuprim::transform_reduce(in, in + n, n, static_cast<float*>(out), gpuprim::plus{}, gpuprim::multiplies{},
                                     0.0f, how);
  }
};

template <class Predicate>
struct search_call {
  static cudaError_t run(const float* in, std::int64_t n, void* out, const gpuprim::options& how) {
    return gpuprim::find_if(in, n, static_cast<std::int64_t*>(out), Predicate{}, how);
  }
};

constexpr auto four = gpuprim::fused(gpuprim::plus{}, gpuprim::minimum{}, gpuprim::maximum{},
                                     gpuprim::transformed<std::int64_t>(gpuprim::plus{}, is_odd{}));

/// A sum of squares of elements that are so many floats.
template <int Count>
bool add_squares(const char* type) {
  using T = numbers<float, Count>;
  return add<T, squares_call, float>(type, "squares", sizeof(float), &agree<float, float>, sizeof(T), "f32");
}

template <class T, auto Query, class Result = T>
bool add_query(const char* type, const char* op) {
  return add<T, query_call<Query>>(type, op, sizeof(Result), &agree<Result, Result>);
}
template <class T, auto Query>
bool add_extremum(const char* type, const char* op) {
  return add<T, query_call<Query>>(type, op, 16, &agree_on_extremum<T>);
}

[[maybe_unused]] const bool added[] = {
    add_query<float, gpuprim::plus{}>("f32", "plus"),
    add<float, squares_call>("f32", "squares", sizeof(float), &agree<float, float>),
    add_squares<8>("f32x8"),
    add_squares<16>("f32x16"),
    add_squares<32>("f32x32"),
    add<float, product_call>("f32", "inner_product", sizeof(float), &agree<float, float>, 2 * sizeof(float)),
    add_query<float, four>("f32", "plus_minimum_maximum_count"),
    add_extremum<float, gpuprim::min_element>("f32", "min_element"),
    add_extremum<double, gpuprim::min_element>("f64", "min_element"),
    add_extremum<int, gpuprim::min_element>("i32", "min_element"),
    add_extremum<signed char, gpuprim::min_element>("i8", "min_element"),
    add_extremum<float, gpuprim::minmax_element>("f32", "minmax_element"),
    add_query<float, gpuprim::mean, double>("f32", "mean"),
    add_query<float, gpuprim::variance, double>("f32", "variance"),
    add_query<float, gpuprim::kurtosis, double>("f32", "kurtosis"),
    add_query<float, gpuprim::accurate_sum>("f32", "accurate_sum"),
    add_query<float, gpuprim::norm_infinity, double>("f32", "norm_infinity"),
    add_query<float, gpuprim::counted(is_odd{}), std::int64_t>("f32", "count_if"),
    add<float, search_call<is_missing>>("f32", "find_if", sizeof(std::int64_t), &agree<std::int64_t, std::int64_t>),
    add<float, search_call<is_there>>("f32", "find_if_at_once", sizeof(std::int64_t),
                                      &agree<std::int64_t, std::int64_t>),
    add_query<double, gpuprim::kurtosis>("f64", "kurtosis"),
    add_query<double, gpuprim::accurate_sum>("f64", "accurate_sum"),
    add_query<double, gpuprim::norm_2>("f64", "norm_2"),
    add_query<int, gpuprim::kurtosis, double>("i32", "kurtosis"),
};

}  // namespace
