// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/reduce/run_query.cuh>
#include <gpuprim/device/search/find_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Counts the elements of a load in an int.
template <class Predicate>
struct counted {
  Predicate predicate;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t) const {
    return predicate(value) ? 1 : 0;
  }
  template <class Acc, class T, class Packed, class Op>
  __device__ Acc fold(const Packed& packed, std::int64_t, const Op&) const {
    const auto items = unpack_load<T>(packed);
    int count = 0;
#pragma unroll
    for (int i = 0; i < elements_in_load<T, Packed>; ++i) count += predicate(items[i]) ? 1 : 0;
    return count;
  }
};

template <class Predicate>
struct count_query {
  static constexpr bool is_query = true;
  Predicate predicate;

  template <class In>
  auto over(const In&, std::int64_t) const {
    static_assert(is_function_object<Predicate>);
    static_assert(is_device_lambda<Predicate> || std::is_invocable_r_v<bool, const Predicate&, const input_value<In>&>,
                  "gpuprim::count_if: the predicate's const operator() must take an element and return a bool");
    return reduction<std::int64_t, plus<std::int64_t>, detail::counted<Predicate>, as_it_is>{{}, {predicate}, 0, {}};
  }
};

}  // namespace detail

/// Bytes of workspace that the searches below need, for any input.
inline constexpr std::int64_t search_workspace_bytes = detail::find_workspace_bytes;

/// The number of elements that a predicate holds for, as a part of `fused`.
template <class Predicate>
constexpr auto counted(Predicate predicate) {
  return detail::count_query<Predicate>{predicate};
}

/// Counts the elements that a predicate holds for into `*out`, 64 bits.
///
/// @pre   `in`, `out`: as reduce. `predicate`: a function object that the device can call.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order does not matter.
/// @cost  one launch, each element read once, 16 bytes a load as in reduce; `reduce_workspace_bytes<std::int64_t>(n)`.
/// @return as reduce; n = 0 writes 0.
/// @source std::count_if.
/// @example examples/library/09_search.cu
template <class In, detail::number_of_elements Count = element_count, class Out, class Predicate>
[[nodiscard]] cudaError_t count_if(In in, Count n, Out out, Predicate predicate, const options& how = {}) {
  return detail::run_query(in, detail::as_count(n), out, gpuprim::counted(predicate), how).report();
}

/// Writes the first position of an element that a predicate holds for into `*out`, 64 bits; n if there is none.
///
/// @pre   `in`, `out`: as reduce. `predicate`: a function object that the device can call.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order the first, the same in every run.
/// @cost  one launch; soon after a hit no more is read: each warp stops at its own, and looks at each fourth turn
///        whether another has one. `search_workspace_bytes`.
/// @return as reduce; n = 0 writes 0.
/// @source std::find_if.
/// @example examples/library/09_search.cu
template <class In, class Out, class Predicate>
[[nodiscard]] cudaError_t find_if(In in, std::int64_t n, Out out, Predicate predicate, const options& how = {}) {
  return detail::find_element(in, n, predicate, out, detail::as_position{n}, how).report();
}

/// Writes to a bool whether a predicate holds for all of the elements, as it does where there are none. Everything that
/// find_if says holds here.
template <class In, class Out, class Predicate>
[[nodiscard]] cudaError_t all_of(In in, std::int64_t n, Out out, Predicate predicate, const options& how = {}) {
  return detail::find_element(in, n, detail::negated<Predicate>{predicate}, out, detail::as_missing{}, how).report();
}
/// Writes to a bool whether a predicate holds for any of the elements. Everything that find_if says holds here.
template <class In, class Out, class Predicate>
[[nodiscard]] cudaError_t any_of(In in, std::int64_t n, Out out, Predicate predicate, const options& how = {}) {
  return detail::find_element(in, n, predicate, out, detail::as_found{}, how).report();
}
/// Writes to a bool whether a predicate holds for none of the elements. Everything that find_if says holds here.
template <class In, class Out, class Predicate>
[[nodiscard]] cudaError_t none_of(In in, std::int64_t n, Out out, Predicate predicate, const options& how = {}) {
  return detail::find_element(in, n, predicate, out, detail::as_missing{}, how).report();
}

namespace detail {

template <class First, class Second, class Out, class Finish>
outcome find_difference(const First& first, const Second& second, std::int64_t n, const Out& out, const Finish& finish,
                        const options& how) {
  static_assert(
      are_half_precision<input_value<First>, input_value<Second>> ||
          requires(const input_value<First>& a, const input_value<Second>& b) { !(a == b); },
      "gpuprim::equal: the elements of the inputs must compare by ==");
  if (const outcome bad = check_inputs(first, second, n); bad.failed()) return bad;
  if (const outcome bad = detail::check_output(out); bad.failed()) return bad;
  return detail::with_zipped_input(
      first, second, [&](const auto& both) { return detail::run_find(both, n, differs{}, out, finish, how); });
}

template <class In, class Out, class Less>
outcome find_descent(const In& in, std::int64_t n, const Out& out, const Less& less, const options& how) {
  [[maybe_unused]] const refuse_stream<Less> checked{};
  using T = input_value<In>;
  static_assert(is_device_lambda<Less> || std::is_invocable_r_v<bool, const Less&, const T&, const T&>,
                "gpuprim::is_sorted: the order's const operator() must take two elements and say whether the first is "
                "less");
  return detail::with_input<array_form::pointer>(in, [&]<class Array>(const Array& array) -> outcome {
    if (const outcome bad = detail::check_arguments(array, n, out); bad.failed()) return bad;
    const auto order = detail::comparing_in_call(less);
    const reversed<std::remove_const_t<decltype(order)>> is_wrong{order};
    const std::int64_t pairs = n > 0 ? n - 1 : 0;
    if constexpr (std::is_pointer_v<Array>) {
      return detail::run_find(neighbours_input<T>(array), pairs, is_wrong, out, as_missing{}, how);
    } else {
      return detail::run_find(neighbours_items<Array>(array), pairs, is_wrong, out, as_missing{}, how);
    }
  });
}

}  // namespace detail

/// Writes to a bool whether two inputs of `n` elements are equal, up to the first pair that is not. Both are read 16
/// bytes a load if they are pointers to elements of one size. Everything else that find_if says holds here.
template <class First, class Second, class Out>
[[nodiscard]] cudaError_t equal(First first, Second second, std::int64_t n, Out out, const options& how = {}) {
  return detail::find_difference(first, second, n, out, detail::as_missing{}, how).report();
}

/// Writes the first position at which two inputs of `n` elements differ into `*out`, 64 bits; n if there is none.
/// Everything that equal says holds here.
template <class First, class Second, class Out>
[[nodiscard]] cudaError_t mismatch(First first, Second second, std::int64_t n, Out out, const options& how = {}) {
  return detail::find_difference(first, second, n, out, detail::as_position{n}, how).report();
}

/// Writes to a bool whether no element is less than the one before it. Everything that find_if says holds here.
template <class In, class Out, class Less>
[[nodiscard]] cudaError_t is_sorted(In in, std::int64_t n, Out out, Less less, const options& how = {}) {
  return detail::find_descent(in, n, out, less, how).report();
}
/// Compares by `<`.
template <class In, class Out>
[[nodiscard]] cudaError_t is_sorted(In in, std::int64_t n, Out out, const options& how = {}) {
  return detail::find_descent(in, n, out, detail::comes_before{}, how).report();
}

namespace detail {

/// Runs `go(out, options)`, which enqueues a search, and returns what it finds.
template <class Result, class In, class Go>
Result find_value(const char* call, const In& in, std::int64_t n, const options& how, const Go& go) {
  return reduce_to_host<Result>(in, n, how, find_workspace_bytes, go, call);
}

}  // namespace detail

/// Returns what `count_if` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class In, class Predicate>
[[nodiscard]] std::int64_t count_if_value(In in, std::int64_t n, Predicate predicate, const options& how = {}) {
  return detail::find_query_value("gpuprim::count_if_value", in, n, gpuprim::counted(predicate), how);
}
/// Returns what `find_if` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class In, class Predicate>
[[nodiscard]] std::int64_t find_if_value(In in, std::int64_t n, Predicate predicate, const options& how = {}) {
  return detail::find_value<std::int64_t>("gpuprim::find_if_value", in, n, how, [&](auto out, const options& o) {
    return detail::find_element(in, n, predicate, out, detail::as_position{n}, o);
  });
}
/// Returns what `all_of` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class In, class Predicate>
[[nodiscard]] bool all_of_value(In in, std::int64_t n, Predicate predicate, const options& how = {}) {
  return detail::find_value<bool>("gpuprim::all_of_value", in, n, how, [&](auto out, const options& o) {
    return detail::find_element(in, n, detail::negated<Predicate>{predicate}, out, detail::as_missing{}, o);
  });
}
/// Returns what `any_of` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class In, class Predicate>
[[nodiscard]] bool any_of_value(In in, std::int64_t n, Predicate predicate, const options& how = {}) {
  return detail::find_value<bool>("gpuprim::any_of_value", in, n, how, [&](auto out, const options& o) {
    return detail::find_element(in, n, predicate, out, detail::as_found{}, o);
  });
}
/// Returns what `none_of` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class In, class Predicate>
[[nodiscard]] bool none_of_value(In in, std::int64_t n, Predicate predicate, const options& how = {}) {
  return detail::find_value<bool>("gpuprim::none_of_value", in, n, how, [&](auto out, const options& o) {
    return detail::find_element(in, n, predicate, out, detail::as_missing{}, o);
  });
}
/// Returns what `equal` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class First, class Second>
[[nodiscard]] bool equal_value(First first, Second second, std::int64_t n, const options& how = {}) {
  detail::throw_if_failed("gpuprim::equal_value", detail::check_inputs(first, second, n));
  return detail::find_value<bool>("gpuprim::equal_value", first, n, how, [&](auto out, const options& o) {
    return detail::find_difference(first, second, n, out, detail::as_missing{}, o);
  });
}
/// Returns what `mismatch` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class First, class Second>
[[nodiscard]] std::int64_t mismatch_value(First first, Second second, std::int64_t n, const options& how = {}) {
  detail::throw_if_failed("gpuprim::mismatch_value", detail::check_inputs(first, second, n));
  return detail::find_value<std::int64_t>("gpuprim::mismatch_value", first, n, how, [&](auto out, const options& o) {
    return detail::find_difference(first, second, n, out, detail::as_position{n}, o);
  });
}
/// Returns what `is_sorted` writes; see reduce_value. @throws gpuprim::cuda_error.
template <class In, class Less>
[[nodiscard]] bool is_sorted_value(In in, std::int64_t n, Less less, const options& how = {}) {
  return detail::find_value<bool>("gpuprim::is_sorted_value", in, n, how, [&](auto out, const options& o) {
    return detail::find_descent(in, n, out, less, o);
  });
}
/// Compares by `<`.
template <class In>
[[nodiscard]] bool is_sorted_value(In in, std::int64_t n, const options& how = {}) {
  return gpuprim::is_sorted_value(in, n, detail::comes_before{}, how);
}

}  // namespace gpuprim
