// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/reproducible.hpp>
#include <gpuprim/device/runs/run_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that `reduce_by_key` of `n` elements needs. `Acc` is the type that values are joined in, by
/// default that of their sums.
template <class Key, class Value, class Acc = default_accumulator<plus<>, Value>>
constexpr std::int64_t reduce_by_key_workspace_bytes(std::int64_t n) {
  return detail::values_launches<Acc, Value, Key>::workspace_bytes(n);
}

/// Joins the values of each run of keys that are equal to the one before them. Run i gives its first key in
/// `unique_out[i]` and its joined values in `aggregates_out[i]`; `*runs_out` gets the number of runs.
///
/// @pre   `keys`, `values`: pointers or random-access iterators to n elements that the device can read. `unique_out`,
///        `aggregates_out`: room for as many elements as there are runs, in memory apart from the input and each other;
///        `runs_out`: one integer. Op is associative, and a pure function, which may be called with values of two runs
///        for a result that is thrown away; it need neither commute nor have an identity. `equal(a, b)` says whether
///        neighbours a and b belong to one run; a == b where it is left out.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU. Values are joined in `Acc`, which is the value
///        type where none is named, but wider for sums of half and bfloat16 and for sums and products of 8- and 16-bit
///        integers, as in `reduce`.
/// @cost  one launch; each key and value is read once, each result written once.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with
///        n > 0, misaligned input, negative or overflowing count, an output that is seen to lie in the input, workspace
///        too small. n = 0 writes 0 to `*runs_out`.
/// @source Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016; Sengupta, Harris,
///         Zhang and Owens, "Scan primitives for GPU computing", 2007 (segmented scan).
/// @example examples/library/47_runs.cu
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class RunsOut, class Op,
          class Equal>
[[nodiscard]] cudaError_t reduce_by_key(Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, RunsOut runs_out, Op op, Equal equal,
                                        const options& how = {}) {
  using A = typename detail::run_accumulator<Acc, Op, Keys, Values>::type;
  return detail::reduce_runs<A>(keys, values, n, unique_out, aggregates_out, runs_out, op, equal, how).report();
}

/// As above, for keys that are equal by ==.
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class RunsOut, class Op>
[[nodiscard]] cudaError_t reduce_by_key(Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, RunsOut runs_out, Op op,
                                        const options& how = {}) {
  return reduce_by_key<Acc>(keys, values, n, unique_out, aggregates_out, runs_out, op, detail::equal_keys{}, how);
}

/// As above, of as many keys as a number in device memory says when the kernel runs: `{pointer, most}`.
///
/// @pre   as above; there are the most keys and values to be read, and the number lies in no output.
/// @sync  as above. @order as above.
/// @cost  as above, with the workspace of the most; few keys take longer than where the host knows their number.
/// @return as above, and cudaErrorInvalidValue for a count at a null pointer, or misaligned, or in an output.
/// @source as above.
/// @example examples/library/95_device_counts.cu
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class RunsOut, class Op,
          class Equal>
[[nodiscard]] cudaError_t reduce_by_key(Keys keys, Values values, const element_count& n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, RunsOut runs_out, Op op, Equal equal,
                                        const options& how = {}) {
  using A = typename detail::run_accumulator<Acc, Op, Keys, Values>::type;
  return detail::reduce_runs<A>(keys, values, n, unique_out, aggregates_out, runs_out, op, equal, how).report();
}
/// As above, for keys that are equal by ==.
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class RunsOut, class Op>
[[nodiscard]] cudaError_t reduce_by_key(Keys keys, Values values, const element_count& n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, RunsOut runs_out, Op op,
                                        const options& how = {}) {
  return reduce_by_key<Acc>(keys, values, n, unique_out, aggregates_out, runs_out, op, detail::equal_keys{}, how);
}

/// Joins the values of each run by one tree: the results have the same bits on every GPU, for any operator and type, as
/// far as the operator's own arithmetic has. They depend on the number of elements and on the types. See reduce_by_key;
/// few keys take a pass that is made for many.
template <class Acc = void, class Keys, class Values, class Count = element_count, class UniqueOut, class AggregatesOut,
          class RunsOut, class Op>
[[nodiscard]] cudaError_t reduce_by_key(reproducible_t, Keys keys, Values values, Count n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, RunsOut runs_out, Op op,
                                        const options& how = {}) {
  using A = typename detail::run_accumulator<Acc, Op, Keys, Values>::type;
  constexpr run_policies tuned = detail::tuned_value_policies<A, input_value<Values>, input_value<Keys>>;
  return detail::reduce_runs<A, run_policies{.large = tuned.large}>(
             keys, values, detail::as_count(n), unique_out, aggregates_out, runs_out, op, detail::equal_keys{}, how)
      .report();
}

/// Does what reduce_by_key does, and returns the number of runs to the host.
///
/// @pre   as reduce_by_key.
/// @sync  waits until all outputs are written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order as reduce_by_key.
/// @cost  reduce_by_key and the wait; the kernel writes the number to host memory that the calling thread keeps.
/// @return the number of runs. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as reduce_by_key.
/// @example examples/library/47_runs.cu
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class Op, class Equal>
[[nodiscard]] std::int64_t reduce_by_key_count(Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                               AggregatesOut aggregates_out, Op op, Equal equal,
                                               const options& how = {}) {
  using A = typename detail::run_accumulator<Acc, Op, Keys, Values>::type;
  return detail::count_to_host("gpuprim::reduce_by_key_count", how, [&](std::int64_t* runs) {
    return detail::reduce_runs<A>(keys, values, n, unique_out, aggregates_out, runs, op, equal, how);
  });
}

/// As above, for keys that are equal by ==.
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class Op>
[[nodiscard]] std::int64_t reduce_by_key_count(Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                               AggregatesOut aggregates_out, Op op, const options& how = {}) {
  return gpuprim::reduce_by_key_count<Acc>(keys, values, n, unique_out, aggregates_out, op, detail::equal_keys{}, how);
}

/// The launch that `reduce_by_key` makes for these arguments, to look at. @throws gpuprim::cuda_error.
template <class Acc = void, class Keys, class Values, class UniqueOut, class AggregatesOut, class RunsOut, class Op,
          class Equal = detail::equal_keys>
[[nodiscard]] launch_plan reduce_by_key_plan(Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                             AggregatesOut aggregates_out, RunsOut runs_out, Op op, Equal equal = {}) {
  return detail::plan_call("gpuprim::reduce_by_key_plan", [&](const options& how) {
    return gpuprim::reduce_by_key<Acc>(keys, values, n, unique_out, aggregates_out, runs_out, op, equal, how);
  });
}

}  // namespace gpuprim
