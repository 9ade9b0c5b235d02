// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/reduce_by_key.cuh>
#include <gpuprim/distributed/run_records.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// The local pass.
template <class Keys, class Values, class Acc, class Op, class Equal>
struct reduce_by_key_pass {
  Keys keys;
  Values values;
  std::int64_t n;
  input_value<Keys>* firsts;
  Acc* aggregates;
  Op op;
  Equal equal;

  outcome run(std::int64_t* runs, const options& own) const {
    return detail::outcome_of(gpuprim::reduce_by_key<Acc>(keys, values, n, firsts, aggregates, runs, op, equal, own));
  }
};

template <class Keys, class Values, class Acc, class Op, class Equal>
outcome reduce_by_key_across(ncclComm_t comm, const reduce_by_key_pass<Keys, Values, Acc, Op, Equal>& pass,
                             distributed::selected_part* part, const distributed::options& how) {
  [[maybe_unused]] const refuse_options<Equal> checked{};
  if (const outcome bad = detail::check_part_apart(part, pass.values, pass.n); bad.failed()) return bad;
  const auto compare = detail::comparing_in_call(pass.equal);
  const auto join_values = detail::joining<Acc>(pass.op);
  using join_type =
      join_run_records<std::remove_const_t<decltype(compare)>, std::remove_const_t<decltype(join_values)>>;
  return detail::find_runs(comm, pass, pass.aggregates, part, join_type{compare, join_values}, how);
}

}  // namespace detail

namespace distributed {

/// The two memories that `reduce_by_key` of at most n keys and values on each of `ranks` ranks needs. `Acc`: the type
/// of the joined values.
template <class Key, class Value, class Acc>
constexpr workspace_size reduce_by_key_workspace_size(std::int64_t n, int ranks) {
  return {reduce_by_key_workspace_bytes<Key, Value, Acc>(n),
          detail::rank_records<detail::run_record<Key, Acc>>::bytes(ranks)};
}

/// Joins the values of each run of equal neighbours among the keys of all ranks. A run may go over several ranks,
/// across ranks without keys too: the rank on which it ends writes its first key and its joined values. Each rank keeps
/// the results of its own runs in `unique_out` and `aggregates_out`, in order, and `*part` says where they stand among
/// those of all ranks.
///
/// @pre   as select_if; `keys`, `values`, `op`, `equal`: as gpuprim::reduce_by_key, the same on all ranks. `unique_out`
///        and `aggregates_out`: pointers to memory for as many keys and joined values as the rank's own keys have runs,
///        apart from the inputs and from each other.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept: of the values, of the ranks. The same bits in every run with the same parts. Values are joined in the
///        type that `aggregates_out` points to.
/// @cost  gpuprim::reduce_by_key of the rank's elements, a launch of one thread, an ncclAllGather of some bytes a rank,
///        and a launch of one warp. A `workspace` of `reduce_by_key_workspace_size<Key, Value, Acc>(n, ranks)`, or more
///        stream operations.
/// @return as all_reduce and gpuprim::reduce_by_key. What the outputs have behind the rank's results is unspecified.
/// @source as gpuprim::reduce_by_key.
/// @example examples/distributed/segment_ranks.cu
template <class Keys, class Values, class UniqueOut, class AggregatesOut, class Op, class Equal>
[[nodiscard]] cudaError_t reduce_by_key(ncclComm_t comm, Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, selected_part* part, Op op, Equal equal,
                                        const options& how = {}) {
  static_assert(random_access_input<Keys> && random_access_input<Values>,
                "gpuprim::distributed::reduce_by_key: the keys and the values must be pointers or random-access "
                "iterators");
  const auto firsts = detail::unwrap_contiguous(unique_out);
  const auto aggregates = detail::unwrap_contiguous(aggregates_out);
  static_assert(std::is_same_v<decltype(firsts), input_value<Keys>* const>,
                "gpuprim::distributed::reduce_by_key: the first output must be an array of keys");
  static_assert(std::is_pointer_v<std::remove_const_t<decltype(aggregates)>>,
                "gpuprim::distributed::reduce_by_key: the second output must be an array of the joined values");
  using Acc = std::remove_pointer_t<std::remove_const_t<decltype(aggregates)>>;
  const detail::reduce_by_key_pass<Keys, Values, Acc, Op, Equal> pass{keys, values, n, firsts, aggregates, op, equal};
  return detail::report_call(detail::reduce_by_key_across(comm, pass, part, how), how);
}
/// Of keys that are equal by ==.
template <class Keys, class Values, class UniqueOut, class AggregatesOut, class Op>
[[nodiscard]] cudaError_t reduce_by_key(ncclComm_t comm, Keys keys, Values values, std::int64_t n, UniqueOut unique_out,
                                        AggregatesOut aggregates_out, selected_part* part, Op op,
                                        const options& how = {}) {
  return distributed::reduce_by_key(comm, keys, values, n, unique_out, aggregates_out, part, op, detail::equal_keys{},
                                    how);
}

}  // namespace distributed

}  // namespace gpuprim
