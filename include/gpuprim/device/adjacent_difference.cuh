// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/transform/transform_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// An output from its element `by` on.
template <class Out>
struct later_output {
  Out out;
  std::int64_t by;

  __device__ decltype(auto) operator[](std::int64_t i) const { return out[i + by]; }
};
template <class Out>
constexpr auto write_later(const Out& out, std::int64_t by) {
  if constexpr (std::is_pointer_v<Out>) return out + by;
  else return later_output<Out>{out, by};
}

template <transform_policy Policy, neighbour Side, class In, class Out, class Op>
outcome run_adjacent_difference(const In& in, std::int64_t n, const Out& out, const Op& op, const options& how) {
  const auto ins = detail::make_bundle(in);
  const auto outs = detail::make_bundle(out);
  static_assert(is_device_lambda<Op> || std::is_invocable_v<const Op&, const input_value<In>&, const input_value<In>&>,
                "gpuprim::adjacent_difference: the operator's const operator() must take an element and the one before "
                "it");
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::adjacent_difference: the output must take an element of the input, which is its first "
                "result");
  if constexpr (may_be_contiguous<In> || may_be_contiguous<Out>) {
    if (detail::is_contiguous(in) && detail::is_contiguous(out)) {
      return detail::run_adjacent_difference<Policy, Side>(detail::as_read(detail::unwrap_pointer(in)), n,
                                                           detail::unwrap_pointer(out), op, how);
    }
  }
  if (const outcome bad = detail::check_transform(ins, n, outs); bad.failed() || n == 0) return bad;
  if (detail::overlap(out, n, in, n)) return {cudaErrorInvalidValue, "the output overlaps the input"};
  const auto later = detail::skip_items(in, 1);
  const difference<Op, Side> join{op};
  if constexpr (Side == neighbour::left) {
    return detail::choose_transform<Policy>(detail::make_bundle(later, in), n - 1,
                                            detail::make_bundle(detail::write_later(out, 1)), join, how);
  } else {
    return detail::choose_transform<Policy>(detail::make_bundle(in, later), n - 1, outs, join, how);
  }
}

}  // namespace detail

/// Writes op(in[i], in[i - 1]) to out[i], and in[0] to out[0].
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read. `out`: room for as many
///        results, which are converted to its type as by assignment, apart from the input. Op is a function object
///        whose const operator() the device can call, of an element and the one before it.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each result depends on two neighbouring elements only.
/// @cost  one launch and no workspace; each element is read once from memory, and once more from the cache.
/// @return as transform; also cudaErrorInvalidValue where the output is the input: adjacent_difference_in_place.
/// @source std::adjacent_difference; cub::DeviceAdjacentDifference::SubtractLeftCopy.
/// @example examples/library/90_transform.cu
template <class In, class Out, class Op = minus<>>
[[nodiscard]] cudaError_t adjacent_difference(In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Op> checked{};
  static_assert(random_access_input<In>,
                "gpuprim::adjacent_difference: the input must be a pointer or a random-access iterator");
  return detail::run_adjacent_difference<tuned_transform_policy, detail::neighbour::left>(
             detail::as_read(in), n, detail::unwrap_contiguous(out), detail::joining<input_value<In>>(op), how)
      .report();
}
/// As above, by minus.
template <class In, class Out>
[[nodiscard]] cudaError_t adjacent_difference(In in, std::int64_t n, Out out, const options& how = {}) {
  return gpuprim::adjacent_difference(in, n, out, minus<>{}, how);
}

/// Writes op(in[i], in[i + 1]) to out[i], and in[n - 1] to out[n - 1]. See adjacent_difference for all else; op is
/// called of an element and the one behind it.
template <class In, class Out, class Op = minus<>>
[[nodiscard]] cudaError_t adjacent_difference_right(In in, std::int64_t n, Out out, Op op, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Op> checked{};
  static_assert(random_access_input<In>,
                "gpuprim::adjacent_difference: the input must be a pointer or a random-access iterator");
  return detail::run_adjacent_difference<tuned_transform_policy, detail::neighbour::right>(
             detail::as_read(in), n, detail::unwrap_contiguous(out), detail::joining<input_value<In>>(op), how)
      .report();
}
/// As above, by minus.
template <class In, class Out>
[[nodiscard]] cudaError_t adjacent_difference_right(In in, std::int64_t n, Out out, const options& how = {}) {
  return gpuprim::adjacent_difference_right(in, n, out, minus<>{}, how);
}

}  // namespace gpuprim
