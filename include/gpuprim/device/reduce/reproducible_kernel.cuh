// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/device/reduce/reduce_fold.cuh>
#include <gpuprim/grid/grid_reduce.cuh>

#include <bit>

namespace gpuprim::inline v0_2_0::detail {

/// Most leaves of the tree that a reproducible reduce evaluates. The number is a part of the result, and the same on
/// every GPU.
inline constexpr int reproducible_leaves = 4096;
/// Leaves that share a run of units of a large input, and units a leaf up to which there are no runs.
inline constexpr int reproducible_gang = 32, reproducible_units_in_turn = 14;
/// Rows of 32 loads in a unit of a leaf.
inline constexpr int reproducible_rows = 4;

/// How leaves take units.
enum class leaf_order {
  in_turn,  ///< for operators that commute
  kept,     ///< each leaf takes neighbours
};
template <class Op, class Acc>
inline constexpr leaf_order leaf_order_of = is_commutative<Op, Acc> ? leaf_order::in_turn : leaf_order::kept;

/// Groups of leaves, one for each block's warps, that a thread of the last block joins: a power of two.
template <int BlockSize>
inline constexpr int groups_per_thread =
    int(std::bit_ceil((reproducible_leaves / unsigned(BlockSize / warp_size) + BlockSize - 1) / BlockSize));

/// The tree of a reproducible reduce, which depends on the number of elements and their type alone.
///
/// A load is `elements_per_load` neighbours, a row 32 loads, a unit 4 rows. If the operator commutes, leaf k takes
/// units k, k + 4096, ...; of more than 14 units a leaf, it takes those of the (k / 32)-th of 128 runs that are k %
/// 32, k % 32 + 32, ... Each lane joins its loads of a unit by a tree over the rows and its units one after the
/// other; then a tree joins the lanes. Otherwise leaf k takes the k-th of 4096 runs and joins the rows in order. Runs
/// are as long as each other, but for the last ones. A tree over neighbours joins the leaves: first 0 with 1 and 2
/// with 3, then these pairs, and so on.
template <class In>
struct reproducible_input {
  using value_type = input_value<In>;
  static constexpr int load_items = elements_per_load<value_type>;
  static constexpr std::int64_t unit_items = warp_size * reproducible_rows * load_items;

  In in;
  std::int64_t n;
  std::int64_t units;
  std::int64_t run;  ///< units of a leaf or a gang; 0: leaves take them in turn
  int leaves;        ///< that have a unit

  template <leaf_order Order>
  static reproducible_input make(const In& in, std::int64_t n) {
    const std::int64_t units = n / unit_items + (n % unit_items != 0);
    constexpr bool commutes = Order == leaf_order::in_turn;
    constexpr int takers = commutes ? reproducible_leaves / reproducible_gang : reproducible_leaves;
    const bool in_turn = commutes && units <= reproducible_units_in_turn * reproducible_leaves;
    const std::int64_t run = in_turn ? 0 : (units + takers - 1) / takers;
    const std::int64_t leaves = commutes || run == 0 ? units : (units + run - 1) / run;
    return {in, n, units, run, int(leaves < reproducible_leaves ? leaves : reproducible_leaves)};
  }

  /// The share of `own` of `takers` in the `number`-th run of units, which they take in turn.
  __device__ unit_share share_run(int number, int own, int takers) const {
    const std::int64_t first = number * run + own, end = (number + 1) * run;
    return {first, first + takers, end < units ? end : units, takers};
  }

  /// Those of a leaf.
  template <leaf_order Order>
  __device__ unit_share units_of(int leaf) const {
    constexpr int gang = reproducible_gang;
    if constexpr (Order == leaf_order::kept) return share_run(leaf, 0, 1);
    else if (run > 0) return share_run(leaf / gang, leaf % gang, gang);
    else return {leaf, leaf + reproducible_leaves, units, reproducible_leaves};
  }

  /// The units that are read by wide loads: those from `first_wide_unit` to before `end_of_wide_units`.
  static constexpr int margin_items = count_margin_items<In>();
  static constexpr std::int64_t first_wide_unit = margin_items > 0;
  __device__ std::int64_t end_of_wide_units() const { return (n - margin_items) / unit_items; }
  /// Where the calling lane's load of a row begins.
  __device__ std::int64_t position(std::int64_t unit, int row) const {
    return unit * unit_items + (row * warp_size + ptx::lane()) * load_items;
  }
};

/// The rows of a unit by wide loads. All are in flight before the first is used.
template <class Acc, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, reproducible_rows> load_leaf_unit(
    const reproducible_input<In>& input, std::int64_t unit, const Op& op) {
  using T = typename reproducible_input<In>::value_type;
  uninitialized_array<Acc, reproducible_rows> rows;
  if constexpr (std::is_pointer_v<In> || reads_itself<In>) {
    const auto position = [&](int row) { return input.position(unit, row); };
    decltype(detail::load_input<input_value<In>>(input.in, 0)) loads[reproducible_rows];
    detail::load_rows(loads, input.in, position);
#pragma unroll
    for (int row = 0; row < reproducible_rows; ++row) rows[row] = fold_load<Acc, T>(loads[row], op);
  } else {
#pragma unroll
    for (int row = 0; row < reproducible_rows; ++row) {
      rows[row] = fold_items<Acc, elements_per_load<T>>(input.in, input.position(unit, row), op);
    }
  }
  return rows;
}

/// The rows of a unit element by element, of which some may be missing.
template <class Acc, class In, class Join>
__device__ __forceinline__ uninitialized_array<typename Join::value_type, reproducible_rows> load_edge_leaf_unit(
    const reproducible_input<In>& input, std::int64_t unit, const Join& join) {
  using V = typename Join::value_type;
  constexpr int items = reproducible_input<In>::load_items;
  uninitialized_array<V, reproducible_rows> rows;
#pragma unroll
  for (int row = 0; row < reproducible_rows; ++row) {
    uninitialized_array<V, items> wide;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const std::int64_t at = input.position(unit, row) + i;
      wide[i] = join.empty();
      if (at < input.n) wide[i] = detail::convert<Acc>(input.in[at]);
    }
    rows[row] = gpuprim::thread_reduce(wide, join);
  }
  return rows;
}

/// Prefetches the cache lines of a leaf's first unit while the previous kernel still runs.
template <class In>
__device__ __forceinline__ void prefetch_leaf_unit(const reproducible_input<In>& input, std::int64_t unit) {
  if constexpr (std::is_pointer_v<In> || reads_itself<In>) {
    if (input.units > prefetched_units * reproducible_leaves || unit >= input.end_of_wide_units()) return;
#pragma unroll
    for (int row = 0; row < reproducible_rows; ++row) prefetch_load(input.in, input.position(unit, row));
  }
}

/// Evaluates the tree in blocks of BlockSize / 32 leaves; the last block to start joins their values. Any power of
/// two from 128 threads on and any number of blocks evaluate the same tree.
template <int BlockSize, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, 1)
    reproducible_kernel(reproducible_input<In> input, Out out, Op op, kernel_value<Acc> first,
                        grid_reduce_state<Acc> state) {
  const Acc& init = first;
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and "
                "return one");
  constexpr int warps = BlockSize / warp_size;
  constexpr leaf_order order = leaf_order_of<Op, Acc>;
  constexpr bool commutes = order == leaf_order::in_turn;
  const this_block block;
  const monoid<Acc, Op> join{op};
  const int rank = int(block.thread_rank());
  ptx::let_next_grid_start();
  const int first_leaf = int(blockIdx.x) * warps + rank / warp_size;
  detail::prefetch_leaf_unit(input, input.template units_of<order>(first_leaf).unit);
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (rank == 0) detail::assign(*out, init);
    return;
  }
  const int groups = (input.leaves + warps - 1) / warps;  // of leaves, one a block
  static_assert(BlockSize > warp_size, "the barriers of block_join_warps stand between joins and its readers");
  GPUPRIM_SHARED(joins, bool);
  if (rank == 0) joins = gridDim.x == 1 || detail::arrive_in_grid(state).is_last();
  for (int group = int(blockIdx.x); group < groups; group += int(gridDim.x)) {
    const int leaf = group * warps + rank / warp_size;
    auto total = join.empty();
    auto [unit, next, end, step] = input.template units_of<order>(leaf);
    auto append = [&](const auto& rows, const auto& by) {
      if constexpr (commutes) total = join(total, gpuprim::thread_reduce(rows, by));
      else total = join(total, gpuprim::warp_all_reduce_rows(rows, by));
    };
    const std::int64_t end_of_wide = end < input.end_of_wide_units() ? end : input.end_of_wide_units();
    if (unit < input.first_wide_unit) {
      append(detail::load_edge_leaf_unit<Acc>(input, unit, join), join);
      unit += step;
    }
#pragma unroll 1  // one unit in flight, because a second one costs more registers than it gains
    for (; unit < end_of_wide; unit += step) append(detail::load_leaf_unit<Acc>(input, unit, op), op);
#pragma unroll 1
    for (; unit < end; unit += step) append(detail::load_edge_leaf_unit<Acc>(input, unit, join), join);
    if constexpr (commutes) total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
    const int present = input.leaves - group * warps < warps ? input.leaves - group * warps : warps;
    total = block_join_warps<BlockSize>(block, total, join, present);
    if (groups == 1) {
      if (rank == 0) detail::assign(*out, op(init, join.unwrap(total)));
      return;
    }
    if (rank == 0) state.mailboxes[group].send(join.unwrap(total));
  }
  if (!joins) return;
  // Each thread joins neighbouring groups by the same tree, as many as a full set of leaves would give it.
  constexpr int run = groups_per_thread<BlockSize>;
  uninitialized_array<typename monoid<Acc, Op>::value_type, run> mail;
#pragma unroll
  for (int i = 0; i < run; ++i) {
    const int group = rank * run + i;
    mail[i] = join.empty();
    const Acc value = state.mailboxes[group].receive(group < groups);
    if (group < groups) mail[i] = value;
  }
  const int present = (groups + run - 1) / run;
  const auto total = gpuprim::block_reduce<BlockSize>(block, gpuprim::thread_reduce(mail, join), join, present);
  if (rank == 0) detail::assign(*out, op(init, join.unwrap(total)));
}

}  // namespace gpuprim::detail
