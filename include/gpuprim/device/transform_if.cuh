// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/transform/transform_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <class Fn, class Out, class Ins>
struct transform_if_types;
template <class Fn, class Out, class... Ins>
struct transform_if_types<Fn, Out, several_inputs<Ins...>> {
  static_assert(is_function_object<Fn>);
  static_assert(is_device_lambda<Fn> || std::is_invocable_v<const Fn&, const input_value<Ins>&...>,
                "gpuprim::transform_if: the function's const operator() must take an element of each input, by value "
                "or as a constant");
  static constexpr bool fits() {
    if constexpr (!is_device_lambda<Fn> && std::is_invocable_v<const Fn&, const input_value<Ins>&...>) {
      using made = std::invoke_result_t<const Fn&, const input_value<Ins>&...>;
      return detail::takes_results<Out, std::remove_cvref_t<made>>;
    } else {
      return true;
    }
  }
  static_assert(fits(), "gpuprim::transform_if: the output must take what the function returns");
};
template <class Fn, class Out, class In>
struct transform_if_types : transform_if_types<Fn, Out, several_inputs<In>> {};

template <class Predicate, class... Ins>
inline constexpr bool is_predicate_of =
    is_function_object<Predicate> &&
    (is_device_lambda<Predicate> || std::is_invocable_r_v<bool, const Predicate&, const input_value<Ins>&...>);
template <class Predicate, class... Ins>
inline constexpr bool is_predicate_of<Predicate, several_inputs<Ins...>> = is_predicate_of<Predicate, Ins...>;

/// Runs a function that writes to `out` itself, with bundles of inputs whose first is their position.
template <class Ins, class Out, class Fn>
outcome run_transform_if(const Ins& ins, std::int64_t n, const Out& out, const Fn& fn, const options& how) {
  const outcome bad = detail::check_transform(ins, n, detail::make_bundle(out));
  if (bad.failed() || n == 0) return bad;
  return detail::choose_transform<tuned_gather_policy>(ins, n, bundle<>{}, fn, how);
}

}  // namespace detail

/// Writes fn(in[i]) to out[i] for those of n elements for which a predicate holds; other places of the output are left
/// as they are, and fn is not called for them.
///
/// @pre   `in`, `out`, `fn`: as transform, with one output. `predicate(element)`, of an element of each input where
///        there are several, returns a bool; both are pure functions. The output may be an input itself where their
///        elements have one size.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each result depends on the elements of one position only.
/// @cost  one launch and no workspace; each element is read once, and each result makes a store.
/// @return as transform.
/// @source thrust::transform_if; cub::DeviceTransform::TransformIf.
/// @example examples/library/90_transform.cu
template <class In, class Out, class Fn, class Predicate>
[[nodiscard]] cudaError_t transform_if(In in, std::int64_t n, Out out, Fn fn, Predicate predicate,
                                       const options& how = {}) {
  [[maybe_unused]] const detail::transform_if_types<Fn, Out, In> checked{};
  static_assert(detail::is_predicate_of<Predicate, In>,
                "gpuprim::transform_if: the predicate's const operator() must take an element of each input and return "
                "a bool");
  const auto to = detail::unwrap_contiguous(out);
  const detail::transformed_if<std::remove_const_t<decltype(to)>, Fn, Predicate> put{to, fn, predicate};
  return detail::run_transform_if(detail::bundle_inputs(in, positions<>{}), n, to, put, how).report();
}

/// Writes fn(in[i]) to out[i] where a predicate holds for stencil[i]. See transform_if for all else.
///
/// @pre   as transform_if; `stencil`: a pointer or a random-access iterator to n values, which the output may be too.
/// @sync  as transform_if. @order as transform_if.
/// @cost  as transform_if; each value of the stencil is read once.
/// @return as transform.
/// @source as transform_if.
/// @example examples/library/90_transform.cu
template <class In, class Stencil, class Out, class Fn, class Predicate>
[[nodiscard]] cudaError_t transform_if(In in, Stencil stencil, std::int64_t n, Out out, Fn fn, Predicate predicate,
                                       const options& how = {}) {
  [[maybe_unused]] const detail::transform_if_types<Fn, Out, In> checked{};
  static_assert(detail::is_predicate_of<Predicate, Stencil>,
                "gpuprim::transform_if: the predicate's const operator() must take a value of the stencil and return a "
                "bool");
  const auto to = detail::unwrap_contiguous(out);
  const detail::transformed_by_stencil<std::remove_const_t<decltype(to)>, Fn, Predicate> put{to, fn, predicate};
  const auto ins = detail::bundle_inputs(in, positions<>{}, detail::as_read(stencil));
  return detail::run_transform_if(ins, n, to, put, how).report();
}

}  // namespace gpuprim
