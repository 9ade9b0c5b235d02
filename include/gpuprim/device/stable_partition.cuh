// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/partition.cuh>
#include <gpuprim/device/reduce.cuh>
#include <gpuprim/device/transform_reduce.cuh>

#include <limits>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// What an element adds to a count.
template <class Predicate>
struct counted_by {
  Predicate predicate;
  template <class T> GPUPRIM_HOST_DEVICE std::int64_t operator()(const T& x) const { return predicate(x) ? 1 : 0; }
};

}  // namespace detail

/// Bytes of workspace that `stable_partition_if` of `n` elements of type T needs.
template <class T>
constexpr std::int64_t stable_partition_workspace_bytes(std::int64_t n) {
  constexpr int bytes = int(sizeof(T));
  using launches = detail::select_launches<tuned_select_policies, bytes, bytes, 1>;
  const std::int64_t count_bytes = reduce_workspace_bytes<std::int64_t>(n), select_bytes = launches::workspace_bytes(n);
  return count_bytes < select_bytes ? select_bytes : count_bytes;
}

namespace detail {

template <class In, class Out, class Count, class Predicate>
outcome stable_partition(const In& in, std::int64_t n, const Out& out, Count* count, const Predicate& predicate,
                         const options& how) {
  static_assert(selectable_input<In>,
                "gpuprim::stable_partition_if: the input must be a pointer or a random-access "
                "iterator to elements that are trivially copyable and assignable");
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::stable_partition_if: the output must take elements");
  static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                "gpuprim::stable_partition_if: the count must be an integer");
  static_assert(is_predicate_on<Predicate, input_value<In>>,
                "gpuprim::stable_partition_if: the predicate's const operator() must take an element and return a "
                "bool");
  if (n > 0 && static_cast<std::uint64_t>(n) > static_cast<std::uint64_t>((std::numeric_limits<Count>::max)())) {
    return {cudaErrorInvalidValue, "the number of elements does not fit the type of the count"};
  }
  const auto place = [&](const auto& to) {
    return detail::partition_chosen<rest_place::behind>(in, n, count, predicate, to, out, out);
  };
  // Nothing is written unless both launches can be made.
  workspace_size unused;
  if (const outcome bad = place(options{.measured = &unused}); bad.failed()) return bad;
  const std::int64_t bytes = stable_partition_workspace_bytes<input_value<In>>(n);
  if (detail::measure(how, bytes)) return {};
  if (n > 0 && how.workspace != nullptr && how.workspace->bytes() < bytes) return small_workspace;
  const cudaError_t error = gpuprim::transform_reduce(in, n, count, plus<std::int64_t>{},
                                                      counted_by<Predicate>{predicate}, std::int64_t{0}, how);
  if (error != cudaSuccess) return {error, kept_fault()};
  return n == 0 ? outcome{} : place(how);
}

}  // namespace detail

/// Partitions into one output and keeps the order in both parts: elements for which a predicate holds to the front, the
/// others behind them; and how many are in front.
///
/// @pre   as partition_if, but n is a number; `count`: a pointer to an integer that the device can read too.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept in both parts.
/// @cost  two launches, of which one counts: each element is read twice and written once. partition_if reads it once.
/// @return as select_if.
/// @source as select_if.
/// @example examples/library/65_partition.cu
template <class In, class Out, class Count, class Predicate>
[[nodiscard]] cudaError_t stable_partition_if(In in, std::int64_t n, Out out, Count* count, Predicate predicate,
                                              const options& how = {}) {
  return detail::stable_partition(in, n, out, count, predicate, how).report();
}

/// Does what stable_partition_if does, and returns the count to the host.
///
/// @pre   as stable_partition_if.
/// @sync  waits until all is written, and so for all earlier work in `how.stream`; cannot be captured.
/// @order kept in both parts.
/// @cost  stable_partition_if and the wait; the kernels write the count to host memory that the calling thread keeps,
///        and read it there.
/// @return how many are in front. @throws gpuprim::cuda_error with a sentence that names the fault.
/// @source as select_if.
/// @example examples/library/65_partition.cu
template <class In, class Out, class Predicate>
[[nodiscard]] std::int64_t stable_partition_if_count(In in, std::int64_t n, Out out, Predicate predicate,
                                                     const options& how = {}) {
  return detail::count_to_host("gpuprim::stable_partition_if_count", how, [&](std::int64_t* count) {
    return detail::stable_partition(in, n, out, count, predicate, how);
  });
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
