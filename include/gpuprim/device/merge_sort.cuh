// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/comparisons.cuh>
#include <gpuprim/device/merge/merge_sort_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// The workspace that a merge sort of n keys needs, or of n pairs of a key and a value: scratch memory for as many and
/// a place for each tile, and no zeroed memory. What is enough for n is enough for every smaller count.
template <class Key, class Value = void>
constexpr workspace_size merge_sort_workspace_size(std::int64_t n) {
  if (n < 0) n = 0;
  if constexpr (std::is_void_v<Value>) {
    return {0, detail::merge_sort_scratch_bytes<tuned_merge_sort_policy, Key, Key>(n)};
  } else {
    return {0, detail::merge_sort_scratch_bytes<tuned_merge_sort_policy, detail::key_value<Key, Value>, Key, Value>(n)};
  }
}

/// Sorts elements of any type by any order.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read. `out`: an array of n
///        elements of the type; it may be the input itself, and must not overlap it otherwise. `less(a, b)`, by default
///        `<`, says whether a comes before b, and is a strict weak order. Floats among which are NaNs have none in
///        `<`: keys may then be lost; `sort` by digits gives NaNs a place.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept among equal elements.
/// @cost  a launch that sorts tiles of some thousand elements, smaller ones where each has a multiprocessor of its own;
///        and two more for each doubling from a tile to all: one searches for where the merge divides into tiles, and
///        one reads and writes all elements. Scratch memory for n elements, unless there is one tile only.
/// @return cudaSuccess, or what went wrong; the output is untouched if no launch failed. cudaErrorInvalidValue: null
///         pointer with n > 0, misaligned arrays, negative or overflowing count, an output that overlaps the input and
///         is another array, workspace too small.
/// @source Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore GPUs", 2009; Green, McColl
///         and Bader, "GPU merge path: a GPU merging algorithm", 2012.
/// @example examples/library/66_merge_sort.cu
template <class In, class Out, class Less = detail::comes_before>
[[nodiscard]] cudaError_t merge_sort(In in, std::int64_t n, Out out, Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::merge_sort_keys<tuned_merge_sort_policy>(in, n, out, less, how).report();
}
/// As above, in the order of `<`.
template <class In, class Out>
[[nodiscard]] cudaError_t merge_sort(In in, std::int64_t n, Out out, const options& how) {
  return gpuprim::merge_sort(in, n, out, detail::comes_before{}, how);
}

/// Sorts keys of any type by any order, and moves the values beside them.
///
/// @pre   as merge_sort; `values`: as many values as there are keys. `keys_out` may be `keys` and `values_out` may be
///        `values`; no output overlaps another array.
/// @sync  as merge_sort.
/// @order as merge_sort.
/// @cost  as merge_sort, for keys and values.
/// @return as merge_sort.
/// @source as merge_sort.
/// @example examples/library/66_merge_sort.cu
template <class Keys, class Values, class KeysOut, class ValuesOut, class Less = detail::comes_before>
[[nodiscard]] cudaError_t merge_sort_pairs(Keys keys, Values values, std::int64_t n, KeysOut keys_out,
                                           ValuesOut values_out, Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  return detail::merge_sort_pairs<tuned_merge_sort_policy>(keys, values, n, keys_out, values_out, less, how).report();
}
/// As above, in the order of `<`.
template <class Keys, class Values, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t merge_sort_pairs(Keys keys, Values values, std::int64_t n, KeysOut keys_out,
                                           ValuesOut values_out, const options& how) {
  return gpuprim::merge_sort_pairs(keys, values, n, keys_out, values_out, detail::comes_before{}, how);
}

/// The first launch of `merge_sort` for these arguments, to look at: it sorts tiles. @throws gpuprim::cuda_error.
template <class In, class Out, class Less = detail::comes_before>
[[nodiscard]] launch_plan merge_sort_plan(In in, std::int64_t n, Out out, Less less = {}) {
  launch_plan plan;
  const detail::describe_chosen describe{plan};
  detail::throw_if_failed("gpuprim::merge_sort_plan",
                          detail::merge_sort_keys<tuned_merge_sort_policy>(in, n, out, less, describe));
  return plan;
}

/// That of `merge_sort_pairs`. @throws gpuprim::cuda_error.
template <class Keys, class Values, class KeysOut, class ValuesOut, class Less = detail::comes_before>
[[nodiscard]] launch_plan merge_sort_pairs_plan(Keys keys, Values values, std::int64_t n, KeysOut keys_out,
                                                ValuesOut values_out, Less less = {}) {
  launch_plan plan;
  const detail::describe_chosen describe{plan};
  detail::throw_if_failed("gpuprim::merge_sort_pairs_plan", detail::merge_sort_pairs<tuned_merge_sort_policy>(
                                                                keys, values, n, keys_out, values_out, less, describe));
  return plan;
}

}  // namespace gpuprim
