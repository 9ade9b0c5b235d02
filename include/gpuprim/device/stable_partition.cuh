// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/partition.cuh>
#include <gpuprim/device/transform_reduce.cuh>

namespace gpuprim::inline v0_1_0 {

namespace detail {

/// What an element adds to a count.
template <class Predicate>
struct counted_by {
  Predicate predicate;
  template <class T>
  GPUPRIM_HOST_DEVICE std::int64_t operator()(const T& x) const { return predicate(x) ? 1 : 0; }
};

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
/// @example examples/65_partition.cu
template <class In, class Out, class Count, class Predicate>
[[nodiscard]] cudaError_t stable_partition_if(In in, std::int64_t n, Out out, Count* count, Predicate predicate,
                                              const options& how = {}) {
  static_assert(std::is_integral_v<Count>, "gpuprim::stable_partition_if: the count must be an integer");
  const auto place = [&](const auto& action) {
    return detail::partition_by<detail::rest_place::behind>(in, n, count, predicate, action, out, out);
  };
  // Nothing is written unless both launches can be made.
  launch_plan plan;
  if (const detail::outcome bad = place(detail::describe_chosen{plan}); bad.failed()) return bad.report();
  constexpr int bytes = int(sizeof(input_value<In>));
  using launches = detail::select_launches<tuned_select_policies, bytes, bytes, 1>;
  if (how.workspace != nullptr && how.workspace->bytes() < launches::workspace_bytes(n)) {
    constexpr detail::outcome bad{cudaErrorInvalidValue,
                                  "the workspace is too small; reserve what select_workspace_bytes says"};
    return bad.report();
  }
  const cudaError_t error = transform_reduce(in, n, count, plus<std::int64_t>{},
                                             detail::counted_by<Predicate>{predicate}, std::int64_t{0}, how);
  if (error != cudaSuccess || n == 0) return error;
  return place(detail::launch_chosen{how}).report();
}

}  // namespace gpuprim
