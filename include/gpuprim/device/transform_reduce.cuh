// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/reduction.cuh>

namespace gpuprim {

namespace detail {

/// Calls `go` with two inputs as one: packed loads of both where they are arrays of elements of one size.
template <class First, class Second, class Go>
auto with_zipped_input(const First& first, const Second& second, const Go& go) {
  return detail::with_input<array_form::pointer>(first, [&]<class A>(const A& a) {
    return detail::with_input<array_form::pointer>(second, [&]<class B>(const B& b) {
      if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B> && sizeof(input_value<A>) == sizeof(input_value<B>)) {
        using X = input_value<A>;
        using Y = input_value<B>;
        if constexpr (load_bytes % sizeof(X) == 0 && sizeof(X) < load_bytes) {
          if (!zipped_input<X, Y>::fits(a, b)) return go(zipped_shifted_input<X, Y>(a, b));
        }
        return go(zipped_input<X, Y>(a, b));
      } else {
        return go(zipped_items(a, b));
      }
    });
  });
}

/// What `check_input` cannot see behind a zipped input.
template <class First, class Second>
outcome check_inputs(const First& first, const Second& second, std::int64_t n) {
  if (const outcome bad = detail::check_input(detail::unwrap_contiguous(first), n); bad.failed()) return bad;
  return detail::check_input(detail::unwrap_contiguous(second), n);
}

template <class First, class Second, class Out, class Query>
outcome run_query_over_two(const First& first, const Second& second, std::int64_t n, const Out& out,
                           const Query& query, const options& how) {
  if (const outcome bad = check_inputs(first, second, n); bad.failed()) return bad;
  const auto run = [&](const auto& both) { return detail::run_query(both, n, out, query, how); };
  return detail::with_zipped_input(first, second, run);
}

/// Runs a query over two inputs and waits for its result.
template <class First, class Second, class Query>
auto find_query_value_over_two(const char* call, const First& first, const Second& second, std::int64_t n,
                               const Query& query, const options& how) {
  throw_if_failed(call, check_inputs(first, second, n));
  return detail::with_zipped_input(first, second, [&](const auto& both) {
    return find_query_value(call, both, n, query, how);
  });
}

}  // namespace detail

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
/// @example examples/06_fused.cu
template <class Acc = void, class In, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_reduce(In in, std::int64_t n, Out out, Op op, Transform transform, Init init,
                                           const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::run_query(in, n, out, query, how).code;
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
/// @example examples/06_fused.cu
template <class Acc = void, class First, class Second, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_reduce(First first, Second second, std::int64_t n, Out out, Op op,
                                           Transform transform, Init init, const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::run_query_over_two(first, second, n, out, query, how).code;
}

/// Both returned to the host; see reduce_value. @throws gpuprim::cuda_error.
template <class Acc = void, class In, class Op, class Transform, class Init>
[[nodiscard]] auto transform_reduce_value(In in, std::int64_t n, Op op, Transform transform, Init init,
                                          const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::find_query_value("gpuprim::transform_reduce_value", in, n, query, how);
}

template <class Acc = void, class First, class Second, class Op, class Transform, class Init>
[[nodiscard]] auto transform_reduce_value(First first, Second second, std::int64_t n, Op op, Transform transform,
                                          Init init, const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::find_query_value_over_two("gpuprim::transform_reduce_value", first, second, n, query, how);
}

}  // namespace gpuprim
