// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/run_query.cuh>

namespace gpuprim::inline v0_2_0 {

/// Reduces `transform(element)` of `n` elements into `*out`, starting from `init`: a sum of squares, say.
///
/// @pre   `in`, `out`, `op`: as reduce. `transform`: a function object that the device can call. The values are joined
///        in `Acc`, which is by default what reduce takes for values of the type that `transform` returns; a
///        `__device__` lambda needs it named.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce; `reduce_workspace_bytes<Acc>(n)`.
/// @return as reduce; n = 0 writes `init`.
/// @source std::transform_reduce; cub::DeviceReduce::TransformReduce.
/// @example examples/library/06_fused.cu
template <class Acc = void, class In, detail::number_of_elements Count = element_count, class Out, class Op,
          class Transform, class Init>
[[nodiscard]] cudaError_t transform_reduce(In in, Count n, Out out, Op op, Transform transform, Init init,
                                           const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::run_query(in, detail::as_count(n), out, query, how).report();
}

/// Reduces `transform(a, b)` of the elements of two inputs: an inner product, with `plus` and `multiplies`.
///
/// @pre   as above, for both inputs, of `n` elements each.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept; the result is the same bits in every run on one GPU.
/// @cost  one launch, each element read once. Both are read 16 bytes a load if they are pointers to elements of one
///        size, wherever they are; otherwise element by element.
/// @return as above; n = 0 writes `init`.
/// @source std::transform_reduce; thrust::inner_product.
/// @example examples/library/06_fused.cu
template <class Acc = void, class First, class Second, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_reduce(First first, Second second, std::int64_t n, Out out, Op op,
                                           Transform transform, Init init, const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::run_query_over_two(first, second, n, out, query, how).report();
}

/// Returns the reduce of one input to the host; see reduce_value. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Op, class Transform, class Init>
[[nodiscard]] auto transform_reduce_value(In in, std::int64_t n, Op op, Transform transform, Init init,
                                          const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::find_query_value("gpuprim::transform_reduce_value", in, n, query, how);
}

/// Returns the reduce of two inputs to the host; see reduce_value. @throws gpuprim::cuda_error.
template <class Acc = void, class First, class Second, class Op, class Transform, class Init>
[[nodiscard]] auto transform_reduce_value(First first, Second second, std::int64_t n, Op op, Transform transform,
                                          Init init, const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::find_query_value_over_two("gpuprim::transform_reduce_value", first, second, n, query, how);
}

}  // namespace gpuprim
