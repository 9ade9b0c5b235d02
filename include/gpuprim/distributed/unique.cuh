// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/unique.cuh>
#include <gpuprim/distributed/run_records.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// The local pass.
template <class In, class Equal>
struct unique_pass {
  In keys;
  std::int64_t n;
  input_value<In>* firsts;
  Equal equal;

  outcome run(std::int64_t* runs, const options& own) const {
    return detail::outcome_of(gpuprim::unique(keys, n, firsts, runs, equal, own));
  }
};

template <class In, class Out, class Equal>
outcome unique_across(ncclComm_t comm, const In& in, std::int64_t n, const Out& out, distributed::selected_part* part,
                      const Equal& equal, const distributed::options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::distributed::unique: the input must be a pointer or a random-access iterator");
  static_assert(std::is_same_v<Out, input_value<In>*>,
                "gpuprim::distributed::unique: the output must be an array of elements of the input's type");
  [[maybe_unused]] const refuse_options<Equal> checked{};
  const auto compare = detail::comparing_in_call(equal);
  const join_run_records<std::remove_const_t<decltype(compare)>, nothing> join{compare, {}};
  nothing* const none = nullptr;
  return detail::find_runs(comm, unique_pass<In, Equal>{in, n, out, equal}, none, part, join, how);
}

}  // namespace detail

namespace distributed {

/// The two memories that `unique` of at most n elements on each of `ranks` ranks needs.
template <class T>
constexpr workspace_size unique_workspace_size(std::int64_t n, int ranks) {
  return {select_workspace_bytes<T>(n), detail::rank_records<detail::run_record<T, detail::nothing>>::bytes(ranks)};
}

/// Writes the first element of each run of equal neighbours among the elements of all ranks. A run may go over several
/// ranks, across ranks without elements too: its element is written by the rank on which it ends. Each rank keeps those
/// of its own in `out`, in order, and `*part` says where they stand among those of all ranks.
///
/// @pre   as select_if; `out`: a pointer to memory for as many elements as the rank's own have runs; it may be the
///        input itself, and must not overlap it otherwise. `equal(a, b)` says whether neighbours a and b belong to one
///        run; a == b where it is left out. All ranks give the same.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept: of the elements, of the ranks.
/// @cost  gpuprim::unique of the rank's elements, a launch of one thread, an ncclAllGather of some bytes a rank, and a
///        launch of one warp. A `workspace` of `unique_workspace_size<T>(n, ranks)`, or more stream operations.
/// @return as all_reduce and gpuprim::unique. What `out` has behind the rank's elements is unspecified.
/// @source as gpuprim::unique.
/// @example examples/distributed/segment_ranks.cu
template <class In, class Out, class Equal>
[[nodiscard]] cudaError_t unique(ncclComm_t comm, In in, std::int64_t n, Out out, selected_part* part, Equal equal,
                                 const options& how = {}) {
  const auto to = detail::unwrap_contiguous(out);
  return detail::report_call(detail::unique_across(comm, in, n, to, part, equal, how), how);
}
/// Of elements that are equal by ==.
template <class In, class Out>
[[nodiscard]] cudaError_t unique(ncclComm_t comm, In in, std::int64_t n, Out out, selected_part* part,
                                 const options& how = {}) {
  return distributed::unique(comm, in, n, out, part, detail::equal_keys{}, how);
}

}  // namespace distributed

}  // namespace gpuprim
