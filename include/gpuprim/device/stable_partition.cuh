// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/partition.cuh>
#include <gpuprim/device/reduce.cuh>
#include <gpuprim/device/transform_reduce.cuh>

#include <limits>

namespace gpuprim::inline v0_1_0 {

namespace detail {

/// What an element adds to a count.
template <class Predicate>
struct counted_by {
  Predicate predicate;
  template <class T>
  GPUPRIM_HOST_DEVICE std::int64_t operator()(const T& x) const { return predicate(x) ? 1 : 0; }
};

/// What is done with a launch that is only to be found possible.
struct launch_nothing {
  template <class Launch, class Pass>
  outcome operator()(Launch, const Pass&, const found_shape&) const { return {}; }
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

/// Partitions into one output and keeps the order in both parts: elements for which a predicate holds to the front, the
/// others behind them; and how many are in front.
///
/// @pre   as partition_if, but n is a number; `count`: a pointer to an integer that the device can read too.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept in both parts.
/// @cost  two launches, of which one counts: each element is read twice and written once. partition_if reads it once.
/// @return as select_if.
/// @source as select_if.
/// @example examples/65_partition.cu
template <class In, class Out, class Count, class Predicate>
[[nodiscard]] cudaError_t stable_partition_if(In in, std::int64_t n, Out out, Count* count, Predicate predicate,
                                              const options& how = {}) {
  static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                "gpuprim::stable_partition_if: the count must be an integer");
  if (n > 0 && static_cast<std::uint64_t>(n) > static_cast<std::uint64_t>((std::numeric_limits<Count>::max)())) {
    return detail::outcome{cudaErrorInvalidValue, "the number of elements does not fit the type of the count"}.report();
  }
  const auto place = [&](const auto& action) {
    return detail::partition_by<detail::rest_place::behind>(in, n, count, predicate, action, out, out);
  };
  // Nothing is written unless both launches can be made.
  if (const detail::outcome bad = place(detail::launch_nothing{}); bad.failed()) return bad.report();
  const std::int64_t bytes = stable_partition_workspace_bytes<input_value<In>>(n);
  if (n > 0 && how.workspace != nullptr && how.workspace->bytes() < bytes) {
    constexpr detail::outcome bad{cudaErrorInvalidValue,
                                  "the workspace is too small; reserve what stable_partition_workspace_bytes says"};
    return bad.report();
  }
  const cudaError_t error = gpuprim::transform_reduce(in, n, count, plus<std::int64_t>{},
                                                      detail::counted_by<Predicate>{predicate}, std::int64_t{0}, how);
  if (error != cudaSuccess || n == 0) return error;
  return place(detail::launch_chosen{how}).report();
}

}  // namespace gpuprim
