// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/transform_if.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Checks what a gather reads by its indices.
template <class In, class Out>
outcome check_gathered(const In& in, std::int64_t n, const Out& out) {
  if (n > 0 && detail::is_absent(in)) {
    return {cudaErrorInvalidValue, "the input is a null pointer or in host memory"};
  }
  if (!detail::is_aligned(in)) return misaligned_input;
  if (detail::begins_within(in, out, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
  return {};
}

/// Checks what a scatter writes by its indices.
template <class Out, class... Ins>
outcome check_scattered(const Out& out, std::int64_t n, const Ins&... ins) {
  if (const outcome bad = detail::check_results(out, n); bad.failed()) return bad;
  if ((detail::begins_within(out, detail::unwrap_contiguous(ins), n) || ...)) {
    return {cudaErrorInvalidValue, "the output overlaps an input"};
  }
  return {};
}

template <class In, class Index, class Count, class Out>
outcome gather(const In& in, const Index& index, const Count& n, const Out& out, const options& how) {
  static_assert(random_access_input<Index>,
                "gpuprim::gather: the indices must be a pointer or a random-access iterator");
  static_assert(std::is_integral_v<input_value<Index>>, "gpuprim::gather: the indices must be integers");
  const auto from = detail::as_read(in);
  const outcome bad = detail::check_gathered(from, detail::most_of(n), detail::unwrap_contiguous(out));
  if (bad.failed()) return bad;
  const gathered<std::remove_const_t<decltype(from)>> fn{from};
  return detail::transform_all<tuned_gather_policy>(index, n, out, fn, how);
}

template <class In, class Index, class Count, class Out>
outcome scatter(const In& in, const Index& index, const Count& n, const Out& out, const options& how) {
  static_assert(random_access_input<In>, "gpuprim::scatter: the input must be a pointer or a random-access iterator");
  static_assert(random_access_input<Index>,
                "gpuprim::scatter: the indices must be a pointer or a random-access iterator");
  static_assert(std::is_integral_v<input_value<Index>>, "gpuprim::scatter: the indices must be integers");
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::scatter: the output must take the elements of the input");
  const auto to = detail::unwrap_contiguous(out);
  if (const outcome bad = detail::check_scattered(to, detail::most_of(n), in, index); bad.failed()) return bad;
  const scattered<std::remove_const_t<decltype(to)>> fn{to};
  return detail::transform_all<tuned_gather_policy>(gpuprim::inputs(in, index), n, nothing{}, fn, how);
}

}  // namespace detail

/// Writes in[index[i]] to out[i] for each of n indices.
///
/// @pre   `index`: a pointer or a random-access iterator to n integers, each of an element of `in`, a pointer or an
///        iterator. `out`: room for n results, which are converted to its type as by assignment, apart from `in`; it
///        may be `index` itself where elements have one size.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each result depends on one index only.
/// @cost  one launch and no workspace; indices and results as in transform, and an access to `in` for each.
/// @return as transform.
/// @source thrust::gather.
/// @example examples/library/91_gather.cu
template <class In, class Index, detail::number_of_elements Count = element_count, class Out>
[[nodiscard]] cudaError_t gather(In in, Index index, Count n, Out out, const options& how = {}) {
  return detail::gather(in, index, detail::as_count(n), out, how).report();
}

/// Writes in[i] to out[index[i]] for each of n elements. Where indices are equal, one of their elements is written.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements. `index`: to as many integers. `out` has a place
///        for each index, and is apart from both.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order none: which of several elements for one place is written may differ from run to run.
/// @cost  one launch and no workspace; elements and indices are read as in transform, and each makes a store.
/// @return as transform.
/// @source thrust::scatter.
/// @example examples/library/91_gather.cu
template <class In, class Index, detail::number_of_elements Count = element_count, class Out>
[[nodiscard]] cudaError_t scatter(In in, Index index, Count n, Out out, const options& how = {}) {
  return detail::scatter(in, index, detail::as_count(n), out, how).report();
}

/// Writes in[index[i]] to out[i] for those of n indices for which a predicate holds for stencil[i]; other places of the
/// output are left as they are, and their indices may be any.
///
/// @pre   as gather; `stencil`: a pointer or a random-access iterator to n values, which the output may be too.
///        `predicate(value)` returns a bool.
/// @sync  as gather. @order as gather.
/// @cost  one launch and no workspace; indices and stencil are read once, and of the input what is wanted.
/// @return as transform.
/// @source thrust::gather_if.
/// @example examples/library/91_gather.cu
template <class In, class Index, class Stencil, class Out, class Predicate>
[[nodiscard]] cudaError_t gather_if(In in, Index index, Stencil stencil, std::int64_t n, Out out, Predicate predicate,
                                    const options& how = {}) {
  static_assert(random_access_input<Index>,
                "gpuprim::gather_if: the indices must be a pointer or a random-access iterator");
  static_assert(std::is_integral_v<input_value<Index>>, "gpuprim::gather_if: the indices must be integers");
  const auto from = detail::as_read(in);
  const detail::outcome bad = detail::check_gathered(from, n, detail::unwrap_contiguous(out));
  if (bad.failed()) return bad.report();
  const detail::gathered<std::remove_const_t<decltype(from)>> fn{from};
  return gpuprim::transform_if(index, stencil, n, out, fn, predicate, how);
}

/// Writes in[i] to out[index[i]] for those of n elements for which a predicate holds for stencil[i]. Where indices are
/// equal, one of their elements is written.
///
/// @pre   as scatter; `stencil`: a pointer or a random-access iterator to n values, apart from the output. Indices of
///        elements that are not written may be any. `predicate(value)` returns a bool.
/// @sync  as scatter. @order as scatter.
/// @cost  one launch and no workspace; all inputs are read as in transform, and what is written makes a store.
/// @return as transform.
/// @source thrust::scatter_if.
/// @example examples/library/91_gather.cu
template <class In, class Index, class Stencil, class Out, class Predicate>
[[nodiscard]] cudaError_t scatter_if(In in, Index index, Stencil stencil, std::int64_t n, Out out, Predicate predicate,
                                     const options& how = {}) {
  static_assert(random_access_input<In> && random_access_input<Index> && random_access_input<Stencil>,
                "gpuprim::scatter_if: the inputs must be pointers or random-access iterators");
  static_assert(std::is_integral_v<input_value<Index>>, "gpuprim::scatter_if: the indices must be integers");
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::scatter_if: the output must take the elements of the input");
  static_assert(detail::is_predicate_of<Predicate, Stencil>,
                "gpuprim::scatter_if: the predicate's const operator() must take a value of the stencil and return a "
                "bool");
  const auto to = detail::unwrap_contiguous(out);
  if (const detail::outcome bad = detail::check_scattered(to, n, in, index, stencil); bad.failed()) return bad.report();
  const detail::scattered_if<std::remove_const_t<decltype(to)>, Predicate> fn{to, predicate};
  const auto ins = gpuprim::inputs(in, index, stencil);
  return detail::transform_all<tuned_gather_policy>(ins, n, detail::nothing{}, fn, how).report();
}

}  // namespace gpuprim
