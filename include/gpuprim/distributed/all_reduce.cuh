// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/distributed/across.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Who gets the result.
struct every_rank {
  static constexpr bool has(int) { return true; }
};
struct one_rank {
  int root;
  constexpr bool has(int rank) const { return rank == root; }
};

inline constexpr int no_nccl_operator = -1;

/// The ncclRedOp_t that joins as ours does, where there is one. Of floats it is not the least or the greatest, which
/// NaN makes different.
template <class Op, class Acc>
constexpr int find_nccl_operator() {
  if (!nccl_type<Acc>::is_known || !is_library_operator<Op>) return no_nccl_operator;
  if (is_from<Op, plus>) return ncclSum;
  if (is_from<Op, multiplies>) return ncclProd;
  if (is_from<Op, minimum> && is_integer<Acc>) return ncclMin;
  if (is_from<Op, maximum> && is_integer<Acc>) return ncclMax;
  return no_nccl_operator;
}
template <class Join, class Acc>
inline constexpr int nccl_operator = no_nccl_operator;
template <class Op, class Acc>
inline constexpr int nccl_operator<join_results<Op>, Acc> = find_nccl_operator<Op, Acc>();

/// The local pass, with its result to `out`.
template <class In, class Query, class Out>
outcome reduce_part(const In& in, std::int64_t n, const Query& query, int rank, const Out& out, const options& how) {
  return detail::with_input<array_form::grouped>(in, [&](const auto& array) -> outcome {
    if (const outcome bad = detail::check_input(array, n); bad.failed()) return bad;
    const auto part = detail::over_rank(query, array, n, rank).local;
    using Acc = typename std::remove_cvref_t<decltype(part)>::accumulator;
    if (const outcome bad = detail::check_query<Acc>(query); bad.failed()) return bad;
    const reduce_start<Acc> from{part.init, how};
    return run_tuned<Acc>(projected_input(array, part.project), n, finished_output{out, part.finish}, part.op, from);
  });
}

/// Reduces the parts of all ranks.
template <class In, class Out, class Query, class To>
outcome reduce_across(ncclComm_t comm, const In& in, std::int64_t n, const Out& out, const Query& query, const To& to,
                      const distributed::options& how) {
  static_assert(random_access_input<In>,
                "gpuprim::distributed: the input must be a pointer or a random-access iterator");
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  const auto result = detail::unwrap_contiguous(out);
  if (to.has(place.rank)) {
    if (const outcome bad = detail::check_output(result); bad.failed()) return bad;
  }
  const auto all = detail::over_rank(query, in, n, place.rank);
  using Result = typename std::remove_cvref_t<decltype(all)>::result;
  using Join = std::remove_cvref_t<decltype(all.join)>;
  using Place = std::remove_const_t<decltype(result)>;
  using Finished = std::remove_cvref_t<decltype(all.finish(std::declval<const Result&>()))>;
  static_assert(output_for<Place, Finished>,
                "gpuprim::distributed: the output must take a value of the result's type; where a rank has none, it is "
                "a null pointer of that type");
  constexpr int op = nccl_operator<Join, Result>;
  constexpr bool is_for_nccl = op != no_nccl_operator && std::is_same_v<Place, Result*>;
  const options own{how.stream, how.workspace, how.memory};
  if constexpr (is_for_nccl) {
    const bool is_alone = place.ranks == 1;
    const auto local = [=](void* memory) {
      return detail::reduce_part(in, n, query, place.rank, is_alone ? result : static_cast<Result*>(memory), own);
    };
    const auto exchange = [=](void* memory, int) {
      if (is_alone) return ncclSuccess;
      constexpr ncclDataType_t type = nccl_type<Result>::value;
      if constexpr (std::is_same_v<To, every_rank>)
        return ncclAllReduce(memory, result, 1, type, ncclRedOp_t(op), comm, own.stream);
      else return ncclReduce(memory, result, 1, type, ncclRedOp_t(op), to.root, comm, own.stream);
    };
    const std::int64_t scratch_bytes = is_alone ? 0 : sizeof(Result);
    return detail::call_on_rank(comm, scratch_bytes, how, local, exchange, [](void*, int) { return outcome{}; });
  } else {
    using records = rank_records<rank_record<Result>>;
    const auto local = [=](void* memory) {
      const record_output<Result> record{records::of(memory) + place.rank, n};
      return detail::reduce_part(in, n, query, place.rank, record, own);
    };
    const auto exchange = [=](void* memory, int) { return records::gather(memory, place.rank, comm, own.stream); };
    const auto follow = [=](void* memory, int) -> outcome {
      if (!to.has(place.rank)) return {};
      using Finish = std::remove_cvref_t<decltype(all.finish)>;
      constexpr auto kernel = &fold_records_kernel<Result, join_by_rank<Join>, Finish, Place>;
      return detail::launch_warp<kernel>(own.stream, records::of(memory), place.ranks, join_by_rank<Join>{all.join},
                                         all.finish, result);
    };
    return detail::call_on_rank(comm, records::bytes(place.ranks), how, local, exchange, follow);
  }
}

/// Reduces them to one rank.
template <class In, class Out, class Query>
outcome reduce_to_rank(ncclComm_t comm, int root, const In& in, std::int64_t n, const Out& out, const Query& query,
                       const distributed::options& how) {
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  if (root < 0 || root >= place.ranks) {
    return {cudaErrorInvalidValue, "the root is no rank of the communicator"};
  }
  return detail::reduce_across(comm, in, n, out, query, one_rank{root}, how);
}

template <class Query, class In>
constexpr workspace_size reduce_across_size(std::int64_t n, int ranks) {
  using all = decltype(detail::over_rank(std::declval<const Query&>(), std::declval<const In&>(), std::int64_t{}, 0));
  using local = decltype(std::declval<all>().local);
  return {most_reduce_bytes<typename local::accumulator>(n < 0 ? 0 : n),
          rank_records<rank_record<typename all::result>>::bytes(ranks)};
}

}  // namespace detail

namespace distributed {

/// The two memories that `reduce` and `all_reduce` of at most n elements of type T on each of `ranks` ranks need.
template <class T, class QueryOrOp>
constexpr workspace_size reduce_workspace_size(std::int64_t n, int ranks, const QueryOrOp&) {
  using query = decltype(detail::as_query(std::declval<QueryOrOp>()));
  return detail::reduce_across_size<query, const T*>(n, ranks);
}
/// Those of a reduction from an initial value. Of `transform_reduce` and `transform_all_reduce`, T is what the
/// transform returns.
template <class T, class Acc = void, class Op, class Init>
constexpr workspace_size reduce_workspace_size(std::int64_t n, int ranks, const Op&, const Init&) {
  return detail::reduce_across_size<detail::reduce_query<Acc, Op, detail::converted, Init>, const T*>(n, ranks);
}

/// Computes one or several reductions of the elements of all ranks, in the order of the ranks, and writes the result on
/// every rank. `query`: an operator that has an identity, or what `fused`, `transformed`, the extrema, the moments and
/// statistics, the norms and `accurate_sum` are. Positions count from the first element of rank 0.
///
/// @pre   every rank of `comm` makes the same calls in the same order, with the same types and operators, and with
///        any n of its own, 0 too. The current device is the communicator's. `in`, `out`: as reduce_into. The call is
///        not between ncclGroupStart and ncclGroupEnd: a distributed::group is in their place.
/// @sync  asynchronous on `how.stream`: nothing waits on the host, unless the communicator does not block. Can be
///        captured into a graph, all streams of a communicator into one. `distributed::wait` waits, and ends the wait
///        if a rank fails.
/// @order kept: of the elements, of the ranks. Sums and products of NCCL's types, and extrema of its integers, are
///        joined by ncclAllReduce in an order of its own. All ranks get the same bits. A sum of negative zeros alone
///        may be a positive one, because ranks after the first start from the identity.
/// @cost  one launch over the rank's elements and one ncclAllReduce of the result; or, of all other results, an
///        ncclAllGather of some bytes a rank and a launch of one warp. A `workspace` of
///        `reduce_workspace_size<T>(n, ranks, query)`, or five more stream operations.
/// @return as reduce_into, and cudaErrorInvalidDevice where the current device is another one, or an error whose
///         last_fault() names NCCL's where the communicator or NCCL has failed. The other ranks wait for a rank whose
///         call was refused.
/// @source Meijer, Fokkinga and Paterson, "Functional programming with bananas, lenses, envelopes and barbed wire",
///         1991; NCCL, "Collective operations".
/// @example examples/distributed/one_process.cu
template <class In, class Out, class QueryOrOp>
[[nodiscard]] cudaError_t all_reduce(ncclComm_t comm, In in, std::int64_t n, Out out, QueryOrOp query,
                                     const options& how = {}) {
  const auto made = detail::reduce_across(comm, in, n, out, detail::as_query(query), detail::every_rank{}, how);
  return detail::report_call(made, how);
}

/// Starts from an initial value, which counts as an element before the first one of rank 0. The operator need have no
/// identity. All ranks give the same value; `Acc` names the type that the values are joined in, as in reduce.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t all_reduce(ncclComm_t comm, In in, std::int64_t n, Out out, Op op, Init init,
                                     const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::converted, Init> query{op, {}, init};
  return detail::report_call(detail::reduce_across(comm, in, n, out, query, detail::every_rank{}, how), how);
}

/// Reduces `transform(element)`; see transform_reduce.
template <class Acc = void, class In, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_all_reduce(ncclComm_t comm, In in, std::int64_t n, Out out, Op op,
                                               Transform transform, Init init, const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::report_call(detail::reduce_across(comm, in, n, out, query, detail::every_rank{}, how), how);
}

/// Writes the result on rank `root` alone; on other ranks `out` may be null. See all_reduce for all else.
template <class In, class Out, class QueryOrOp>
[[nodiscard]] cudaError_t reduce(ncclComm_t comm, int root, In in, std::int64_t n, Out out, QueryOrOp query,
                                 const options& how = {}) {
  return detail::report_call(detail::reduce_to_rank(comm, root, in, n, out, detail::as_query(query), how), how);
}

/// Starts from an initial value.
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t reduce(ncclComm_t comm, int root, In in, std::int64_t n, Out out, Op op, Init init,
                                 const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::converted, Init> query{op, {}, init};
  return detail::report_call(detail::reduce_to_rank(comm, root, in, n, out, query, how), how);
}

/// Reduces `transform(element)`; see transform_reduce.
template <class Acc = void, class In, class Out, class Op, class Transform, class Init>
[[nodiscard]] cudaError_t transform_reduce(ncclComm_t comm, int root, In in, std::int64_t n, Out out, Op op,
                                           Transform transform, Init init, const options& how = {}) {
  const detail::reduce_query<Acc, Op, detail::transformed<Transform>, Init> query{op, {transform}, init};
  return detail::report_call(detail::reduce_to_rank(comm, root, in, n, out, query, how), how);
}

}  // namespace distributed

}  // namespace gpuprim
