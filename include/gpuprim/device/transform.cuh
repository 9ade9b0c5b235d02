// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/transform/transform_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Writes fn(in[i]) to out[i] for each of n elements.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read, or `inputs(a, b, ...)`:
///        then fn takes an element of each. n is a number or `element_count{pointer, most}`, one that lies in device
///        memory, apart from the outputs: arrays have room for the most, for which blocks are launched. `out`: room for
///        as many results, which are converted to its type as by assignment, or `outputs(x, y, ...)`: then fn
///        returns a `gpuprim::tuple` of as many. An output may be an input itself where their elements have one size;
///        else it overlaps none. Fn is a function object whose const operator() the device can call; it is called once
///        for each element, in any order.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each result depends on the elements of one position only.
/// @cost  one launch and no workspace; each element is read once and each result written once, in loads and stores of
///        16 bytes where they are arrays. Inputs that lie otherwise to a boundary of 16 bytes than the output cost a
///        second load from the cache.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with
///        n > 0, misaligned array or count, negative or overflowing count, an output that overlaps an input but is not
///        the same array, two outputs that overlap.
/// @source std::transform; cub::DeviceTransform.
/// @example examples/library/90_transform.cu
template <class In, detail::number_of_elements Count = element_count, class Out, class Fn>
[[nodiscard]] cudaError_t transform(In in, Count n, Out out, Fn fn, const options& how = {}) {
  return detail::transform_all<tuned_transform_policy>(in, detail::as_count(n), out, fn, how).report();
}

/// The launch that `transform` makes for the same arguments, to look at. @throws gpuprim::cuda_error.
template <class In, class Out, class Fn>
[[nodiscard]] launch_plan transform_plan(In in, std::int64_t n, Out out, Fn fn) {
  return detail::plan_call("gpuprim::transform_plan",
                           [&](const options& how) { return gpuprim::transform(in, n, out, fn, how); });
}

/// Calls fn(in[i]) for each of n elements, for what fn does: it takes elements by value or as constants, and may write
/// elsewhere. To change elements, transform them in place. See transform for all else.
template <class In, detail::number_of_elements Count = element_count, class Fn>
[[nodiscard]] cudaError_t for_each(In in, Count n, Fn fn, const options& how = {}) {
  return detail::transform_all<tuned_read_policy>(in, detail::as_count(n), detail::nothing{}, fn, how).report();
}

/// Calls fn(i) for each i from 0 to n - 1, a std::int64_t.
template <detail::number_of_elements Count = element_count, class Fn>
[[nodiscard]] cudaError_t for_each(Count n, Fn fn, const options& how = {}) {
  const detail::nothing none{};
  return detail::transform_all<tuned_transform_policy>(positions<>{}, detail::as_count(n), none, fn, how).report();
}

/// Writes fn(i) to out[i] for each i from 0 to n - 1, a std::int64_t. See transform for all else.
template <class Out, detail::number_of_elements Count = element_count, class Fn>
[[nodiscard]] cudaError_t generate(Out out, Count n, Fn fn, const options& how = {}) {
  return detail::transform_all<tuned_fill_policy>(positions<>{}, detail::as_count(n), out, fn, how).report();
}

/// Writes first + i * step to out[i] for each i from 0 to n - 1.
///
/// @pre   `out`: as in transform. `first` and `step` are numbers. Results are computed in the type of the first, by
///        default a std::int64_t: integers wrap, and 16-bit floats are computed in float.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order each number is computed by itself.
/// @cost  one launch and no workspace; each number is written once.
/// @return as transform.
/// @source std::iota; thrust::sequence.
/// @example examples/library/90_transform.cu
template <class Out, class T = std::int64_t, class Step = int>
[[nodiscard]] cudaError_t sequence(Out out, std::int64_t n, T first = {}, Step step = 1, const options& how = {}) {
  static_assert(is_wide_number<T> && is_wide_number<Step>, "gpuprim::sequence: the values must be numbers");
  using sum = default_accumulator<plus<>, T>;
  const detail::progression<sum> fn{static_cast<sum>(detail::convertible<sum>(first)),
                                    static_cast<sum>(detail::convertible<sum>(step))};
  return gpuprim::generate(out, n, fn, how);
}
/// As above, from 0 in steps of 1.
template <class Out>
[[nodiscard]] cudaError_t sequence(Out out, std::int64_t n, const options& how) {
  return gpuprim::sequence(out, n, std::int64_t{0}, 1, how);
}

namespace detail {

template <class Out, class Count, class T>
outcome fill_with(const Out& out, const Count& n, const T& value, const options& how) {
  const auto to = detail::unwrap_contiguous(out);
  const auto run = [&](const auto& fn) {
    return detail::run_transform<tuned_fill_policy>(bundle<>{}, n, detail::make_bundle(to), fn, how);
  };
  if constexpr (std::is_pointer_v<decltype(detail::unwrap_contiguous(out))>) {
    using element_type = input_value<decltype(detail::unwrap_contiguous(out))>;
    static_assert(detail::converts<T, element_type>, "gpuprim::fill: the value must convert to the element type");
    return run(constant<element_type>{static_cast<element_type>(detail::convertible<element_type>(value))});
  } else {
    return run(constant<T>{value});
  }
}

}  // namespace detail

/// Writes a value to each of n places. See transform for all else.
template <class Out, detail::number_of_elements Count = element_count, class T>
[[nodiscard]] cudaError_t fill(Out out, Count n, const T& value, const options& how = {}) {
  return detail::fill_with(out, detail::as_count(n), value, how).report();
}

/// Copies n elements, which are converted to the type of the output as by assignment. The output must not overlap the
/// input, unless it is the same array. See transform for all else.
template <class In, detail::number_of_elements Count = element_count, class Out>
[[nodiscard]] cudaError_t copy(In in, Count n, Out out, const options& how = {}) {
  const auto from = detail::as_read(in);
  const auto to = detail::unwrap_contiguous(out);
  return detail::copy_elements<tuned_transform_policy>(from, detail::as_count(n), to, how).report();
}

/// Writes in[i] to out[i], or `value` where the predicate holds for in[i]. The output may be the input. See transform
/// for all else.
template <class In, class Out, class Predicate, class T>
[[nodiscard]] cudaError_t replace_if(In in, std::int64_t n, Out out, Predicate predicate, const T& value,
                                     const options& how = {}) {
  static_assert(random_access_input<In>,
                "gpuprim::replace_if: the input must be a pointer or a random-access iterator");
  using element_type = input_value<In>;
  static_assert(detail::converts<T, element_type>, "gpuprim::replace_if: the value must convert to the element type");
  static_assert(detail::is_function_object<Predicate>);
  static_assert(is_device_lambda<Predicate> || std::is_invocable_r_v<bool, const Predicate&, const element_type&>,
                "gpuprim::replace_if: the predicate's const operator() must take an element and return a bool");
  const auto in_place_of = static_cast<element_type>(detail::convertible<element_type>(value));
  const detail::replaced_if<Predicate, element_type> fn{predicate, in_place_of};
  return gpuprim::transform(in, n, out, fn, how);
}

}  // namespace gpuprim
