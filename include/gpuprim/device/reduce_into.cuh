// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/outputs.cuh>
#include <gpuprim/device/reduce/run_query.cuh>

namespace gpuprim::inline v0_2_0 {

/// The reduction by an operator, joined in `Acc`, as a part of `fused`.
template <class Acc, class Op>
constexpr auto reduced(Op op) {
  return detail::reduce_query<Acc, Op>{op};
}

/// The reduction by an operator of `transform(element)`, joined in `Acc`, as a part of `fused`. The values of one load,
/// up to 16, are joined in `InLoad`: for a 64-bit sum of bytes, an `int` saves most of the instructions.
template <class Acc = void, class InLoad = void, class Op, class Transform>
constexpr auto transformed(Op op, Transform transform) {
  return detail::reduce_query<Acc, Op, detail::transformed<Transform, InLoad>>{op, {transform}};
}

/// Several reductions of one input as one: operators, `transformed`, and the queries of the other families (`mean`,
/// `min_element`, ...). Its result is a `tuple` of theirs.
template <class... QueriesOrOps>
constexpr auto fused(QueriesOrOps... parts) {
  static_assert(sizeof...(parts) > 0, "gpuprim::fused: there must be at least one reduction");
  return detail::fused_query<decltype(detail::as_query(parts))...>{{detail::as_query(parts)...}};
}

/// Bytes of workspace that `reduce_into` needs for `n` elements of type `T`.
template <class T, class QueryOrOp>
constexpr std::int64_t reduce_into_workspace_bytes(std::int64_t n, const QueryOrOp&) {
  return detail::query_workspace_bytes<decltype(detail::as_query(std::declval<QueryOrOp>())), const T*>(n);
}

/// Computes one or several reductions of `n` elements in one pass.
///
/// @pre   `in`: as reduce. `query`: an operator that has an identity, or what `fused`, `transformed` or another family
///        makes. `out`: where the device can write the result, or `outputs(...)` for the members of a tuple.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept if one of the operators needs it; the result is the same bits in every run on one GPU.
/// @cost  one launch, each element read once, whatever is computed of it.
/// @return as reduce; n = 0 writes the result of no elements.
/// @source Meijer, Fokkinga and Paterson, "Functional programming with bananas, lenses, envelopes and barbed wire",
///         1991 (banana split: several folds of one sequence are one fold).
/// @example examples/library/06_fused.cu
template <class In, class Out, class QueryOrOp>
[[nodiscard]] cudaError_t reduce_into(In in, std::int64_t n, Out out, QueryOrOp query, const options& how = {}) {
  return detail::run_query(in, n, out, detail::as_query(query), how).report();
}

/// Returns the result to the host: a `tuple` from `fused`, for structured bindings; see reduce_value.
/// @throws gpuprim::cuda_error.
template <class In, class QueryOrOp>
[[nodiscard]] auto reduce_into_value(In in, std::int64_t n, QueryOrOp query, const options& how = {}) {
  return detail::find_query_value("gpuprim::reduce_into_value", in, n, detail::as_query(query), how);
}

}  // namespace gpuprim
