// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Runs of equal neighbours that go from one rank to the next.
//
// Each rank finds the runs of its own elements, as if there were no others. A run that goes on belongs to the rank on
// which it ends, because then no result has to move: a rank leaves its last result out if the next rank with elements
// begins with an equal one, and joins to its first result what earlier ranks have of that run.
#include <gpuprim/distributed/select.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The runs of neighbours, on one rank or on several: the first and the last element, and of the last run its first
/// element and its joined values. Acc is `nothing` where there are no values.
template <class Key, class Acc>
struct alignas(16) run_record {
  uninitialized_array<Key, 1> first, last, begin;
  uninitialized_array<Acc, 1> joined;
  std::int64_t runs;

  __device__ static run_record none() {
    run_record record;
    record.runs = 0;
    return record;
  }
};

template <class Equal, class Op>
struct join_run_records {
  Equal equal;
  Op op;

  /// Whether the last run of `a` goes on in `b`.
  template <class Record>
  __device__ bool goes_on(const Record& a, const Record& b) const {
    return a.runs > 0 && b.runs > 0 && equal(a.last[0], b.first[0]);
  }
  template <class Key, class Acc>
  __device__ run_record<Key, Acc> operator()(const run_record<Key, Acc>& a, const run_record<Key, Acc>& b) const {
    if (a.runs == 0) return b;
    if (b.runs == 0) return a;
    const bool is_one_run = goes_on(a, b);
    run_record<Key, Acc> both = b;
    both.first[0] = a.first[0];
    both.runs = a.runs + b.runs - (is_one_run ? 1 : 0);
    if (is_one_run && b.runs == 1) {
      both.begin[0] = a.begin[0];
      if constexpr (!std::is_same_v<Acc, nothing>) both.joined[0] = op(a.joined[0], b.joined[0]);
    }
    return both;
  }
};

/// Completes a rank's record, whose number of runs the local pass has written. In place the pass has moved the first
/// elements of runs to the front, and the last element is still where it was, or is one of these.
template <class In, class Key, class Acc>
__global__ void note_runs_kernel(In in, std::int64_t n, const Key* firsts, const Acc* joined,
                                 run_record<Key, Acc>* record) {
  const std::int64_t runs = record->runs;
  if (runs == 0) return;
  record->first[0] = firsts[0];
  record->last[0] = in[n - 1];
  record->begin[0] = firsts[runs - 1];
  if constexpr (!std::is_same_v<Acc, nothing>) record->joined[0] = joined[runs - 1];
}

/// Completes the first result of a rank, and writes where its results stand among all.
template <class Key, class Acc, class Join>
__global__ void __launch_bounds__(warp_size)
    finish_runs_kernel(const run_record<Key, Acc>* records, int rank, int ranks, Join join, Key* firsts, Acc* joined,
                       distributed::selected_part* part) {
  using record = run_record<Key, Acc>;
  ptx::wait_for_previous_grid();
  const record own = records[rank];
  const record before = rank > 0 ? detail::join_records(records, rank, join) : record::none();
  const int later = ranks - rank - 1;
  const record behind = later > 0 ? detail::join_records(records + rank + 1, later, join) : record::none();
  if (threadIdx.x > 0) return;
  const record from_here = join(own, behind), up_to_here = join(before, own);
  const std::int64_t offset = before.runs - (join.goes_on(before, from_here) ? 1 : 0);
  const std::int64_t end = up_to_here.runs - (join.goes_on(up_to_here, behind) ? 1 : 0);
  *part = {end - offset, offset, join(before, from_here).runs};
  if (!join.goes_on(before, own)) return;
  firsts[0] = before.begin[0];
  if constexpr (!std::is_same_v<Acc, nothing>) joined[0] = join.op(before.joined[0], joined[0]);
}

/// Checks that a rank's part does not lie in an input.
template <class In>
outcome check_part_apart(const distributed::selected_part* part, const In& in, std::int64_t n) {
  if (n > 0 && detail::overlap(part, 1, detail::unwrap_contiguous(in), n)) {
    return {cudaErrorInvalidValue, "the part lies in the input"};
  }
  return {};
}

/// Finds the runs of all ranks. `pass.run(runs, options)` makes the local pass over `pass.keys`, of which there are
/// `pass.n`, and writes their number to `runs`, and the results to `pass.firsts` and `joined`.
template <class Pass, class Acc, class Join>
outcome find_runs(ncclComm_t comm, const Pass& pass, Acc* joined, distributed::selected_part* part, const Join& join,
                  const distributed::options& how) {
  const auto raw = detail::unwrap_contiguous(pass.keys);
  using In = std::remove_const_t<decltype(raw)>;
  using Key = input_value<In>;
  using records = rank_records<run_record<Key, Acc>>;
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  if (const outcome bad = detail::check_output(part); bad.failed()) return bad;
  if (const outcome bad = detail::check_part_apart(part, raw, pass.n); bad.failed()) return bad;
  const options own{how.stream, how.workspace, how.memory};
  const auto local = [=](void* memory) -> outcome {
    run_record<Key, Acc>* const record = records::of(memory) + place.rank;
    if (const outcome bad = pass.run(&record->runs, own); bad.failed()) return bad;
    return {gpuprim::launch(start::in_order, &note_runs_kernel<In, Key, Acc>, launch_shape{1, 1}, own.stream, raw,
                            pass.n, pass.firsts, joined, record)};
  };
  const auto exchange = [=](void* memory, int) { return records::gather(memory, place.rank, comm, own.stream); };
  const auto follow = [=](void* memory, int) -> outcome {
    constexpr auto kernel = &finish_runs_kernel<Key, Acc, Join>;
    return detail::launch_warp<kernel>(own.stream, records::of(memory), place.rank, place.ranks, join, pass.firsts,
                                       joined, part);
  };
  return detail::call_on_rank(comm, records::bytes(place.ranks), how, local, exchange, follow);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
