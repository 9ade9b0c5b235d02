// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented_sort/long_segments.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>
#include <gpuprim/device/top_k/top_k_launch.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

using launch_top_k = top_k_launcher<row_sorter>;

}  // namespace detail

/// The two memories that a top-k needs for the k largest of `n` keys of type T: `top_k`, `top_k_pairs` and
/// `top_k_positions` in an order. Fewer keys, or a smaller k, may need more: a workspace for several sizes has room for
/// each.
template <class T, top_k_form Form = top_k_form::unsorted>
constexpr workspace_size top_k_workspace_size(std::int64_t n, std::int64_t k, top_k_order<Form> = largest) {
  static_assert(is_number<T>, "gpuprim::top_k: the keys must be numbers of at most 64 bits");
  using launch = detail::top_k_launch<tuned_top_k_policy>;
  using word = typename detail::radix_key<T>::word;
  return detail::launch_top_k::find_workspace<launch, word, Form>(detail::row_of(n), k);
}

/// Writes the k largest of n keys, or the k smallest; all of them if k is above n.
///
/// Floating keys are in the order of their numbers; a NaN is above +infinity, or below -infinity if its sign bit is
/// set, and +0 is above -0.
///
/// @pre   `in`: a pointer or a random-access iterator to n numbers of at most 64 bits, which the device can read. `out`
///        has room for as many as are written, and overlaps no input. `order`: `largest`, `smallest`,
///        `largest.sorted()` or `smallest.sorted()`.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order unspecified, and may differ from run to run, unless sorted. Which keys are written is the same in every run.
/// @cost  one launch. Up to about a million keys of at most 32 bits are read once, by a cluster of blocks where the
///        GPU has these. Of more keys and a k that is a small part of them, each key is read once too: a sample says
///        above which key to look. If the sample has misled, which is seen on the device, or k is a larger part, keys
///        are read once for each 11 bits of them, and once more to be written. With more than 2^18 results, what is
///        read for these is read twice. More than 2048 results are sorted by three launches more: they are listed in
///        memory, and moved once for each 8 bits of a key and of a position, if values or positions are written. A
///        `workspace` of `top_k_workspace_size<T>(n, k, order)`, or more stream operations.
/// @return cudaSuccess, or what went wrong; the outputs are untouched then. cudaErrorInvalidValue: null pointer with n
///        and k > 0, misaligned arrays, negative or overflowing count, an output that is seen to overlap an input, 2^32
///        or more results to be sorted, workspace too small.
/// @source Floyd and Rivest, "Expected time bounds for selection", 1975; Alabi, Blanchard, Gordon and Steinbach, "Fast
///         k-selection algorithms for graphics processing units", 2012.
/// @example examples/library/68_top_k.cu
template <class In, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k(In in, std::int64_t n, std::int64_t k, Out out, top_k_order<Form> order = largest,
                                const options& how = {}) {
  const auto all = detail::row_of(n);
  return detail::top_k_of<tuned_top_k_policy>(in, all, k, out, order, detail::launch_top_k{how}).report();
}

/// Takes the k largest.
template <class In, class Out>
[[nodiscard]] cudaError_t top_k(In in, std::int64_t n, std::int64_t k, Out out, const options& how) {
  return gpuprim::top_k(in, n, k, out, largest, how);
}

/// Writes the k largest of n keys and the values that lie beside them.
///
/// Of equal keys those at the lowest positions are taken, and they stay in that order if sorted. Zeros of both signs
/// are equal.
///
/// @pre   as top_k; `values`: a pointer or a random-access iterator to n values. The outputs are apart from each other.
/// @sync  as top_k. @order as top_k.
/// @cost  as top_k; of the values the lines of memory that hold those which are written. Where equal keys have to be
///        told apart, those of them that are candidates are looked at again.
/// @return as top_k.
/// @source as top_k.
/// @example examples/library/68_top_k.cu
template <class Keys, class Values, class KeysOut, class ValuesOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k_pairs(Keys keys, Values values, std::int64_t n, std::int64_t k, KeysOut keys_out,
                                      ValuesOut values_out, top_k_order<Form> order = largest,
                                      const options& how = {}) {
  const auto all = detail::row_of(n);
  const detail::launch_top_k launch{how};
  return detail::top_k_of<tuned_top_k_policy>(keys, all, k, keys_out, order, launch, values, values_out).report();
}

/// Takes the k largest.
template <class Keys, class Values, class KeysOut, class ValuesOut>
[[nodiscard]] cudaError_t top_k_pairs(Keys keys, Values values, std::int64_t n, std::int64_t k, KeysOut keys_out,
                                      ValuesOut values_out, const options& how) {
  return gpuprim::top_k_pairs(keys, values, n, k, keys_out, values_out, largest, how);
}

/// Writes the k largest of n keys and their positions, 64-bit integers that are converted to the type of the output as
/// by assignment; all else as top_k_pairs.
template <class In, class KeysOut, class PositionsOut, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t top_k_positions(In in, std::int64_t n, std::int64_t k, KeysOut keys_out,
                                          PositionsOut positions_out, top_k_order<Form> order = largest,
                                          const options& how = {}) {
  const auto all = detail::row_of(n);
  const detail::launch_top_k launch{how};
  return detail::top_k_of<tuned_top_k_policy>(in, all, k, keys_out, order, launch, positions_out).report();
}

/// Takes the k largest.
template <class In, class KeysOut, class PositionsOut>
[[nodiscard]] cudaError_t top_k_positions(In in, std::int64_t n, std::int64_t k, KeysOut keys_out,
                                          PositionsOut positions_out, const options& how) {
  return gpuprim::top_k_positions(in, n, k, keys_out, positions_out, largest, how);
}

/// The launch that `top_k` makes for these arguments, to look at. @throws gpuprim::cuda_error.
template <class In, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] launch_plan top_k_plan(In in, std::int64_t n, std::int64_t k, Out out,
                                     top_k_order<Form> order = largest) {
  return detail::plan_call("gpuprim::top_k_plan",
                           [&](const options& how) { return gpuprim::top_k(in, n, k, out, order, how); });
}

}  // namespace gpuprim
