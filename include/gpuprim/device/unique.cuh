// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/select/select_call.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

template <class In, class Out, class Counts, class Equal>
outcome select_unique(const In& in, const element_count& n, const Out& out, const Counts& count, const Equal& equal,
                      const options& how) {
  static_assert(selectable_input<In>,
                "gpuprim::unique: the input must be a pointer or a random-access iterator to "
                "elements that are trivially copyable and assignable");
  static_assert(detail::takes_results<Out, input_value<In>> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::unique: the outputs must take elements and their count");
  [[maybe_unused]] const refuse_stream<Equal> checked{};
  static_assert(is_equality_on<Equal, input_value<In>>,
                "gpuprim::unique: the equality's const operator() must take two elements and return a bool");
  return detail::select_elements<tuned_select_policies, chosen_heads>(in, n, count, detail::comparing_in_call(equal),
                                                                      write_element(out), how);
}

template <class Keys, class Values, class KeysOut, class ValuesOut, class Counts, class Equal>
outcome select_unique_keys(const Keys& keys, const Values& values, const element_count& n, const KeysOut& keys_out,
                           const ValuesOut& values_out, const Counts& count, const Equal& equal, const options& how) {
  static_assert(selectable_input<Keys> && selectable_input<Values>,
                "gpuprim::unique_by_key: the inputs must be pointers or random-access iterators to elements that are "
                "trivially copyable and assignable");
  static_assert(detail::takes_results<KeysOut, input_value<Keys>> &&
                    detail::takes_results<ValuesOut, input_value<Values>> && detail::takes_result<Counts, std::int64_t>,
                "gpuprim::unique_by_key: the outputs must take keys, values and their count");
  [[maybe_unused]] const refuse_stream<Equal> checked{};
  static_assert(is_equality_on<Equal, input_value<Keys>>,
                "gpuprim::unique_by_key: the equality's const operator() must take two keys and return a bool");
  return detail::with_input<array_form::pointer>(values, [&](auto raw_values) -> outcome {
    const auto to_values = detail::unwrap_contiguous(values_out);
    const auto to_keys = detail::unwrap_contiguous(keys_out);
    const auto given_keys = detail::unwrap_contiguous(keys);
    const auto given_values = detail::unwrap_contiguous(values);
    if (const outcome bad = detail::check_input(raw_values, n.most()); bad.failed()) return bad;
    for (const outcome& bad :
         {detail::check_apart(to_values, n.most(), given_values), detail::check_apart(to_values, n.most(), given_keys),
          detail::check_apart(to_keys, n.most(), given_values), detail::check_apart(to_keys, n.most(), given_keys)}) {
      if (bad.failed()) return bad;
    }
    if (detail::overlap(detail::unwrap_contiguous(count), 1, given_values, n.most())) {
      return {cudaErrorInvalidValue, "the count lies in the input"};
    }
    if (n.most() > 0 && detail::begins_within(to_keys, to_values, 1)) {
      return {cudaErrorInvalidValue, "the outputs are the same array"};
    }
    if (n.most() > 0 && n.overlaps(to_values, 1)) {
      return {cudaErrorInvalidValue, "the number of elements lies in the output"};
    }
    using second = write_value<decltype(raw_values), std::remove_const_t<decltype(to_values)>>;
    const write_both<write_element<KeysOut>, second> write{write_element(keys_out), {raw_values, to_values}};
    return detail::select_elements<tuned_select_policies, chosen_heads>(keys, n, count,
                                                                        detail::comparing_in_call(equal), write, how);
  });
}

}  // namespace detail

/// Writes the first element of each run of equal neighbours, and how many there are.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read, where n is a number or
///        `element_count{pointer, most}`. `out`: room for those that are selected; it may be the input itself, whose
///        elements then move to the front, and must not overlap it otherwise. `count`: one integer. `equal(a, b)` says
///        whether neighbours a and b belong to one run, and is a pure function; a == b where it is left out.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept.
/// @cost  one launch; each element is read once and each result written once.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/64_unique.cu
template <class In, class Out, class CountOut, class Equal>
[[nodiscard]] cudaError_t unique(In in, element_count n, Out out, CountOut count, Equal equal,
                                 const options& how = {}) {
  return detail::select_unique(in, n, out, count, equal, how).report();
}
/// As above, for elements that are equal by ==.
template <class In, class Out, class CountOut>
[[nodiscard]] cudaError_t unique(In in, element_count n, Out out, CountOut count, const options& how = {}) {
  return detail::select_unique(in, n, out, count, detail::equal_keys{}, how).report();
}

/// Writes the first key of each run of equal neighbours and the value that stands beside it, and how many there are. Of
/// the values only those are read.
///
/// @pre   as unique; `values`: a pointer or a random-access iterator to n values. The outputs must not overlap the
///        inputs, not even be one of them: a block reads its values when it knows their places, while later ones write
///        theirs.
/// @sync  as unique. @order kept.
/// @cost  one launch; each key is read once, and of the values the lines of memory that hold selected ones.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/64_unique.cu
template <class Keys, class Values, class KeysOut, class ValuesOut, class CountOut, class Equal>
[[nodiscard]] cudaError_t unique_by_key(Keys keys, Values values, element_count n, KeysOut keys_out,
                                        ValuesOut values_out, CountOut count, Equal equal, const options& how = {}) {
  return detail::select_unique_keys(keys, values, n, keys_out, values_out, count, equal, how).report();
}
/// As above, for keys that are equal by ==.
template <class Keys, class Values, class KeysOut, class ValuesOut, class CountOut>
[[nodiscard]] cudaError_t unique_by_key(Keys keys, Values values, element_count n, KeysOut keys_out,
                                        ValuesOut values_out, CountOut count, const options& how = {}) {
  return gpuprim::unique_by_key(keys, values, n, keys_out, values_out, count, detail::equal_keys{}, how);
}

/// Does what unique does, and returns the count to the host.
///
/// @pre   as unique.
/// @sync  waits until all is written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order kept.
/// @cost  unique and the wait; the kernel writes the count to host memory that the calling thread keeps.
/// @return the count. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as select_if.
/// @example examples/library/64_unique.cu
template <class In, class Out, class Equal>
[[nodiscard]] std::int64_t unique_count(In in, element_count n, Out out, Equal equal, const options& how = {}) {
  return detail::count_to_host("gpuprim::unique_count", how, [&](std::int64_t* count) {
    return detail::select_unique(in, n, out, count, equal, how);
  });
}
/// As above, for elements that are equal by ==.
template <class In, class Out>
[[nodiscard]] std::int64_t unique_count(In in, element_count n, Out out, const options& how = {}) {
  return gpuprim::unique_count(in, n, out, detail::equal_keys{}, how);
}
/// The number of runs of equal neighbours, of elements that are equal by ==; nothing is written. With another equality,
/// give unique_count a `discard_output{}`.
template <class In>
[[nodiscard]] std::int64_t unique_count(In in, element_count n, const options& how = {}) {
  return gpuprim::unique_count(in, n, discard_output{}, detail::equal_keys{}, how);
}

/// Does what unique_by_key does, and returns the count to the host; all else as unique_count.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
[[nodiscard]] std::int64_t unique_by_key_count(Keys keys, Values values, element_count n, KeysOut keys_out,
                                               ValuesOut values_out, Equal equal, const options& how = {}) {
  return detail::count_to_host("gpuprim::unique_by_key_count", how, [&](std::int64_t* count) {
    return detail::select_unique_keys(keys, values, n, keys_out, values_out, count, equal, how);
  });
}
/// As above, for keys that are equal by ==.
template <class Keys, class Values, class KeysOut, class ValuesOut>
[[nodiscard]] std::int64_t unique_by_key_count(Keys keys, Values values, element_count n, KeysOut keys_out,
                                               ValuesOut values_out, const options& how = {}) {
  return gpuprim::unique_by_key_count(keys, values, n, keys_out, values_out, detail::equal_keys{}, how);
}

/// The launch that `unique` makes for these arguments, to look at. @throws gpuprim::cuda_error.
template <class In, class Out, class CountOut, class Equal = detail::equal_keys>
[[nodiscard]] launch_plan unique_plan(In in, element_count n, Out out, CountOut count, Equal equal = {}) {
  return detail::plan_call("gpuprim::unique_plan",
                           [&](const options& how) { return gpuprim::unique(in, n, out, count, equal, how); });
}

}  // namespace gpuprim
