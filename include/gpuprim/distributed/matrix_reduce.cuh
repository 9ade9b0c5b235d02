// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/column_reduce.cuh>
#include <gpuprim/device/segmented_reduce.cuh>
#include <gpuprim/distributed/partial_results.cuh>

namespace gpuprim::inline v0_2_0 {

namespace detail {

/// Joins what the ranks have of each result, in the order of the ranks.
template <int BlockSize, class Value, class Op, class Put>
__global__ void __launch_bounds__(BlockSize)
    fold_results_kernel(const Value* parts, std::int64_t results, int ranks, Op op, Put put) {
  ptx::wait_for_previous_grid();
  const std::int64_t step = std::int64_t(gridDim.x) * BlockSize;
  for (std::int64_t i = std::int64_t(blockIdx.x) * BlockSize + threadIdx.x; i < results; i += step) {
    Value all = parts[i];
    for (int rank = 1; rank < ranks; ++rank) all = op(all, parts[rank * results + i]);
    put(i, all);
  }
}

/// The scratch memory of results of which each rank has a part of its own.
template <class Value>
constexpr std::int64_t part_bytes(std::int64_t results, int ranks) {
  return (results < 0 ? 0 : results) * ranks * std::int64_t(sizeof(Value));
}

/// Checks a matrix of which a rank has a part, and the results of its rows or columns.
template <class In, class Out>
outcome check_matrix(const In& in, std::int64_t rows, std::int64_t columns, std::int64_t results, const Out& out) {
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();
  if (rows < 0) return {cudaErrorInvalidValue, "the number of rows is negative"};
  if (columns < 0) return {cudaErrorInvalidValue, "the number of columns is negative"};
  if (columns > 0 && rows > most / 2 / columns) {
    return {cudaErrorInvalidValue, "the matrix is too large: its values overflow 64 bits"};
  }
  if (const outcome bad = detail::check_input(in, rows * columns); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(out, results); bad.failed()) return bad;
  return rows * columns == 0 ? outcome{} : detail::check_disjoint(out, results, in, rows * columns);
}

/// The local pass over rows, and that over columns.
template <class In>
struct row_pass {
  In in;
  std::int64_t rows, columns;

  std::int64_t results() const { return rows; }
  template <class Out, class Value, class Op>
  outcome run(const Out& out, const Value& start, const Op& op, const options& own) const {
    return detail::outcome_of(gpuprim::segmented_reduce<Value>(in, fixed_length{columns}, rows, out, op, start, own));
  }
};
template <class In>
struct column_pass {
  In in;
  std::int64_t rows, columns;

  std::int64_t results() const { return columns; }
  template <class Out, class Value, class Op>
  outcome run(const Out& out, const Value& start, const Op& op, const options& own) const {
    return detail::outcome_of(gpuprim::column_reduce<Value>(in, rows, columns, out, op, start, own));
  }
};

/// Joins the results of all ranks, of which there are as many on each.
template <class Acc, class Pass, class Out, class Op>
outcome join_results_of_ranks(ncclComm_t comm, const rank_place& place, const Pass& pass, const Out& out, const Op& op,
                              const Acc& init, const distributed::options& how) {
  using types = partial_results<Acc, Op>;
  using Value = typename types::value;
  const std::int64_t results = pass.results();
  const options own{how.stream, how.workspace, how.memory};
  constexpr int nccl_op = nccl_operator<join_results<Op>, Acc>;
  if constexpr (nccl_op != no_nccl_operator && std::is_same_v<Out, Acc*>) {
    const Acc start = place.rank == 0 ? init : static_cast<Acc>(identity_element<Op, Acc>::value());
    const auto local = [=](void*) { return pass.run(out, start, op, own); };
    const auto exchange = [=](void*, int) {
      if (place.ranks == 1) return ncclSuccess;
      constexpr ncclDataType_t type = nccl_type<Acc>::value;
      return ncclAllReduce(out, out, std::size_t(results), type, ncclRedOp_t(nccl_op), comm, own.stream);
    };
    return detail::call_on_rank(comm, 0, how, local, exchange, [](void*, int) { return outcome{}; });
  } else {
    constexpr int block_size = 256;
    if (results > (std::numeric_limits<std::int64_t>::max)() / 2 / place.ranks / std::int64_t(sizeof(Value))) {
      return {cudaErrorInvalidValue, "the results of all ranks are too large: their bytes overflow 64 bits"};
    }
    const typename types::op join{op};
    const auto parts = [](void* memory) { return static_cast<Value*>(memory); };
    const auto local = [=](void* memory) {
      const Value start = types::all_of::empty();
      return pass.run(parts(memory) + place.rank * results, start, join, own);
    };
    const auto exchange = [=](void* memory, int) {
      if (place.ranks == 1) return ncclSuccess;
      const auto bytes = std::size_t(results) * sizeof(Value);
      return ncclAllGather(parts(memory) + place.rank * results, memory, bytes, ncclUint8, comm, own.stream);
    };
    const auto follow = [=](void* memory, int) -> outcome {
      using Put = put_result<Acc, Op, Out>;
      constexpr auto kernel = &fold_results_kernel<block_size, Value, typename types::op, Put>;
      const found_shape found = detail::find_shape<kernel>((results - 1) / block_size + 1, block_size);
      if (found.error != cudaSuccess) return {found.error};
      return {gpuprim::launch(found.when, kernel, found.grid, own.stream, parts(memory), results, place.ranks, join,
                              Put{out, op, init})};
    };
    const std::int64_t bytes = detail::part_bytes<Value>(results, place.ranks);
    return detail::call_on_rank(comm, bytes, how, local, exchange, follow);
  }
}

/// Reduces the rows or the columns of a matrix of which each rank has a part.
template <class Acc, class Pass, class Out, class Op>
outcome reduce_axis(ncclComm_t comm, const Pass& pass, const Out& out, const Op& op, const Acc& init,
                    const distributed::options& how) {
  rank_place place;
  if (const outcome bad = detail::find_place(comm, place, how.seconds); bad.failed()) return bad;
  const auto to = detail::unwrap_contiguous(out);
  const auto in = detail::unwrap_contiguous(pass.in);
  const outcome bad = detail::check_matrix(in, pass.rows, pass.columns, pass.results(), to);
  if (bad.failed() || pass.results() == 0) return bad;
  return detail::join_results_of_ranks(comm, place, pass, to, detail::joining<Acc>(op), init, how);
}

}  // namespace detail

namespace distributed {

/// The two memories that a `row_reduce` of so many rows on `ranks` ranks needs, with values joined in `Acc` by `op`.
template <class Acc, class Op>
constexpr workspace_size row_reduce_workspace_size(std::int64_t rows, int ranks, const Op&) {
  using value = detail::partial_value<Acc, Op>;
  return {segmented_reduce_workspace_bytes<value>(), detail::part_bytes<value>(rows, ranks)};
}

/// The two memories that a `column_reduce` of so many columns on `ranks` ranks needs, with values joined in `Acc` by
/// `op`.
template <class Acc, class Op>
constexpr workspace_size column_reduce_workspace_size(std::int64_t columns, int ranks, const Op&) {
  using value = detail::partial_value<Acc, Op>;
  return {column_reduce_workspace_bytes<value>(columns < 0 ? 0 : columns), detail::part_bytes<value>(columns, ranks)};
}

/// Reduces each row of a matrix whose columns are parted among the ranks, and writes all results on every rank,
/// starting each from `init`. Each rank has some columns of every row, in a row-major matrix of its own, and a row's
/// elements are in the order of the ranks. Where whole rows are parted among the ranks, each reduces its own by
/// gpuprim::segmented_reduce, and needs no other rank.
///
/// @pre   every rank of `comm` makes the same calls in the same order, with the same number of rows, types, operator
///        and initial value, and with any number of columns of its own, 0 too. The current device is the
///        communicator's. `in`: rows * columns elements, a pointer or a random-access iterator; `out`: `rows` elements
///        apart from them.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order kept: of the elements, of the ranks; but sums and products of NCCL's types, and extrema of its integers,
///        are joined by ncclAllReduce in an order of its own where `out` is a pointer to the type that values are
///        joined in. All ranks get the same bits.
/// @cost  gpuprim::segmented_reduce of the rank's own rows, and an ncclAllReduce of the results; or, of all other
///        results, an ncclAllGather of them and a launch that joins them, with scratch memory for `ranks * rows` of
///        them. A `workspace` of `row_reduce_workspace_size<Acc>(rows, ranks, op)`, or more stream operations.
/// @return as all_reduce and gpuprim::segmented_reduce; a row without elements gives `init`, and no rows nothing.
/// @source as all_reduce.
/// @example examples/distributed/segment_ranks.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t row_reduce(ncclComm_t comm, In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                     Init init, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_options<Init> checked{};
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  static_assert(outputs_for<Out, A>,
                "gpuprim::distributed::row_reduce: the output must take values of the accumulator type");
  const detail::row_pass<In> pass{in, rows, columns};
  const auto made = detail::with_initial_value<A>(
      init, [&](const A& first) { return detail::reduce_axis<A>(comm, pass, out, op, first, how); });
  return detail::report_call(made, how);
}
/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t row_reduce(ncclComm_t comm, In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                     const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return distributed::row_reduce<A>(comm, in, rows, columns, out, op, detail::reduce_identity<Op, A>(), how);
}

/// Reduces each column of a matrix whose rows are parted among the ranks, and writes all results on every rank,
/// starting each from `init`. Each rank has some rows of every column, in a row-major matrix of its own, and a column's
/// elements are in the order of the ranks. Where whole columns are parted among the ranks, each reduces its own by
/// gpuprim::column_reduce, and needs no other rank.
///
/// @pre   as row_reduce, with the same number of columns on all ranks, and any number of rows. `out`: `columns`
///        elements.
/// @sync  as row_reduce. @order as row_reduce.
/// @cost  as row_reduce, with gpuprim::column_reduce, and `columns` results. A `workspace` of
///        `column_reduce_workspace_size<Acc>(columns, ranks, op)`, or more stream operations.
/// @return as all_reduce and gpuprim::column_reduce; a column without elements gives `init`, and no columns nothing.
/// @source as all_reduce.
/// @example examples/distributed/segment_ranks.cu
template <class Acc = void, class In, class Out, class Op, class Init>
[[nodiscard]] cudaError_t column_reduce(ncclComm_t comm, In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                        Init init, const options& how = {}) {
  [[maybe_unused]] const detail::refuse_options<Init> checked{};
  using A = detail::accumulator_for<Acc, Op, In, Init>;
  static_assert(outputs_for<Out, A>,
                "gpuprim::distributed::column_reduce: the output must take values of the accumulator type");
  const detail::column_pass<In> pass{in, rows, columns};
  const auto made = detail::with_initial_value<A>(
      init, [&](const A& first) { return detail::reduce_axis<A>(comm, pass, out, op, first, how); });
  return detail::report_call(made, how);
}
/// Starts from the operator's identity.
template <class Acc = void, class In, class Out, class Op>
[[nodiscard]] cudaError_t column_reduce(ncclComm_t comm, In in, std::int64_t rows, std::int64_t columns, Out out, Op op,
                                        const options& how = {}) {
  using A = detail::accumulator_for<Acc, Op, In>;
  return distributed::column_reduce<A>(comm, in, rows, columns, out, op, detail::reduce_identity<Op, A>(), how);
}

}  // namespace distributed

}  // namespace gpuprim
