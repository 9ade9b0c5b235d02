// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/comparisons.cuh>
#include <gpuprim/device/transform/transform_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <bound Which, class Sorted, class Values, class Out, class Less>
outcome find_bounds(const Sorted& sorted, std::int64_t n, const Values& values, std::int64_t count, const Out& out,
                    const Less& less, const options& how) {
  using T = input_value<Sorted>;
  using Value = input_value<Values>;
  const auto order = detail::comparing_in_call(less);
  using order_type = std::remove_const_t<decltype(order)>;
  static_assert(is_device_lambda<Less> || (std::is_invocable_r_v<bool, const order_type&, const T&, const Value&> &&
                                           std::is_invocable_r_v<bool, const order_type&, const Value&, const T&>),
                "gpuprim::lower_bound: the order's const operator() must take an element and a value, in both "
                "orders, and say whether the first is less");
  if (const outcome bad = detail::check_input(sorted, n); bad.failed()) return bad;
  if (detail::overlap(out, count, sorted, n)) {
    return {cudaErrorInvalidValue, "the output overlaps the sorted elements"};
  }
  return detail::run_transform<tuned_search_policy>(
      detail::make_bundle(values), count, detail::make_bundle(out),
      found_bound<Which, Sorted, order_type>{sorted, n, order}, launch_chosen{how});
}

}  // namespace detail

/// Writes for each of `count` values the number of elements of a sorted array that come before it: the first position
/// at which it could be inserted.
///
/// @pre   `sorted`: n elements in the order of `less`, by default `<`. `values`: in any order, pointer or random-access
///        iterator as `sorted` is. `out`: room for as many positions, integers, apart from `sorted`; it may be `values`
///        itself where elements have one size.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each position depends on one value only.
/// @cost  one launch and no workspace; log2(n) + 1 comparisons for each value, a thread each.
/// @return as transform.
/// @source std::lower_bound; thrust::lower_bound of many values.
/// @example examples/library/92_sorted_search.cu
template <class Sorted, class Values, class Out, class Less = detail::comes_before>
[[nodiscard]] cudaError_t lower_bound(Sorted sorted, std::int64_t n, Values values, std::int64_t count, Out out,
                                      Less less, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::find_bounds<detail::bound::lower>(detail::as_read(sorted), n, detail::as_read(values), count,
                                                   detail::unwrap_contiguous(out), less, how)
      .report();
}
/// As above, in the order of `<`.
template <class Sorted, class Values, class Out>
[[nodiscard]] cudaError_t lower_bound(Sorted sorted, std::int64_t n, Values values, std::int64_t count, Out out,
                                      const options& how = {}) {
  return gpuprim::lower_bound(sorted, n, values, count, out, detail::comes_before{}, how);
}

/// Writes for each value the number of elements that do not come after it: the last position at which it could be
/// inserted. See lower_bound.
template <class Sorted, class Values, class Out, class Less = detail::comes_before>
[[nodiscard]] cudaError_t upper_bound(Sorted sorted, std::int64_t n, Values values, std::int64_t count, Out out,
                                      Less less, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::find_bounds<detail::bound::upper>(detail::as_read(sorted), n, detail::as_read(values), count,
                                                   detail::unwrap_contiguous(out), less, how)
      .report();
}
/// As above, in the order of `<`.
template <class Sorted, class Values, class Out>
[[nodiscard]] cudaError_t upper_bound(Sorted sorted, std::int64_t n, Values values, std::int64_t count, Out out,
                                      const options& how = {}) {
  return gpuprim::upper_bound(sorted, n, values, count, out, detail::comes_before{}, how);
}

}  // namespace gpuprim
