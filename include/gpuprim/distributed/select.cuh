// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/select.cuh>
#include <gpuprim/distributed/records.cuh>

namespace gpuprim::inline v0_2_0 {

namespace distributed {

/// Where what a rank has selected stands among what all ranks have.
struct selected_part {
  /// Elements of this rank.
  std::int64_t count;
  /// Those of the ranks before it.
  std::int64_t offset;
  /// Those of all ranks.
  std::int64_t total;
};

}  // namespace distributed

namespace detail {

/// Writes where a rank's part stands.
template <class Part = distributed::selected_part>
__global__ void __launch_bounds__(warp_size)
    find_part_kernel(const std::int64_t* counts, int rank, int ranks, Part* part) {
  ptx::wait_for_previous_grid();
  const plus<std::int64_t> add;
  const std::int64_t before = rank > 0 ? detail::join_records(counts, rank, add) : 0;
  const std::int64_t all = detail::join_records(counts, ranks, add);
  if (threadIdx.x == 0) *part = {counts[rank], before, all};
}

/// A local pass that writes how many elements it keeps to the pointer that it is given, and where these stand.
template <class Local>
outcome find_part(ncclComm_t comm, distributed::selected_part* part, const distributed::options& how,
                  const Local& keep) {
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  if (const outcome bad = detail::check_output(part); bad.failed()) return bad;
  using records = rank_records<std::int64_t>;
  const options own{how.stream, how.workspace, how.memory};
  const auto local = [=](void* memory) { return keep(records::of(memory) + place.rank, own); };
  const auto exchange = [=](void* memory, int) { return records::gather(memory, place.rank, comm, own.stream); };
  const auto follow = [=](void* memory, int) -> outcome {
    constexpr auto kernel = &find_part_kernel<>;
    return detail::launch_warp<kernel>(own.stream, records::of(memory), place.rank, place.ranks, part);
  };
  return detail::call_on_rank(comm, records::bytes(place.ranks), how, local, exchange, follow);
}

}  // namespace detail

namespace distributed {

/// The two memories that a select of at most n elements on each of `ranks` ranks needs.
template <class T>
constexpr workspace_size select_workspace_size(std::int64_t n, int ranks) {
  return {select_workspace_bytes<T>(n), detail::rank_records<std::int64_t>::bytes(ranks)};
}

/// Selects the elements of all ranks for which the predicate holds. Each rank keeps its own in `out`, in order, and
/// `*part` says where they stand among those of all ranks.
///
/// @pre   every rank of `comm` makes the same calls in the same order. The current device is the communicator's. `in`,
///        `out`, `predicate`: as gpuprim::select_if; `part`: one that the device can write.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept: of the elements, of the ranks.
/// @cost  gpuprim::select_if of the rank's elements, an ncclAllGather of 8 bytes a rank, and a launch of one warp. A
///        `workspace` of `select_workspace_size<T>(n, ranks)`, or more stream operations.
/// @return as all_reduce and gpuprim::select_if.
/// @source as gpuprim::select_if.
/// @example examples/distributed/one_process.cu
template <class In, class Out, class Predicate>
[[nodiscard]] cudaError_t select_if(ncclComm_t comm, In in, std::int64_t n, Out out, selected_part* part,
                                    Predicate predicate, const options& how = {}) {
  const auto keep = [=](std::int64_t* count, const gpuprim::options& own) -> detail::outcome {
    if (n > 0 && detail::overlap(part, 1, detail::unwrap_contiguous(in), n)) {
      return {cudaErrorInvalidValue, "the part lies in the input"};
    }
    return detail::outcome_of(gpuprim::select_if(in, n, out, count, predicate, own));
  };
  return detail::report_call(detail::find_part(comm, part, how, keep), how);
}

}  // namespace distributed

}  // namespace gpuprim
