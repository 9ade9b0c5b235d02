// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/runs/run_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that `run_length_encode` of `n` elements needs.
template <class T>
constexpr std::int64_t run_length_encode_workspace_bytes(std::int64_t n) {
  return detail::lengths_launches<T>::workspace_bytes(n);
}

/// Finds the runs of elements that are equal to the one before them. Run i gives its first element in `unique_out[i]`
/// and its length in `lengths_out[i]`; `*runs_out` gets the number of runs.
///
/// @pre   `in`: a pointer or random-access iterator to n elements that the device can read, where n is a number or
///        `element_count{pointer, most}`, as for reduce_by_key. `unique_out`, `lengths_out`: room for as many elements
///        as there are runs, in memory apart from the input and each other; `runs_out`: one integer. `equal(a, b)` says
///        whether neighbours a and b belong to one run; a == b where it is left out.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept. Lengths are counted in 64 bits and converted to what `lengths_out` takes.
/// @cost  one launch; each element is read once, each result written once.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with
///        n > 0, misaligned input, negative or overflowing count, an output that is seen to lie in the input, workspace
///        too small. n = 0 writes 0 to `*runs_out`.
/// @source Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.
/// @example examples/library/47_runs.cu
template <class In, class Count = element_count, class UniqueOut, class LengthsOut, class RunsOut, class Equal>
[[nodiscard]] cudaError_t run_length_encode(In in, Count n, UniqueOut unique_out, LengthsOut lengths_out,
                                            RunsOut runs_out, Equal equal, const options& how = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::run_length_encode: the input must be a pointer or a random-access iterator");
  return detail::encode_runs(in, detail::as_count(n), unique_out, lengths_out, runs_out, equal, how).report();
}

/// As above, for elements that are equal by ==.
template <class In, class Count = element_count, class UniqueOut, class LengthsOut, class RunsOut>
[[nodiscard]] cudaError_t run_length_encode(In in, Count n, UniqueOut unique_out, LengthsOut lengths_out,
                                            RunsOut runs_out, const options& how = {}) {
  return gpuprim::run_length_encode(in, n, unique_out, lengths_out, runs_out, detail::equal_keys{}, how);
}

/// Does what run_length_encode does, and returns the number of runs to the host.
///
/// @pre   as run_length_encode.
/// @sync  waits until all outputs are written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order as run_length_encode.
/// @cost  run_length_encode and the wait; the kernel writes the number to host memory that the calling thread keeps.
/// @return the number of runs. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as run_length_encode.
/// @example examples/library/47_runs.cu
template <class In, class UniqueOut, class LengthsOut, class Equal>
[[nodiscard]] std::int64_t run_length_encode_count(In in, std::int64_t n, UniqueOut unique_out, LengthsOut lengths_out,
                                                   Equal equal, const options& how = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::run_length_encode_count: the input must be a pointer or a random-access iterator");
  return detail::count_to_host("gpuprim::run_length_encode_count", how, [&](std::int64_t* runs) {
    return detail::encode_runs(in, n, unique_out, lengths_out, runs, equal, how);
  });
}

/// As above, for elements that are equal by ==.
template <class In, class UniqueOut, class LengthsOut>
[[nodiscard]] std::int64_t run_length_encode_count(In in, std::int64_t n, UniqueOut unique_out, LengthsOut lengths_out,
                                                   const options& how = {}) {
  return gpuprim::run_length_encode_count(in, n, unique_out, lengths_out, detail::equal_keys{}, how);
}

/// The launch that `run_length_encode` makes for these arguments, to look at. @throws gpuprim::cuda_error.
template <class In, class UniqueOut, class LengthsOut, class RunsOut, class Equal = detail::equal_keys>
[[nodiscard]] launch_plan run_length_encode_plan(In in, std::int64_t n, UniqueOut unique_out, LengthsOut lengths_out,
                                                 RunsOut runs_out, Equal equal = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::run_length_encode_plan: the input must be a pointer or a random-access iterator");
  launch_plan plan;
  detail::throw_if_failed("gpuprim::run_length_encode_plan",
                          detail::encode_runs(in, n, unique_out, lengths_out, runs_out, equal,
                                              detail::describe_chosen{plan}));
  return plan;
}

}  // namespace gpuprim
