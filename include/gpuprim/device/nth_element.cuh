// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/partition.cuh>
#include <gpuprim/device/top_k/top_k_call.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

template <class T>
using nth_element_word = typename radix_key<T>::word;

/// What the launches of an nth_element share in scratch memory.
template <class Word>
struct nth_element_state {
  top_k_last<Word> last;
  std::int64_t counts[2];  ///< of the partition, which no one reads
};

/// The scratch memory of an nth_element: what its top-k takes, the state, and a copy of keys that are where the output
/// is.
template <class T>
struct nth_element_scratch {
  using word = nth_element_word<T>;
  using state = nth_element_state<word>;
  static constexpr std::int64_t state_bytes = 128;
  static_assert(sizeof(state) <= state_bytes);

  /// Enough for every n-th: a sample leaves a quarter of the keys at most.
  static constexpr std::int64_t top_k_bytes(std::int64_t n) {
    return top_k_launch<tuned_top_k_policy>::scratch_bytes<word, top_k_places::ignored>(1, 2, n / 4, 0);
  }
  static constexpr std::int64_t copy_bytes(std::int64_t n) { return n * std::int64_t(sizeof(T)); }
};

}  // namespace detail

/// The two memories that `nth_element` of n keys of type T needs, for every n-th.
template <class T>
constexpr workspace_size nth_element_workspace_size(std::int64_t n) {
  static_assert(is_number<T>, "gpuprim::nth_element: the keys must be numbers of at most 64 bits");
  if (n <= 0) return {};
  using scratch = detail::nth_element_scratch<T>;
  constexpr int bytes = int(sizeof(T));
  const std::int64_t of_top_k =
      detail::top_k_launch<tuned_top_k_policy>::find_workspace<detail::nth_element_word<T>>(detail::row_of(n), 1)
          .zeroed_bytes;
  const std::int64_t of_partition = detail::select_launches<tuned_select_policies, bytes, bytes, 2>::workspace_bytes(n);
  return {of_top_k < of_partition ? of_partition : of_top_k,
          scratch::top_k_bytes(n) + scratch::state_bytes + scratch::copy_bytes(n)};
}

namespace detail {

/// True of keys that a top-k takes sooner than its last one.
template <class T>
struct is_sooner_than_last {
  const top_k_last<nth_element_word<T>>* last;
  key_ranking<T, zeros::distinct> ranks;
  GPUPRIM_HOST_DEVICE bool operator()(const T& key) const { return ranks.rank(key) > last->word; }
};
/// True of keys that are equal to it.
template <class T>
struct is_equal_to_last {
  const top_k_last<nth_element_word<T>>* last;
  key_ranking<T, zeros::distinct> ranks;
  GPUPRIM_HOST_DEVICE bool operator()(const T& key) const { return ranks.rank(key) == last->word; }
};

/// An output from one of its places on, up or down.
template <class Out>
struct output_from {
  Out out;
  std::int64_t first, step;
  using place = decltype(std::declval<const Out&>()[std::int64_t{}]);
  __device__ place operator[](std::int64_t i) const { return out[first + step * i]; }
};
/// The place of what is equal to the last of the k that such an output begins with: so that it ends with the k-th, or
/// behind it.
template <class Out, class Word>
struct output_of_equal {
  output_from<Out> all;
  const top_k_last<Word>* last;
  std::int64_t k;
  __device__ typename output_from<Out>::place operator[](std::int64_t i) const { return all[k - last->equal + i]; }
};

/// Finds the n-th key and partitions by it. The arguments are checked. In and Out: pointers, where they are arrays.
template <class In, class Out>
outcome run_nth_element(In in, std::int64_t n, std::int64_t nth, const Out& out, bool is_in_place, top_k_end end,
                        const options& how) {
  using T = input_value<In>;
  using scratch = nth_element_scratch<T>;
  using word = typename scratch::word;
  // The shorter of the sides that the n-th key ends, from its end of the output on.
  const bool is_front = nth < n - nth;
  const std::int64_t k = is_front ? nth + 1 : n - nth;
  if (!is_front) end = end == top_k_end::largest ? top_k_end::smallest : top_k_end::largest;
  const output_from<Out> up{out, 0, 1}, down{out, n - 1, -1};

  if (detail::measure(how, nth_element_workspace_size<T>(n))) return {};
  const std::int64_t before = how.workspace != nullptr ? scratch::top_k_bytes(n) : 0;
  const std::int64_t behind = is_in_place ? scratch::copy_bytes(n) : 0;
  memory_lease lease({0, before + scratch::state_bytes + behind}, how);
  if (lease.error()) return lease.refusal();
  char* const memory = lease.scratch() + before;
  auto* const state = reinterpret_cast<typename scratch::state*>(memory);
  const auto go = [&]() -> outcome {
    const outcome found = detail::run_top_k<tuned_top_k_policy>(
        in, row_of(n), k, out, top_k_last_out<word>{&state->last}, top_k_order<>{end}, launch_chosen{how});
    if (found.failed()) return found;
    if constexpr (std::is_same_v<In, const T*>) {
      if (is_in_place) {
        void* const copy = memory + scratch::state_bytes;
        if (const cudaError_t e = detail::copy_bytes(copy, in, behind, how)) return {e};
        in = static_cast<const T*>(copy);
      }
    }
    const auto ranks = key_ranking<T, zeros::distinct>::of(end);
    const output_from<Out> front = is_front ? up : down, rest = is_front ? down : up;
    return detail::partition_by_two(in, n, &state->counts[0], is_sooner_than_last<T>{&state->last, ranks},
                                    is_equal_to_last<T>{&state->last, ranks}, how, front,
                                    output_of_equal<Out, word>{front, &state->last, k}, rest);
  };
  return lease.finish(go());
}

template <class In, class Out, top_k_form Form>
outcome nth_element(const In& in, std::int64_t n, std::int64_t nth, const Out& out, top_k_order<Form> order,
                    const options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::nth_element: the keys must be a pointer or a random-access iterator");
  static_assert(is_number<input_value<In>>, "gpuprim::nth_element: the keys must be numbers of at most 64 bits");
  static_assert(detail::takes_results<Out, input_value<In>>, "gpuprim::nth_element: the output must take keys");
  static_assert(Form == top_k_form::unsorted,
                "gpuprim::nth_element: the order must be gpuprim::smallest or gpuprim::largest; sort sorts all keys");
  const auto go = [&](auto given, auto to) -> outcome {
    const auto raw = detail::as_constant(given);
    if (const outcome bad = detail::check_input(raw, n); bad.failed()) return bad;
    if (nth < 0 || (nth >= n && nth > 0)) {
      return {cudaErrorInvalidValue, "nth must not be negative and must be less than the count"};
    }
    const bool is_in_place = detail::is_same_array(to, raw);
    if (const outcome bad = detail::check_results(to, n); bad.failed()) return bad;
    if (!is_in_place && detail::overlap(to, n, raw, n)) {
      return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same array"};
    }
    if (n == 0) return {};
    return detail::run_nth_element(raw, n, nth, to, is_in_place, order.end, how);
  };
  return detail::with_arrays(go, in, out);
}

}  // namespace detail

/// Moves n keys so that the n-th is the one that a sort would put there: no key before it comes after it, and no key
/// behind it comes before it. `smallest`: from the least key up; `largest`: from the greatest down.
///
/// Floating keys are in the order of their numbers; a NaN is above +infinity, or below -infinity if its sign bit is
/// set, and +0 is above -0.
///
/// @pre   `in`: a pointer or a random-access iterator to n numbers of at most 64 bits, which the device can read. `out`
///        has room for n, and is the input itself or apart from it. 0 <= nth < n, or both are 0, and nothing is done.
///        `order`: `smallest` or `largest`.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order unspecified on both sides of the n-th; the output is the same in every run.
/// @cost  two launches: a top-k that finds the n-th key and writes nothing else, and a partition by it, which reads and
///        writes each key once. Far from both ends the first reads each key once for each 11 bits of a key, and near
///        an end once. In place the keys are copied between the two. A `workspace` of
///        `nth_element_workspace_size<T>(n)`, which has room for that copy, or more stream operations.
/// @return cudaSuccess, or what went wrong; the output is untouched then. cudaErrorInvalidValue: null pointer with n >
///        0, misaligned arrays, negative or overflowing count, nth that is no place of a key, an output
///        that is seen to overlap the input in part, workspace too small.
/// @source Hoare, "Algorithm 65: FIND", 1961; Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for
///         graphics processing units", 2012.
/// @example examples/library/88_nth_element.cu
template <class In, class Out, top_k_form Form = top_k_form::unsorted>
[[nodiscard]] cudaError_t nth_element(In in, std::int64_t n, std::int64_t nth, Out out,
                                      top_k_order<Form> order = smallest, const options& how = {}) {
  return detail::nth_element(in, n, nth, out, order, how).report();
}

/// From the least key up.
template <class In, class Out>
[[nodiscard]] cudaError_t nth_element(In in, std::int64_t n, std::int64_t nth, Out out, const options& how) {
  return gpuprim::nth_element(in, n, nth, out, smallest, how);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
