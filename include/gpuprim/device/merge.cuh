// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/merge/merge_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// How much scratch memory `merge` and `merge_pairs` take of a workspace for n elements of both arrays together.
template <class Key, class... Value>
  requires(sizeof...(Value) <= 1)
constexpr workspace_size merge_workspace_size(std::int64_t n) {
  if constexpr (sizeof...(Value) == 0) return {0, detail::merge_scratch_bytes<tuned_long_merge_policy, Key>(n)};
  else return {0, detail::merge_scratch_bytes<tuned_long_merge_policy, detail::key_value<Key, Value...>>(n)};
}

/// Merges two sorted arrays.
///
/// @pre   `a` and `b`: pointers or random-access iterators to a_count and b_count elements of one type, sorted by
///        `less`, by default `<`, a strict weak order. Either count is a number or `element_count{pointer, most}`, one
///        that lies in device memory, apart from the output. `out`: room for all of them, apart from the inputs.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept among equal elements; those of a come before those of b.
/// @cost  each element is read and written once, in tiles of some thousand results. One launch and no workspace where
///        tiles are few. Where there are more than about two for each block that the GPU has room for, a kernel before
///        finds where they begin: two launches, and a `workspace` of `merge_workspace_size<T>(a_count + b_count)`, or
///        more stream operations.
/// @return cudaSuccess, or what went wrong; the output is untouched then. cudaErrorInvalidValue: null pointer with a
///         count > 0, misaligned arrays, negative or overflowing count, an output that overlaps an input, workspace too
///         small.
/// @source Green, McColl and Bader, "GPU merge path: a GPU merging algorithm", 2012.
/// @example examples/library/67_merge.cu
template <class A, class ACount = element_count, class B, class BCount = element_count, class Out,
          class Less = detail::comes_before>
[[nodiscard]] cudaError_t merge(A a, ACount a_count, B b, BCount b_count, Out out, Less less = {},
                                const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::merge_keys<tuned_merge_policy, tuned_long_merge_policy>(a, detail::as_count(a_count), b,
                                                                         detail::as_count(b_count), out, less, how)
      .report();
}
/// As above, in the order of `<`.
template <class A, class ACount = element_count, class B, class BCount = element_count, class Out>
[[nodiscard]] cudaError_t merge(A a, ACount a_count, B b, BCount b_count, Out out, const options& how) {
  return gpuprim::merge(a, a_count, b, b_count, out, detail::comes_before{}, how);
}

/// Merges two sorted arrays of keys, and the values beside them.
///
/// @pre   as merge; `a_values` and `b_values`: as many values as there are keys, of one type. Both outputs are apart
///        from the inputs and from each other.
/// @sync  as merge.
/// @order as merge.
/// @cost  as merge; the workspace is `merge_workspace_size<Key, Value>(a_count + b_count)`.
/// @return as merge.
/// @source as merge.
/// @example examples/library/67_merge.cu
template <class AKeys, class AValues, class BKeys, class BValues, class KeysOut, class ValuesOut,
          class Less = detail::comes_before>
[[nodiscard]] cudaError_t merge_pairs(AKeys a_keys, AValues a_values, std::int64_t a_count, BKeys b_keys,
                                      BValues b_values, std::int64_t b_count, KeysOut keys_out, ValuesOut values_out,
                                      Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::merge_pairs<tuned_merge_policy, tuned_long_merge_policy>(
             detail::given_pairs{a_keys, a_values, a_count}, detail::given_pairs{b_keys, b_values, b_count}, keys_out,
             values_out, less, how)
      .report();
}
/// As above, in the order of `<`.
template <class AKeys, class AValues, class BKeys, class BValues, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t merge_pairs(AKeys a_keys, AValues a_values, std::int64_t a_count, BKeys b_keys,
                                      BValues b_values, std::int64_t b_count, KeysOut keys_out, ValuesOut values_out,
                                      const options& how) {
  return gpuprim::merge_pairs(a_keys, a_values, a_count, b_keys, b_values, b_count, keys_out, values_out,
                              detail::comes_before{}, how);
}

/// As above, with counts in device memory, as merge takes them.
template <class AKeys, class AValues, class BKeys, class BValues, class KeysOut, class ValuesOut,
          class Less = detail::comes_before>
[[nodiscard]] cudaError_t merge_pairs(AKeys a_keys, AValues a_values, const element_count& a_count, BKeys b_keys,
                                      BValues b_values, const element_count& b_count, KeysOut keys_out,
                                      ValuesOut values_out, Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::merge_pairs<tuned_merge_policy, tuned_long_merge_policy>(
             detail::given_pairs{a_keys, a_values, a_count}, detail::given_pairs{b_keys, b_values, b_count}, keys_out,
             values_out, less, how)
      .report();
}
/// As above, in the order of `<`.
template <class AKeys, class AValues, class BKeys, class BValues, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t merge_pairs(AKeys a_keys, AValues a_values, const element_count& a_count, BKeys b_keys,
                                      BValues b_values, const element_count& b_count, KeysOut keys_out,
                                      ValuesOut values_out, const options& how) {
  return gpuprim::merge_pairs(a_keys, a_values, a_count, b_keys, b_values, b_count, keys_out, values_out,
                              detail::comes_before{}, how);
}

/// The launch that `merge` makes for these arguments, to look at; of two, that of the kernel which merges.
/// @throws gpuprim::cuda_error.
template <class A, class B, class Out, class Less = detail::comes_before>
[[nodiscard]] launch_plan merge_plan(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out, Less less = {}) {
  return detail::plan_call("gpuprim::merge_plan",
                           [&](const options& how) { return gpuprim::merge(a, a_count, b, b_count, out, less, how); });
}

}  // namespace gpuprim
