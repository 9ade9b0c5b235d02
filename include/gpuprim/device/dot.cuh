// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce/run_query.cuh>
#include <gpuprim/thread/thread_dot.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// The products of the elements of two inputs, or the squares of those of one, summed load by load.
struct products {
  template <class Acc, class T>
  __device__ Acc item(const T& x, std::int64_t) const {
    return add_product(x, x, detail::convert<Acc>(0));
  }
  template <class Acc, class A, class B>
  __device__ Acc item(const element_pair<A, B>& x, std::int64_t) const {
    return add_product(x.first, x.second, detail::convert<Acc>(0));
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t at, const Op&) const {
    if constexpr (std::is_same_v<Packed, uint4>) return gpuprim::thread_dot<T>(packed, packed, detail::convert<Acc>(0));
    else return fold_pair<Acc>(packed, at);
  }

 private:
  template <class Acc, class A, class B>
  __device__ Acc fold_pair(const packed_pair<A, B>& packed, std::int64_t) const {
    return gpuprim::thread_dot<A, B>(packed.first, packed.second, detail::convert<Acc>(0));
  }
  template <class Acc, class T>
  __device__ Acc fold_pair(const uninitialized_array<T, 1>& one, std::int64_t at) const {
    return item<Acc>(one[0], at);
  }
};

template <class Acc>
using sum_of_products = reduction<Acc, plus<Acc>, products, as_it_is>;

template <class Asked>
struct dot_query {
  static constexpr bool is_query = true;
  template <class In>
  auto over(const In&, std::int64_t) const {
    return over_pairs(static_cast<const input_value<In>*>(nullptr));
  }

 private:
  template <class A, class B>
  auto over_pairs(const element_pair<A, B>*) const {
    static_assert(is_dot_element<A> && is_dot_element<B>,
                  "gpuprim::dot: the elements must be numbers; transform_reduce takes any type");
    using Acc = std::conditional_t<std::is_void_v<Asked>, dot_accumulator<A, B>, Asked>;
    static_assert(is_wide_number<Acc>, "gpuprim::dot: the accumulator type must be a number");
    return sum_of_products<Acc>{{}, {}, static_cast<Acc>(detail::convertible<Acc>(0)), {}};
  }
};

template <class Asked>
struct squared_norm_query {
  static constexpr bool is_query = true;
  template <class In>
  auto over(const In&, std::int64_t) const {
    using T = input_value<In>;
    static_assert(is_dot_element<T>,
                  "gpuprim::squared_norm: the elements must be numbers; transform_reduce takes any type");
    using Acc = std::conditional_t<std::is_void_v<Asked>, dot_accumulator<T>, Asked>;
    static_assert(is_wide_number<Acc>, "gpuprim::squared_norm: the accumulator type must be a number");
    return sum_of_products<Acc>{{}, {}, static_cast<Acc>(detail::convertible<Acc>(0)), {}};
  }
};

/// `squared_norm`, and `squared_norm.in<Acc>()`, which is summed in Acc.
struct squared_norm_pass : device_pass<squared_norm_query<void>> {
  template <class Acc> static constexpr device_pass<squared_norm_query<Acc>> in() { return {}; }
};
struct squared_norm_value_pass : device_pass_value<squared_norm_query<void>> {
  template <class Acc> constexpr device_pass_value<squared_norm_query<Acc>> in() const { return {call}; }
};

}  // namespace detail

/// Writes the sum of the products `first[i] * second[i]` of `n` elements to `*out`. It is summed in `Acc`, which is
/// 64 bits for integers, `double` if one of the types is that, and else `float`, for 16- and 8-bit floats too.
///
/// @pre   `first`, `second`: n numbers each, as reduce, or 8-bit floats of cuda_fp8.h; the types may differ. `out`:
///        one `Acc` that the device can write.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order the result is the same bits in every run on one GPU. A float product is added by a fused multiply-add in
///        `Acc`, so that arithmetic is of half precision only where `Acc` is. Integers are exact modulo 2^(bits of
///        `Acc`): no sum of fewer than 2^47 products of 8-bit ones overflows the default `Acc`, none of fewer than
///        2^32 of 16-bit ones.
/// @cost  one launch, each element read once. Both are read 16 bytes a load if they are pointers to elements of one
///        size, wherever they are; otherwise element by element. `reduce_workspace_bytes<Acc>(n)`.
/// @return as reduce; n = 0 writes 0.
/// @source BLAS: dot; std::inner_product.
/// @example examples/library/39_dot.cu
template <class Acc = void, class First, class Second, class Out>
[[nodiscard]] cudaError_t dot(First first, Second second, std::int64_t n, Out out, const options& how = {}) {
  static_assert(random_access_input<First> && random_access_input<Second>,
                "gpuprim::dot: the inputs must be pointers or random-access iterators");
  return detail::run_query_over_two(first, second, n, out, detail::dot_query<Acc>{}, how).report();
}

/// Returned to the host; see reduce_value. @throws gpuprim::cuda_error.
template <class Acc = void, class First, class Second>
[[nodiscard]] auto dot_value(First first, Second second, std::int64_t n, const options& how = {}) {
  return detail::find_query_value_over_two("gpuprim::dot_value", first, second, n, detail::dot_query<Acc>{}, how);
}

/// Computes the sum of the squares of `n` numbers: `squared_norm(in, n, out, options)`, summed as `dot` does, or in a
/// type of one's own: `squared_norm.in<Acc>()(in, n, out, options)`. Both are queries for `fused` too. `norm_2` is
/// the root, with no overflow on the way.
///
/// @pre   as dot.
/// @sync  asynchronous on `options.stream`; can be captured into a graph.
/// @order as dot.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce. `squared_norm.workspace_bytes<T>(n)`.
/// @return as reduce; n = 0 writes 0.
/// @source BLAS: dot, nrm2.
/// @example examples/library/39_dot.cu
inline constexpr detail::squared_norm_pass squared_norm{};

/// Returned to the host: `squared_norm_value(in, n, options)`; see reduce_value. @throws gpuprim::cuda_error.
inline constexpr detail::squared_norm_value_pass squared_norm_value{{"gpuprim::squared_norm_value"}};

}  // namespace gpuprim
