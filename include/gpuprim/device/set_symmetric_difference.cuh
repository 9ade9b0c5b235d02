// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/common/count_to_host.cuh>
#include <gpuprim/device/merge/merge_call.cuh>
#include <gpuprim/device/merge/set_call.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// What each of two sorted arrays has more than the other, and how many elements these are.
template <class T>
struct two_differences {
  std::int64_t* counts = nullptr;
  T* elements = nullptr;

  /// Lays them over memory behind what the merge of both takes; `parts.used` is then where they end.
  static constexpr two_differences lay_over(memory_parts& parts, std::int64_t n) {
    two_differences made;
    parts.used = (merge_scratch_bytes<tuned_long_merge_policy, T>(n) + 255) / 256 * 256;
    parts.take(made.counts, 2);
    parts.take(made.elements, n);
    return made;
  }
};

}  // namespace detail

/// How much memory `set_symmetric_difference` takes of a workspace for two arrays that have n elements together.
template <class T>
constexpr workspace_size set_symmetric_difference_workspace_size(std::int64_t n) {
  detail::memory_parts parts;
  (void)detail::two_differences<T>::lay_over(parts, n);
  return {detail::set_workspace_bytes<tuned_set_policy, T>(n), parts.used};
}

namespace detail {

/// Takes the second of two counts, and writes their sum.
template <class Out>
struct sum_of_counts {
  std::int64_t* counts;
  Out out;

  __device__ const sum_of_counts& operator*() const { return *this; }
  __device__ void operator=(std::int64_t second) const {
    counts[1] = second;
    detail::assign(*out, counts[0] + second);
  }
};

/// Merges what each of two sorted arrays has more than the other.
template <class A, class B, class Out, class CountOut, class Less>
outcome merge_differences(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count, const Out& out,
                          const CountOut& count_out, const Less& less, const options& how) {
  using T = input_value<A>;
  [[maybe_unused]] const refuse_stream<Less> checked{};
  static_assert(output_for<CountOut, std::int64_t>,
                "gpuprim::set_symmetric_difference: the output of the count must take an integer");
  if (a_count < 0 || b_count < 0) return {cudaErrorInvalidValue, "the count is negative"};
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)() / std::int64_t(4 * sizeof(T)) - load_bytes;
  if (a_count > most || b_count > most) return {cudaErrorInvalidValue, "the count is too large"};
  const auto to = detail::unwrap_contiguous(out);
  const auto count = detail::unwrap_contiguous(count_out);
  const auto first = detail::unwrap_contiguous(a);
  const auto second = detail::unwrap_contiguous(b);
  if (const outcome bad = detail::check_results(to, a_count + b_count); bad.failed()) return bad;
  if (const outcome bad = detail::check_count_output(count); bad.failed()) return bad;
  if (detail::begins_within(to, first, a_count) || detail::begins_within(to, second, b_count)) {
    return {cudaErrorInvalidValue, "an output overlaps an input"};
  }
  if (detail::overlap(count, 1, first, a_count) || detail::overlap(count, 1, second, b_count)) {
    return {cudaErrorInvalidValue, "the count lies in the input"};
  }
  memory_parts parts;
  (void)two_differences<T>::lay_over(parts, a_count + b_count);
  memory_lease lease({0, parts.used}, how);
  if (lease.error()) return lease.refusal();
  parts.memory = lease.scratch();
  const auto rest = two_differences<T>::lay_over(parts, a_count + b_count);
  constexpr set_operation difference = set_operation::make_difference;
  T* const of_b = rest.elements + a_count;
  outcome done = detail::run_set_operation<tuned_set_policy, difference>(a, a_count, b, b_count, rest.elements,
                                                                         rest.counts, less, how);
  if (!done.failed()) {
    const sum_of_counts<std::remove_const_t<decltype(count)>> sum{rest.counts, count};
    done = detail::run_set_operation<tuned_set_policy, difference>(b, b_count, a, a_count, of_b, sum, less, how);
  }
  if (!done.failed()) {
    const element_count of_first(rest.counts, a_count), of_second(rest.counts + 1, b_count);
    done = detail::merge_keys<tuned_merge_policy, tuned_long_merge_policy>(rest.elements, of_first, of_b, of_second,
                                                                           out, less, how);
  }
  return lease.finish(done);
}

}  // namespace detail

/// Writes the elements of two sorted arrays that are not in both, in order, and how many there are. Of elements that
/// are equal, m of a and k of b, they are the last m - k of a or the last k - m of b.
///
/// @pre   as set_union; `out`: room for a_count + b_count elements, apart from the inputs.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept among equal elements.
/// @cost  two differences, and a merge of as many elements as they have: each element is read twice, and what is left
///        is moved twice. Memory: `set_symmetric_difference_workspace_size<T>(a_count + b_count)`.
/// @return as set_union.
/// @source std::set_symmetric_difference.
/// @example examples/library/67_merge.cu
template <class A, class B, class Out, class CountOut, class Less = detail::comes_before>
[[nodiscard]] cudaError_t set_symmetric_difference(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                   CountOut count, Less less = {}, const options& how = {}) {
  return detail::merge_differences(a, a_count, b, b_count, out, count, less, how).report();
}
/// As above, in the order of `<`.
template <class A, class B, class Out, class CountOut>
[[nodiscard]] cudaError_t set_symmetric_difference(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                   CountOut count, const options& how) {
  return gpuprim::set_symmetric_difference(a, a_count, b, b_count, out, count, detail::comes_before{}, how);
}

/// Does what set_symmetric_difference does, and returns the count to the host; all else as set_union_count.
template <class A, class B, class Out, class Less = detail::comes_before>
[[nodiscard]] std::int64_t set_symmetric_difference_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                          Less less = {}, const options& how = {}) {
  return detail::count_to_host("gpuprim::set_symmetric_difference_count", how, [&](std::int64_t* count) {
    return detail::merge_differences(a, a_count, b, b_count, out, count, less, how);
  });
}
/// As above, in the order of `<`.
template <class A, class B, class Out>
[[nodiscard]] std::int64_t set_symmetric_difference_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                          const options& how) {
  return gpuprim::set_symmetric_difference_count(a, a_count, b, b_count, out, detail::comes_before{}, how);
}

}  // namespace gpuprim
