// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/scan/segmented_scan_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a scan of segments with `n` values in all needs, by offsets or by one length. `Acc` and
/// `Result`: as for scan_workspace_bytes.
template <class Value, class Acc = default_accumulator<plus<>, Value>, class Result = Acc>
constexpr std::int64_t segmented_scan_workspace_bytes(std::int64_t n) {
  using source = detail::segment_source<const Value*, Acc, detail::heads_by_offsets<const std::int64_t*>>;
  constexpr detail::scan_bytes bytes = detail::scan_element_bytes<source, Acc, Result*>;
  return detail::scan_launches<tuned_segment_scan_policies, detail::scan_part<Acc>, bytes>::workspace_bytes(n);
}

/// Scans each of `segments` segments of the input by itself: writes to the place of each value op over the initial
/// value and the values of its segment before that place.
///
/// `where` says which values a segment has:
/// - `segment_offsets{offsets, n}`: segment i begins at offsets[i] and ends before offsets[i + 1], for segments + 1
///   offsets, which are integers of 32 or 64 bits in device memory and nowhere above n.
/// - `segment_bounds{begins, ends, n}`: segment i begins at begins[i] and ends before ends[i]; segments may have gaps
///   between them and stand in any order, but do not lie over each other.
/// - `fixed_length{k}`: segment i begins at i * k and has k values, as the rows of a matrix.
///
/// @pre   `in`: a pointer or a random-access iterator to the n values, which the device can read. `out`: results are
///        written to the places of the segments' values alone; it may be the input itself where elements have one size,
///        and must overlap neither the input otherwise nor the offsets. Offsets never decrease: with others the results
///        are unspecified. Op is associative, and a pure function, which may be called with values of two segments for
///        a result that is thrown away; it need neither commute nor have an identity. `init`: as for exclusive_scan,
///        apart from `out`.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU. Values are joined in `Acc`, by default as in
///        exclusive_scan.
/// @cost  one launch; each value is read once and each result written once, whatever lengths there are; each offset is
///        read once, and a few again from the cache. A `workspace` of `segmented_scan_workspace_bytes<Value, Acc,
///        Result>(n)`, or three more stream operations; none for short segments of one length. By bounds a warp or a
///        block scans a segment, without a workspace: where segments follow each other, offsets are faster, above all
///        where some are long.
/// @return as exclusive_scan; cudaErrorInvalidValue too for a negative length or number of segments. No segments give
///        nothing.
/// @source Sengupta, Harris, Zhang and Owens, "Scan primitives for GPU computing", 2007; Merrill and Garland,
///         "Single-pass parallel prefix scan with decoupled look-back", 2016.
/// @example examples/library/54_scan.cu
template <class Acc = void, class In, class Where, class Out, class Op, class Init>
[[nodiscard]] cudaError_t segmented_exclusive_scan(In in, Where where, std::int64_t segments, Out out, Op op, Init init,
                                                   const options& how = {}) {
  using A =
      typename detail::scan_accumulator<Acc, Op, In, detail::as_it_is, typename detail::initial_type<Init>::type>::type;
  return detail::with_start<A, Op>(
             init,
             [&](const auto& start) {
               return detail::run_segmented_scan<detail::scan_kind::exclusive, A, tuned_segment_scan_policies>(
                   in, where, segments, out, op, start, how);
             })
      .report();
}

/// Starts each segment from the operator's identity.
template <class Acc = void, class In, class Where, class Out, class Op>
[[nodiscard]] cudaError_t segmented_exclusive_scan(In in, Where where, std::int64_t segments, Out out, Op op,
                                                   const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, In, detail::as_it_is>::type;
  return gpuprim::segmented_exclusive_scan<A>(in, where, segments, out, op, detail::reduce_identity<Op, A>(), how);
}

/// The launch that `segmented_exclusive_scan` makes for the same arguments, to look at. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Where, class Out, class Op, class Init>
[[nodiscard]] launch_plan segmented_exclusive_scan_plan(In in, Where where, std::int64_t segments, Out out, Op op,
                                                        Init init) {
  return detail::plan_call("gpuprim::segmented_exclusive_scan_plan", [&](const options& how) {
    return gpuprim::segmented_exclusive_scan<Acc>(in, where, segments, out, op, init, how);
  });
}

/// Writes to the place of each value op over the values of its segment up to that place. See segmented_exclusive_scan.
template <class Acc = void, class In, class Where, class Out, class Op>
[[nodiscard]] cudaError_t segmented_inclusive_scan(In in, Where where, std::int64_t segments, Out out, Op op,
                                                   const options& how = {}) {
  using A = typename detail::scan_accumulator<Acc, Op, In, detail::as_it_is>::type;
  return detail::run_segmented_scan<detail::scan_kind::inclusive, A, tuned_segment_scan_policies>(
             in, where, segments, out, op, detail::nothing{}, how)
      .report();
}

/// Starts each segment from an initial value, which joins as an element before its first. See segmented_exclusive_scan.
template <class Acc = void, class In, class Where, class Out, class Op, class Init>
[[nodiscard]] cudaError_t segmented_inclusive_scan(In in, Where where, std::int64_t segments, Out out, Op op, Init init,
                                                   const options& how = {}) {
  using A =
      typename detail::scan_accumulator<Acc, Op, In, detail::as_it_is, typename detail::initial_type<Init>::type>::type;
  return detail::with_start<A, Op>(
             init,
             [&](const auto& start) {
               return detail::run_segmented_scan<detail::scan_kind::inclusive, A, tuned_segment_scan_policies>(
                   in, where, segments, out, op, start, how);
             })
      .report();
}

}  // namespace gpuprim
