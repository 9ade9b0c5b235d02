// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segmented_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Bytes of workspace that a segmented reduce with accumulators of type `Acc` needs, for any number of segments.
template <class Acc>
constexpr std::int64_t segmented_reduce_workspace_bytes(std::int64_t = 0) {
  return detail::segmented_state<Acc>::bytes;
}

/// Reduces each of `segments` segments of the input into one element of `out`, starting each from `init`.
///
/// `where` says which values a segment has:
/// - A pointer or random-access iterator to segments + 1 integers of 32 or 64 bits: segment i begins at where[i] and
///   ends before where[i + 1]. `segment_offsets{offsets, n}` does too.
/// - `fixed_length{k}`: segment i begins at i * k and has k values, as the rows of a matrix.
/// - `segment_bounds{begins, ends}`: segment i begins at begins[i] and ends before ends[i], wherever that is. Where
///   segments are consecutive, offsets are faster.
/// Any mix of lengths costs its bytes: docs/segmented_reduce.md says which kernel takes what.
///
/// @pre   Offsets never decrease: with others the results are unspecified, and the kernel may never end; the SIMT
///        device ends with a sentence. `in` and `out`: pointers or random-access iterators that the device can index.
///        `out` has `segments` elements and overlaps neither the input nor the offsets.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU.
/// @cost  one launch, or two for segment_bounds; each value is read once, each offset once or again from the cache.
/// @return cudaSuccess, or what went wrong; `out` is untouched then. cudaErrorInvalidValue: null pointer, misaligned
///        input, negative or overflowing count, an output that is seen to overlap, workspace too small. An empty
///        segment gives `init`; no segments give nothing.
/// @source Merrill and Garland, "Merge-based parallel sparse matrix-vector multiplication", 2016 (shares of values and
///        segments); Sengupta, Harris, Zhang and Owens, "Scan primitives for GPU computing", 2007 (segmented scan).
/// @example examples/library/38_segments.cu
template <class Acc = void, class In, class Where, class Out, class Op, class Init>
[[nodiscard]] cudaError_t segmented_reduce(In in, Where where, std::int64_t segments, Out out, Op op, Init init,
                                           const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  static_assert(outputs_for<Out, A>, "gpuprim::segmented_reduce: the output must take values of the accumulator type");
  return detail::with_initial_value<A>(init,
                                       [&](const A& first) {
                                         return detail::reduce_segments<A>(in, where, segments, out,
                                                                           detail::joining<A>(op), first, how);
                                       })
      .report();
}

/// Starts from the operator's identity instead of a value of the caller's.
template <class Acc = void, class In, class Where, class Out, class Op>
[[nodiscard]] cudaError_t segmented_reduce(In in, Where where, std::int64_t segments, Out out, Op op,
                                           const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return gpuprim::segmented_reduce<A>(in, where, segments, out, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace gpuprim
