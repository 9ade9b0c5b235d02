// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/reproducible.hpp>
#include <gpuprim/device/scan/scan_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a scan of `n` elements of type T needs. `Acc` is the type that they are joined in, by
/// default that of their sums. `Result` is that of the elements of an output that is a pointer; of iterators it is Acc.
template <class T, class Acc = default_accumulator<plus<>, T>, class Result = Acc>
constexpr std::int64_t scan_workspace_bytes(std::int64_t n) {
  constexpr detail::scan_bytes bytes = detail::scan_element_bytes<detail::array_source<const T*>, Acc, Result*>;
  return detail::scan_launches<tuned_scan_policies, Acc, bytes>::workspace_bytes(n);
}

/// Writes to each place of the output op over the initial value and all elements before that place.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read, where n is a number or
///        `element_count{pointer, most}`, one that lies in device memory. `out`: room for as many results, which are
///        converted to its type as by assignment; it may be the input itself where elements have one size, and must not
///        overlap it otherwise. `with_total(out, total)` in its place writes op over all to `*total` too. Op is
///        associative, and a pure function; it need neither commute nor have an identity. `init`: a value, or
///        `value_at{pointer}`, one that lies in device memory, has the type that elements are joined in, and may be
///        where the total goes, so that calls carry it on; the operator has an identity then.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU, floats too. Elements are joined in `Acc`, which is
///        by default what reduce takes: wider than half and bfloat16 and than 8- and 16-bit integers in sums. A wide
///        output alone does not widen them: a sum of 32-bit counts into 64-bit offsets needs `Acc` named, or an initial
///        value of 64 bits. Sums start from 0, so that -0.0 alone gives 0.0.
/// @cost  one launch; each element is read once and each result written once. A `workspace` of
///        `scan_workspace_bytes<T, Acc, Result>(n)`, or three more stream operations. A count in device memory takes
///        the workspace of the most, and small ones take longer than where the host knows them.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with
///        n > 0, misaligned input, negative or overflowing count, an output that overlaps the input but is not the same
///        array, workspace too small, an initial value that an integer accumulator does not hold. n = 0 writes nothing
///        but the total.
/// @source Blelloch, "Prefix sums and their applications", 1990; Merrill and Garland, "Single-pass parallel prefix scan
///         with decoupled look-back", 2016.
/// @example examples/library/54_scan.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t exclusive_scan(In in, element_count n, Out out, Op op, Init init, const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::exclusive, Acc, tuned_scan_policies>(in, n, out, op,
                                                                                       detail::as_it_is{}, init, how)
      .report();
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t exclusive_scan(In in, element_count n, Out out, Op op, const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::exclusive, Acc, tuned_scan_policies>(
             in, n, out, op, detail::as_it_is{}, detail::nothing{}, how)
      .report();
}

/// Writes to each place of the output op over all elements up to that place. See exclusive_scan for all else; without
/// elements the total is not written either where the operator has no identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t inclusive_scan(In in, element_count n, Out out, Op op, const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::inclusive, Acc, tuned_scan_policies>(
             in, n, out, op, detail::as_it_is{}, detail::nothing{}, how)
      .report();
}

/// Starts from an initial value, which joins as an element before the first.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t inclusive_scan(In in, element_count n, Out out, Op op, Init init, const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::inclusive, Acc, tuned_scan_policies>(in, n, out, op,
                                                                                       detail::as_it_is{}, init, how)
      .report();
}

/// Writes what exclusive_scan writes, by one tree: the results have the same bits on every GPU, for any operator and
/// type, and at every alignment of the arrays. They depend on the number of elements and on the types.
///
/// @pre   as exclusive_scan. The operator's own arithmetic must be the same everywhere: a compiler may fuse a
///        multiplication and an addition in it (nvcc --fmad=false forbids that).
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept.
/// @cost  as exclusive_scan, but that few elements take a pass that is made for many: see docs/reproducible.md. A
///        `workspace` of `scan_workspace_bytes<T, Acc, Result>(n)`, or three more stream operations.
/// @return as exclusive_scan.
/// @source as exclusive_scan.
/// @example examples/library/05_determinism.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t exclusive_scan(reproducible_t, In in, element_count n, Out out, Op op, Init init,
                                         const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::exclusive, Acc, reproducible_scan_policies>(
             in, n, out, op, detail::as_it_is{}, init, how)
      .report();
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t exclusive_scan(reproducible_t, In in, element_count n, Out out, Op op,
                                         const options& how = {}) {
  return gpuprim::exclusive_scan<Acc>(reproducible, in, n, out, op, detail::nothing{}, how);
}

/// Writes to each place of the output op over all elements up to that place.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t inclusive_scan(reproducible_t, In in, element_count n, Out out, Op op, Init init,
                                         const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::inclusive, Acc, reproducible_scan_policies>(
             in, n, out, op, detail::as_it_is{}, init, how)
      .report();
}

/// Starts from nothing.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t inclusive_scan(reproducible_t, In in, element_count n, Out out, Op op,
                                         const options& how = {}) {
  return gpuprim::inclusive_scan<Acc>(reproducible, in, n, out, op, detail::nothing{}, how);
}

/// Scans `transform(element)`: a function object that the device can call. A `__device__` lambda needs `Acc` named.
template <class Acc = void, class In, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_exclusive_scan(In in, element_count n, Out out, Op op, Transform transform,
                                                   Init init, const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::exclusive, Acc, tuned_scan_policies>(in, n, out, op, transform, init,
                                                                                       how)
      .report();
}

/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op, class Transform>
[[nodiscard]] cudaError_t transform_exclusive_scan(In in, element_count n, Out out, Op op, Transform transform,
                                                   const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::exclusive, Acc, tuned_scan_policies>(in, n, out, op, transform,
                                                                                       detail::nothing{}, how)
      .report();
}

/// Starts from an initial value, which joins as an element before the first. See transform_exclusive_scan.
template <class Acc = void, class In, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_inclusive_scan(In in, element_count n, Out out, Op op, Transform transform,
                                                   Init init, const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::inclusive, Acc, tuned_scan_policies>(in, n, out, op, transform, init,
                                                                                       how)
      .report();
}

/// Starts from nothing. See transform_exclusive_scan.
template <class Acc = void, class In, class Out, class Op, class Transform>
[[nodiscard]] cudaError_t transform_inclusive_scan(In in, element_count n, Out out, Op op, Transform transform,
                                                   const options& how = {}) {
  return detail::run_scan_from<detail::scan_kind::inclusive, Acc, tuned_scan_policies>(in, n, out, op, transform,
                                                                                       detail::nothing{}, how)
      .report();
}

/// The launch that `exclusive_scan` makes for the same arguments, to look at. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] launch_plan exclusive_scan_plan(In in, element_count n, Out out, Op op, Init init) {
  return detail::plan_call("gpuprim::exclusive_scan_plan",
                           [&](const options& how) { return gpuprim::exclusive_scan<Acc>(in, n, out, op, init, how); });
}

}  // namespace gpuprim
