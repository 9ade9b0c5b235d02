// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/arguments/comparisons.cuh>
#include <gpuprim/distributed/all_reduce.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

namespace detail {

/// How many runs some neighbours make, and those at their ends, which may belong to the runs beside them.
template <class T>
struct run_part {
  uninitialized_array<T, 2> ends;
  std::int64_t runs;
};

template <class Equal>
struct join_run_parts {
  Equal equal;
  template <class T>
  __device__ run_part<T> operator()(const run_part<T>& a, const run_part<T>& b) const {
    if (a.runs == 0) return b;
    if (b.runs == 0) return a;
    run_part<T> both;
    both.ends[0] = a.ends[0];
    both.ends[1] = b.ends[1];
    both.runs = a.runs + b.runs - (equal(a.ends[1], b.ends[0]) ? 1 : 0);
    return both;
  }
};

struct single_run {
  template <class T>
  GPUPRIM_HOST_DEVICE run_part<T> operator()(const T& element) const {
    run_part<T> one;
    one.ends[0] = one.ends[1] = element;
    one.runs = 1;
    return one;
  }
};

struct runs_of_part {
  template <class T>
  GPUPRIM_HOST_DEVICE std::int64_t operator()(const run_part<T>& all) const {
    return all.runs;
  }
};

}  // namespace detail

template <class Equal, class T>
struct identity_element<detail::join_run_parts<Equal>, detail::run_part<T>> {
  GPUPRIM_HOST_DEVICE static constexpr detail::run_part<T> value() {
    detail::run_part<T> none;
    none.runs = 0;
    return none;
  }
};

namespace distributed {

/// The two memories that `count_runs` of at most n elements of type T on each of `ranks` ranks needs.
template <class T>
constexpr workspace_size count_runs_workspace_size(std::int64_t n, int ranks) {
  using part = detail::run_part<T>;
  return {detail::most_reduce_bytes<part>(n < 0 ? 0 : n),
          detail::rank_records<detail::rank_record<part>>::bytes(ranks)};
}

/// Counts the runs of equal neighbours in the elements of all ranks, and writes the number on every rank. A run may go
/// from one rank to the next, across ranks without elements too.
///
/// @pre   as all_reduce; `out`: one integer. `equal(a, b)` says whether neighbours a and b belong to one run.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept: of the elements, of the ranks.
/// @cost  one launch over the rank's elements, an ncclAllGather of some bytes a rank, and a launch of one warp. A
///        `workspace` of `count_runs_workspace_size<T>(n, ranks)`, or five more stream operations.
/// @return as all_reduce; 0 runs where no rank has elements.
/// @source as gpuprim::run_length_encode.
/// @example examples/distributed/one_process.cu
template <class In, class Out, class Equal>
[[nodiscard]] cudaError_t count_runs(ncclComm_t comm, In in, std::int64_t n, Out out, Equal equal,
                                     const options& how = {}) {
  [[maybe_unused]] const detail::refuse_options<Equal> checked{};
  using part = detail::run_part<input_value<In>>;
  using join = detail::join_run_parts<Equal>;
  const auto to = detail::unwrap_contiguous(out);
  const detail::reduce_query<part, join, detail::transformed<detail::single_run>> query{join{equal}, {}, {}};
  const detail::finished_output result{to, detail::runs_of_part{}};
  return detail::report_call(detail::reduce_across(comm, in, n, result, query, detail::every_rank{}, how), how);
}
/// Of elements that are equal by ==.
template <class In, class Out>
[[nodiscard]] cudaError_t count_runs(ncclComm_t comm, In in, std::int64_t n, Out out, const options& how = {}) {
  return distributed::count_runs(comm, in, n, out, detail::equal_keys{}, how);
}

}  // namespace distributed

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
