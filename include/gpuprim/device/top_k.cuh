// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/long_segments.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>
#include <gpuprim/device/top_k/top_k_listed.cuh>

namespace gpuprim::inline v0_1_0 {

namespace detail {

/// Launches a top-k. Where a block cannot sort the results of a row, they are listed and sorted in passes over memory.
struct launch_top_k {
  const options& how;

  template <class Listed, class Digits>
  using sorter = long_segment_sorter<tuned_segmented_sort_policies, Digits, Listed, no_values>;

  static constexpr std::int64_t count_results(std::int64_t most, std::int64_t k) { return k < most ? k : most; }
  /// What both a top-k and a sort of its results need, and where their scratch memory ends.
  static constexpr workspace_size join(const workspace_size& a, const workspace_size& b) {
    const std::int64_t scratch = a.scratch_bytes < b.scratch_bytes ? b.scratch_bytes : a.scratch_bytes;
    return {a.zeroed_bytes < b.zeroed_bytes ? b.zeroed_bytes : a.zeroed_bytes, (scratch + 255) / 256 * 256};
  }

  /// What is enough for every GPU. `Word`: that of the keys.
  template <class Launch, class Word, top_k_form Form, class Rows>
  static constexpr workspace_size find_workspace(const Rows& rows, std::int64_t k) {
    using entry = top_k_entry<Word>;
    workspace_size size = Launch::template find_workspace<Word, Form>(rows, k);
    const std::int64_t length = count_results(rows.most(), k);
    if (Form == top_k_form::unsorted || rows.count <= 0 || length <= most_block_sorted) return size;
    const std::int64_t results = rows.count * length;
    size = join(size, sorter<entry, top_k_entry_digits<Word>>::find_rows_size(results, rows.count));
    size.scratch_bytes += results * std::int64_t(sizeof(entry));
    return size;
  }

  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass& pass, const found_shape& found) const {
    if constexpr (Pass::is_sorted) {
      const std::int64_t length = count_results(pass.rows.most(), pass.k);
      if (length > most_block_sorted) return run_listed<Launch>(pass, length, found);
    }
    return Launch::run(pass, found, how);
  }

 private:
  /// Lists the results behind the memory that the top-k and the sort use one after the other.
  template <class Launch, class Pass>
  outcome run_listed(Pass pass, std::int64_t length, const found_shape& found) const {
    using listing = top_k_listing<Pass>;
    using listed = typename Pass::listed;
    using listed_sorter = sorter<listed, typename listing::digits>;
    if (length > most_segment_items) return {cudaErrorInvalidValue, "2^32 results or more are not sorted"};
    const spans_of_length rows{length, pass.rows.count};
    const std::int64_t results = rows.length * rows.count;
    std::int64_t before = 0;
    if (how.workspace != nullptr) {
      const auto own = Launch::template find_workspace<typename Pass::word, Pass::form>(pass.rows, pass.k);
      before = join(own, listed_sorter::find_rows_size(results, rows.count)).scratch_bytes;
    }
    scratch_lease lease(before + results * std::int64_t(sizeof(listed)), how);
    if (lease.error()) return lease.refusal();
    pass.list = reinterpret_cast<listed*>(static_cast<char*>(lease.data()) + before);
    pass.list_length = length;
    const int place_bits = listing::count_place_bits(pass.rows.most());
    const listed_sorter sort{listing::digits_of(place_bits), 0, place_bits + listing::word_bits};
    const auto go = [&]() -> outcome {
      if constexpr (!Pass::rows_type::are_even) {  // what rows of fewer results leave is sorted behind these
        const auto bytes = std::size_t(results) * sizeof(listed);
        if (const cudaError_t e = cudaMemsetAsync(pass.list, 0xff, bytes, how.stream)) return {e};
      }
      if (const outcome taken = Launch::run(pass, found, how); taken.failed()) return taken;
      if (const outcome sorted = sort.sort_rows(rows, pass.list, how); sorted.failed()) return sorted;
      constexpr auto kernel = &top_k_put_kernel<Pass>;
      const auto put = detail::find_shape<kernel>((results - 1) / Pass::block_size + 1, Pass::block_size);
      if (put.error != cudaSuccess) return {put.error};
      return {gpuprim::launch(put.when, kernel, put.grid, how.stream, pass)};
    };
    const outcome done = go(), freed = lease.finish(done.code);
    return done.failed() ? done : freed;
  }
};

}  // namespace detail

/// The two memories that a top-k needs for the k largest of `n` keys of type T: `top_k`, `top_k_pairs` and
/// `top_k_positions` in an order. Fewer keys, or a smaller k, may need more: a workspace for several sizes has room for
/// each.
template <class T, top_k_form Form = top_k_form::unsorted>
constexpr workspace_size top_k_workspace_size(std::int64_t n, std::int64_t k, top_k_order<Form> = largest) {
  static_assert(is_number<T>, "gpuprim::top_k: the keys must be numbers of at most 64 bits");
  using launch = detail::top_k_launch<tuned_top_k_policy>;
  using word = typename detail::radix_key<T>::word;
  return detail::launch_top_k::find_workspace<launch, word, Form>(detail::even_rows{n, 1}, k);
}

namespace detail {

template <class In, class KeysOut, top_k_form Form, class ValuesOf, class Action>
outcome top_k_of_all(const In& in, std::int64_t n, std::int64_t k, const KeysOut& keys_out, top_k_order<Form> order,
                     const ValuesOf& values_of, const Action& action) {
  return detail::top_k_of<tuned_top_k_policy>(in, even_rows{n, 1}, k, keys_out, order, values_of, action);
}

}  // namespace detail

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
/// @cost  one launch. Of many keys and a k that is a small part of them, each key is read once: a sample says above
///        which key to look. If the sample has misled, which is seen on the device, or k is a larger part, keys are
///        read once for each 11 bits of them, and once more to be written. With more than 2^18 results, what is read
///        for these is read twice. More than 2048 results are sorted by three launches more: they are listed in
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
  return detail::top_k_of_all(in, n, k, out, order, detail::keys_alone{}, detail::launch_top_k{how}).report();
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
  const detail::pairs_of<Values, ValuesOut> beside{values, n, values_out};
  return detail::top_k_of_all(keys, n, k, keys_out, order, beside, detail::launch_top_k{how}).report();
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
  const detail::positions_to<PositionsOut> beside{positions_out};
  return detail::top_k_of_all(in, n, k, keys_out, order, beside, detail::launch_top_k{how}).report();
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
  launch_plan plan;
  detail::throw_if_failed("gpuprim::top_k_plan", detail::top_k_of_all(in, n, k, out, order, detail::keys_alone{},
                                                                      detail::describe_chosen{plan}));
  return plan;
}

}  // namespace gpuprim
