// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/comparisons.cuh>
#include <gpuprim/device/common/count_to_host.cuh>
#include <gpuprim/device/merge/merge_call.cuh>
#include <gpuprim/device/merge/set_call.cuh>
#include <gpuprim/launch/memory_lease.cuh>

namespace gpuprim::inline v0_2_0 {

/// How much memory `set_symmetric_difference_count` takes of a workspace for two arrays that have n elements together.
template <class T>
constexpr workspace_size set_symmetric_difference_workspace_size(std::int64_t n) {
  return {detail::set_workspace_bytes<tuned_set_policy, T>(n), n * std::int64_t(sizeof(T))};
}

namespace detail {

/// Merges what each of two sorted arrays has more than the other. `counts`: two numbers in memory of the host.
template <class A, class B, class Out, class Less>
outcome merge_differences(const A& a, std::int64_t a_count, const B& b, std::int64_t b_count, const Out& out,
                          std::int64_t* counts, const Less& less, const options& how) {
  using T = input_value<A>;
  if (a_count < 0 || b_count < 0) return {cudaErrorInvalidValue, "the count is negative"};
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)() / std::int64_t(2 * sizeof(T)) - load_bytes;
  if (a_count > most || b_count > most) return {cudaErrorInvalidValue, "the count is too large"};
  const auto to = detail::unwrap_contiguous(out);
  if (const outcome bad = detail::check_results(to, a_count + b_count); bad.failed()) return bad;
  if (detail::begins_within(to, detail::unwrap_contiguous(a), a_count) ||
      detail::begins_within(to, detail::unwrap_contiguous(b), b_count)) {
    return {cudaErrorInvalidValue, "an output overlaps an input"};
  }
  const std::int64_t bytes = (a_count + b_count) * std::int64_t(sizeof(T));
  return detail::with_leased_memory({0, bytes}, how, [&](void*, char* scratch) -> outcome {
    constexpr set_operation difference = set_operation::make_difference;
    T* const of_a = reinterpret_cast<T*>(scratch);
    T* const of_b = of_a + a_count;
    const auto subtract = [&](const auto& from, std::int64_t n, const auto& other, std::int64_t others, T* rest,
                              std::int64_t* count) {
      return detail::run_set_operation<tuned_set_policy, difference>(from, n, other, others, rest, count, less, how);
    };
    if (const outcome bad = subtract(a, a_count, b, b_count, of_a, counts); bad.failed()) return bad;
    if (const outcome bad = subtract(b, b_count, a, a_count, of_b, counts + 1); bad.failed()) return bad;
    if (cudaError_t e = cudaStreamSynchronize(how.stream)) return {e};
    const options apart{.stream = how.stream, .memory = how.memory};  // the workspace is full
    const outcome done = detail::merge_keys<tuned_merge_policy, tuned_long_merge_policy>(
        of_a, counts[0], of_b, counts[1], out, less, apart);
    return done.failed() ? done : outcome{cudaStreamSynchronize(how.stream)};
  });
}

}  // namespace detail

/// Writes the elements of two sorted arrays that are not in both, in order, and returns how many there are. Of elements
/// that are equal, m of a and k of b, they are the last m - k of a or the last k - m of b.
///
/// @pre   as set_union; `out`: room for a_count + b_count elements, apart from the inputs.
/// @sync  waits until all is written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order kept among equal elements.
/// @cost  two differences, a wait for their counts, and a merge: each element is read twice, and what is left is moved
///        twice. Memory: `set_symmetric_difference_workspace_size<T>(a_count + b_count)`.
/// @return the count. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source std::set_symmetric_difference.
/// @example examples/library/67_merge.cu
template <class A, class B, class Out, class Less = detail::comes_before>
[[nodiscard]] std::int64_t set_symmetric_difference_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                          Less less = {}, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_stream<Less> checked{};
  constexpr const char* call = "gpuprim::set_symmetric_difference_count";
  detail::refuse_measuring(call, how);
  detail::host_result* kept = nullptr;
  detail::throw_if_failed(call, {detail::host_result::find(2 * sizeof(std::int64_t), 0, kept)});
  auto* const counts = static_cast<std::int64_t*>(kept->memory());
  detail::throw_if_failed(call, detail::merge_differences(a, a_count, b, b_count, out, counts, less, how));
  return counts[0] + counts[1];
}
/// As above, in the order of `<`.
template <class A, class B, class Out>
[[nodiscard]] std::int64_t set_symmetric_difference_count(A a, std::int64_t a_count, B b, std::int64_t b_count, Out out,
                                                          const options& how) {
  return gpuprim::set_symmetric_difference_count(a, a_count, b, b_count, out, detail::comes_before{}, how);
}

}  // namespace gpuprim
