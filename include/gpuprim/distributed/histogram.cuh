// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/histogram.cuh>
#include <gpuprim/distributed/group.cuh>

namespace gpuprim::inline v0_2_0 {

namespace distributed {

/// The two memories that a histogram needs, on any number of ranks.
inline constexpr workspace_size histogram_workspace_size = histogram_workspace_bytes;

/// Counts the samples of all ranks in bins: on every rank `counts[i]` becomes the number of those in bin i.
///
/// @pre   every rank of `comm` makes the same calls in the same order, with the same bins and type of counts. The
///        current device is the communicator's. `in`, `counts`, `bins`: as gpuprim::histogram; `counts` is a pointer.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order does not matter; the result is the same in every run, and on every rank.
/// @cost  gpuprim::histogram of the rank's samples, and one ncclAllReduce of the counts.
/// @return as all_reduce and gpuprim::histogram.
/// @source as gpuprim::histogram.
/// @example examples/distributed/one_process.cu
template <class In, class Counter, class Bins>
[[nodiscard]] cudaError_t histogram(ncclComm_t comm, In in, std::int64_t n, Counter* counts, Bins bins,
                                    const options& how = {}) {
  static_assert(is_integer<Counter> && (sizeof(Counter) == 4 || sizeof(Counter) == 8),
                "gpuprim::distributed::histogram: the counts must be a pointer to integers of 32 or 64 bits");
  detail::rank_place place;
  if (const detail::outcome bad = detail::find_place(comm, place, how.seconds); bad.failed())
    return detail::report_call(bad, how);
  const gpuprim::options own{how.stream, how.workspace, how.memory};
  const auto local = [=](void*) { return detail::outcome_of(gpuprim::histogram(in, n, counts, bins, own)); };
  const auto exchange = [=](void*, int) {
    constexpr ncclDataType_t type = sizeof(Counter) == 4 ? ncclUint32 : ncclUint64;
    return ncclAllReduce(counts, counts, std::size_t(bins.count), type, ncclSum, comm, own.stream);
  };
  const auto follow = [](void*, int) { return detail::outcome{}; };
  return detail::report_call(detail::call_on_rank(comm, 0, how, local, exchange, follow), how);
}

}  // namespace distributed

}  // namespace gpuprim
