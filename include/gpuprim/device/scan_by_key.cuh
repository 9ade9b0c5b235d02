// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/reproducible.hpp>
#include <gpuprim/device/scan/keyed_scan_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a scan by key of `n` elements needs. `Acc` and `Result`: as for scan_workspace_bytes.
template <class Key, class Value, class Acc = default_accumulator<plus<>, Value>, class Result = Acc>
constexpr std::int64_t scan_by_key_workspace_bytes(std::int64_t n) {
  using source = detail::keyed_source<const Key*, const Value*, Acc, detail::equal_keys>;
  constexpr detail::scan_bytes bytes = detail::scan_element_bytes<source, Acc, Result*>;
  return detail::scan_launches<tuned_keyed_scan_policies, detail::scan_part<Acc>, bytes>::workspace_bytes(n);
}

/// Scans each run of keys that are equal to the one before them by itself: writes to each place op over the initial
/// value and the values of its run before that place.
///
/// @pre   `keys`, `values`: pointers or random-access iterators to n elements that the device can read. `out`: room for
///        as many results; it may be the values themselves where elements have one size, and must overlap neither input
///        otherwise. Op is associative, and a pure function, which may be called with values of two runs for a result
///        that is thrown away; it need neither commute nor have an identity. `init`: as for exclusive_scan, apart from
///        `out`. `equal(a, b)` says whether neighbours a and b belong to one run; a == b where it is left out.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU. Values are joined in `Acc`, by default as in
///        exclusive_scan.
/// @cost  one launch; each key and value is read once and each result written once. A `workspace` of
///        `scan_by_key_workspace_bytes<Key, Value, Acc, Result>(n)`, or three more stream operations.
/// @return as exclusive_scan; n = 0 writes nothing.
/// @source Sengupta, Harris, Zhang and Owens, "Scan primitives for GPU computing", 2007 (segmented scan); Merrill and
///         Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.
/// @example examples/library/54_scan.cu
template <class Acc = void, class Keys, class Values, class Out, class Op, class Init, class Equal>
[[nodiscard]] cudaError_t exclusive_scan_by_key(Keys keys, Values values, element_count n, Out out, Op op, Init init,
                                                Equal equal, const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, Values, detail::as_it_is,
                                              typename detail::initial_type<Init>::type>::type;
  return detail::with_start<A, Op>(
             init,
             [&](const auto& start) {
               return detail::run_keyed_scan<detail::scan_kind::exclusive, A, tuned_keyed_scan_policies>(
                   keys, values, n, out, op, equal, start, how);
             })
      .report();
}

/// For keys that are equal by ==.
template <class Acc = void, class Keys, class Values, class Out, class Op, class Init>
[[nodiscard]] cudaError_t exclusive_scan_by_key(Keys keys, Values values, element_count n, Out out, Op op, Init init,
                                                const options& how = {}) {
  return gpuprim::exclusive_scan_by_key<Acc>(keys, values, n, out, op, init, detail::equal_keys{}, how);
}

/// Starts from the operator's identity, for keys that are equal by ==.
template <class Acc = void, class Keys, class Values, class Out, class Op>
[[nodiscard]] cudaError_t exclusive_scan_by_key(Keys keys, Values values, element_count n, Out out, Op op,
                                                const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, Values, detail::as_it_is>::type;
  return gpuprim::exclusive_scan_by_key<A>(keys, values, n, out, op, detail::reduce_identity<Op, A>(), how);
}

/// Writes to each place op over the values of its run up to that place. See exclusive_scan_by_key.
template <class Acc = void, class Keys, class Values, class Out, class Op, class Equal>
[[nodiscard]] cudaError_t inclusive_scan_by_key(Keys keys, Values values, element_count n, Out out, Op op, Equal equal,
                                                const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, Values, detail::as_it_is>::type;
  return detail::run_keyed_scan<detail::scan_kind::inclusive, A, tuned_keyed_scan_policies>(
             keys, values, n, out, op, equal, detail::nothing{}, how)
      .report();
}

/// For keys that are equal by ==.
template <class Acc = void, class Keys, class Values, class Out, class Op>
[[nodiscard]] cudaError_t inclusive_scan_by_key(Keys keys, Values values, element_count n, Out out, Op op,
                                                const options& how = {}) {
  return gpuprim::inclusive_scan_by_key<Acc>(keys, values, n, out, op, detail::equal_keys{}, how);
}

/// Scans each run of equal keys by itself, by one tree. See exclusive_scan_by_key, and
/// exclusive_scan with `reproducible`.
template <class Acc = void, class Keys, class Values, class Out, class Op, class Init>
[[nodiscard]] cudaError_t exclusive_scan_by_key(reproducible_t, Keys keys, Values values, element_count n, Out out,
                                                Op op, Init init, const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, Values, detail::as_it_is,
                                              typename detail::initial_type<Init>::type>::type;
  return detail::with_start<A, Op>(
             init,
             [&](const auto& start) {
               return detail::run_keyed_scan<detail::scan_kind::exclusive, A, reproducible_scan_policies>(
                   keys, values, n, out, op, detail::equal_keys{}, start, how);
             })
      .report();
}

/// Writes to each place op over the values of its run up to that place.
template <class Acc = void, class Keys, class Values, class Out, class Op>
[[nodiscard]] cudaError_t inclusive_scan_by_key(reproducible_t, Keys keys, Values values, element_count n, Out out,
                                                Op op, const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, Values, detail::as_it_is>::type;
  return detail::run_keyed_scan<detail::scan_kind::inclusive, A, reproducible_scan_policies>(
             keys, values, n, out, op, detail::equal_keys{}, detail::nothing{}, how)
      .report();
}

/// The launch that `exclusive_scan_by_key` makes for the same arguments, to look at. @throws gpuprim::cuda_error.
template <class Acc = void, class Keys, class Values, class Out, class Op, class Init, class Equal = detail::equal_keys>
[[nodiscard]] launch_plan exclusive_scan_by_key_plan(Keys keys, Values values, element_count n, Out out, Op op,
                                                     Init init, Equal equal = {}) {
  return detail::plan_call("gpuprim::exclusive_scan_by_key_plan", [&](const options& how) {
    return gpuprim::exclusive_scan_by_key<Acc>(keys, values, n, out, op, init, equal, how);
  });
}

}  // namespace gpuprim
