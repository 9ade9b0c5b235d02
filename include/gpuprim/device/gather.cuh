// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/transform.cuh>

namespace gpuprim::inline v0_2_0 {

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
template <class In, class Index, class Out>
[[nodiscard]] cudaError_t gather(In in, Index index, std::int64_t n, Out out, const options& how = {}) {
  static_assert(random_access_input<Index>,
                "gpuprim::gather: the indices must be a pointer or a random-access iterator");
  static_assert(std::is_integral_v<input_value<Index>>, "gpuprim::gather: the indices must be integers");
  const auto from = detail::as_read(in);
  if (n > 0 && detail::is_absent(from)) {
    return detail::outcome{cudaErrorInvalidValue, "the input is a null pointer or in host memory"}.report();
  }
  if (!detail::is_aligned(from)) return detail::misaligned_input.report();
  if (detail::begins_within(from, detail::unwrap_contiguous(out), n)) {
    return detail::outcome{cudaErrorInvalidValue, "the output overlaps the input"}.report();
  }
  const detail::gathered<std::remove_const_t<decltype(from)>> fn{from};
  return detail::run_transform<tuned_gather_policy>(detail::bundle_inputs(index), n, detail::bundle_outputs(out), fn,
                                                    detail::launch_chosen{how})
      .report();
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
template <class In, class Index, class Out>
[[nodiscard]] cudaError_t scatter(In in, Index index, std::int64_t n, Out out, const options& how = {}) {
  static_assert(random_access_input<In>, "gpuprim::scatter: the input must be a pointer or a random-access iterator");
  static_assert(random_access_input<Index>,
                "gpuprim::scatter: the indices must be a pointer or a random-access iterator");
  static_assert(std::is_integral_v<input_value<Index>>, "gpuprim::scatter: the indices must be integers");
  static_assert(outputs_for<Out, input_value<In>>, "gpuprim::scatter: the output must take the elements of the input");
  const auto to = detail::unwrap_contiguous(out);
  if (const detail::outcome bad = detail::check_results(to, n); bad.failed()) return bad.report();
  if (detail::begins_within(to, detail::unwrap_contiguous(in), n) ||
      detail::begins_within(to, detail::unwrap_contiguous(index), n)) {
    return detail::outcome{cudaErrorInvalidValue, "the output overlaps the input or the indices"}.report();
  }
  const detail::scattered<std::remove_const_t<decltype(to)>> fn{to};
  return detail::run_transform<tuned_gather_policy>(detail::bundle_inputs(gpuprim::inputs(in, index)), n,
                                                    detail::bundle<>{}, fn, detail::launch_chosen{how})
      .report();
}

}  // namespace gpuprim
