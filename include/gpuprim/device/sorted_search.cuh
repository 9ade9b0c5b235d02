// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/common/merge_shape.cuh>
#include <gpuprim/device/merge/bound_kernel.cuh>
#include <gpuprim/device/merge/search_kernel.cuh>
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
  const found_bound<Which, Sorted, order_type> find{sorted, n, order};
  return detail::transform_all<tuned_search_policy>(values, count, out, find, how);
}

/// Elements for each value with which searches for all values take less time than reading all elements.
inline constexpr std::int64_t sparse_elements = 16;
/// Tiles below which a thread for each value is faster.
inline constexpr std::int64_t few_bound_tiles = 128;

template <merge_policy Policy, come_first First, class In, class Out, class Less>
outcome merge_bounds(const In& in, const Out& out, const Less& less, std::int64_t tiles, const options& how) {
  using shape = merge_shape<Policy, typename In::item_type>;
  using pass_type = sorted_bound_pass<shape, First, In, Out, Less>;
  constexpr auto kernel = &sorted_bound_kernel<pass_type>;
  return detail::use_behind_search<kernel>(detail::find_shape<kernel>(1, shape::block_size).with_blocks(tiles),
                                           pass_type{{in, out, less, in.a_count + in.b_count, nullptr}}, how);
}

template <merge_policy Policy, bound Which, class Sorted, class Values, class Out, class Less>
outcome find_bounds_of_sorted(const Sorted& sorted, std::int64_t n, const Values& values, std::int64_t count,
                              const Out& out, const Less& less, const options& how) {
  using T = input_value<Sorted>;
  if constexpr (std::is_same_v<T, input_value<Values>>) {
    using shape = merge_shape<Policy, T>;
    const bool is_dense = count > 0 && n > 0 && n / sparse_elements <= count && shape::most_count - count >= n;
    const std::int64_t tiles = is_dense ? shape::count_tiles(n + count) : 0;
    if (tiles > few_bound_tiles && !detail::overlap(out, count, values, count)) {
      if (const outcome bad = detail::check_input(sorted, n); bad.failed()) return bad;
      if (detail::overlap(out, count, sorted, n)) {
        return {cudaErrorInvalidValue, "the output overlaps the sorted elements"};
      }
      if (const outcome bad = detail::check_transform(detail::make_bundle(values), count, detail::make_bundle(out));
          bad.failed()) {
        return bad;
      }
      const auto order = detail::comparing_in_call(less);
      const key_array of_values{detail::as_constant(values)};
      const key_array of_sorted{detail::as_constant(sorted)};
      if constexpr (Which == bound::lower) {
        return detail::merge_bounds<Policy, come_first::values>(merge_inputs{of_values, of_sorted, count, n}, out,
                                                                order, tiles, how);
      } else {
        return detail::merge_bounds<Policy, come_first::elements>(merge_inputs{of_sorted, of_values, n, count}, out,
                                                                  order, tiles, how);
      }
    }
  }
  return detail::find_bounds<Which>(sorted, n, values, count, out, less, how);
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

/// How much scratch memory `lower_bound_of_sorted` and `upper_bound_of_sorted` take of a workspace for n elements and
/// `count` values of type T.
template <class T>
constexpr workspace_size bounds_of_sorted_workspace_size(std::int64_t n, std::int64_t count) {
  const std::int64_t all = n > 0 && count > 0 ? n + count : 0;
  return {0, detail::merge_shape<tuned_long_merge_policy, T>::count_tiles(all) * std::int64_t(sizeof(std::int64_t))};
}

/// Does what lower_bound does for values that are sorted by `less` too, which is faster where there are many.
///
/// @pre   as lower_bound. Where values are not sorted, all positions are unspecified.
/// @sync  as lower_bound.
/// @order as lower_bound.
/// @cost  two launches that merge values and elements, each of which is read once; as lower_bound where values are few,
///        or elements are more than 16 times as many, or have another type. A `workspace` of
///        `bounds_of_sorted_workspace_size<T>(n, count)`, or more stream operations.
/// @return as lower_bound; cudaErrorInvalidValue also for a workspace that is too small.
/// @source Odeh, Green, Mwassi, Shmueli and Birk, "Merge path - parallel merging made simple", 2012.
/// @example examples/library/92_sorted_search.cu
template <class Sorted, class Values, class Out, class Less = detail::comes_before>
[[nodiscard]] cudaError_t lower_bound_of_sorted(Sorted sorted, std::int64_t n, Values values, std::int64_t count,
                                                Out out, Less less, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::find_bounds_of_sorted<tuned_long_merge_policy, detail::bound::lower>(
             detail::as_read(sorted), n, detail::as_read(values), count, detail::unwrap_contiguous(out), less, how)
      .report();
}
/// As above, in the order of `<`.
template <class Sorted, class Values, class Out>
[[nodiscard]] cudaError_t lower_bound_of_sorted(Sorted sorted, std::int64_t n, Values values, std::int64_t count,
                                                Out out, const options& how = {}) {
  return gpuprim::lower_bound_of_sorted(sorted, n, values, count, out, detail::comes_before{}, how);
}

/// Does what upper_bound does for values that are sorted by `less` too. See lower_bound_of_sorted.
template <class Sorted, class Values, class Out, class Less = detail::comes_before>
[[nodiscard]] cudaError_t upper_bound_of_sorted(Sorted sorted, std::int64_t n, Values values, std::int64_t count,
                                                Out out, Less less, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::find_bounds_of_sorted<tuned_long_merge_policy, detail::bound::upper>(
             detail::as_read(sorted), n, detail::as_read(values), count, detail::unwrap_contiguous(out), less, how)
      .report();
}
/// As above, in the order of `<`.
template <class Sorted, class Values, class Out>
[[nodiscard]] cudaError_t upper_bound_of_sorted(Sorted sorted, std::int64_t n, Values values, std::int64_t count,
                                                Out out, const options& how = {}) {
  return gpuprim::upper_bound_of_sorted(sorted, n, values, count, out, detail::comes_before{}, how);
}

}  // namespace gpuprim
