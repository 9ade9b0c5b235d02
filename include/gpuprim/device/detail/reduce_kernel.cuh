// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/thread/load.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

#include <cstdint>
#include <iterator>

namespace gpuprim::detail {

/// The input as a warp sees it: units of 32 lanes x LoadsPerThread loads. Units start at 16-byte boundaries, so the
/// first begins `lead` elements before the input; only the units at the two edges hold elements that do not exist.
template <class In, int LoadsPerThread>
struct reduce_input {
  using value_type = std::remove_cv_t<typename std::iterator_traits<In>::value_type>;
  static constexpr int row_items = std::is_pointer_v<In> ? elements_per_load<value_type> : 1;
  static constexpr std::int64_t unit_items = std::int64_t(warp_size) * row_items * LoadsPerThread;

  In in;
  std::int64_t n;
  int lead;       ///< elements between the 16-byte boundary and the input
  bool can_load;  ///< wide loads are possible from this address

  GPUPRIM_HOST_DEVICE std::int64_t units() const {
    const std::int64_t last = n + lead - 1;  // n + lead + unit_items - 1 might overflow
    return last / unit_items + 1;
  }
};

/// A unit in registers, one row value a load: elements joined in order as accumulators.
template <class Acc, int LoadsPerThread, class In, class Join>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_whole_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Join& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  constexpr int items = input_type::row_items;
  const std::int64_t first = unit * input_type::unit_items + std::int64_t(ptx::lane()) * items - input.lead;
  uninitialized_array<T, items> loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    if constexpr (std::is_pointer_v<In>) loads[row] = load_vector<T>(input.in + (first + row * warp_size * items));
    else loads[row][0] = input.in[first + row * warp_size];
  }
  uninitialized_array<Acc, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    uninitialized_array<Acc, items> wide;
#pragma unroll
    for (int i = 0; i < items; ++i) wide[i] = static_cast<Acc>(loads[row][i]);
    rows[row] = thread_reduce(wide, op);
  }
  return rows;
}

/// The same for a unit at an edge: each element is checked, and one that does not exist counts as the identity.
template <class Acc, int LoadsPerThread, class In, class Join>
__device__ __forceinline__ uninitialized_array<typename Join::value_type, LoadsPerThread> load_edge_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Join& join) {
  using input_type = reduce_input<In, LoadsPerThread>;
  constexpr int items = input_type::row_items;
  const std::int64_t first = unit * input_type::unit_items + std::int64_t(ptx::lane()) * items - input.lead;
  uninitialized_array<typename Join::value_type, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    rows[row] = join.empty();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const std::int64_t at = first + row * warp_size * items + i;
      if (at >= 0 && at < input.n) rows[row] = join(rows[row], static_cast<Acc>(input.in[at]));
    }
  }
  return rows;
}

/// One launch, any size: every warp folds its units, every block its warps, the last block all blocks.
///
/// With an operator that commutes, warps take units round robin and each lane keeps a running value. Otherwise each warp
/// takes one contiguous run of units and reduces each unit in order.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, 1)
    reduce_kernel(reduce_input<In, LoadsPerThread> input, Out out, Op op, Acc init, grid_reduce_state<Acc> state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator must take two values of the accumulator type and return one");
  using input_type = reduce_input<In, LoadsPerThread>;
  const this_block block;
  if (input.n == 0) {
    if (block.thread_rank() == 0) *out = init;
    return;
  }
  constexpr int warps = BlockSize / warp_size;
  constexpr bool commutes = is_commutative<Op, Acc>;
  const monoid<Acc, Op> join{op};
  const std::int64_t units = input.units();
  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps;
  const std::int64_t warp = std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_size;
  std::int64_t unit = warp, step = all_warps, end = units;
  if constexpr (!commutes) {
    const std::int64_t run = units / all_warps, longer = units % all_warps;
    unit = warp * run + (warp < longer ? warp : longer);
    end = unit + run + (warp < longer);
    step = 1;
  }
  auto total = join.empty();
  for (; unit < end; unit += step) {
    const std::int64_t first = unit * input_type::unit_items - input.lead;
    if (input.can_load && first >= 0 && input.n - first >= input_type::unit_items) {
      const auto rows = load_whole_unit<Acc>(input, unit, op);
      if constexpr (commutes) total = join(total, thread_reduce(rows, op));
      else total = join(total, warp_all_reduce_rows(rows, op));
    } else {
      const auto rows = load_edge_unit<Acc>(input, unit, join);
      if constexpr (commutes) total = join(total, thread_reduce(rows, join));
      else total = join(total, warp_all_reduce_rows(rows, join));
    }
  }
  if constexpr (commutes) total = warp_reduce(warp_tile<warp_size>{}, total, op);
  total = block_join_warps<BlockSize>(block, total, join, warps);
  grid_reduce<BlockSize>(block, join.unwrap(total), op, state,
                         [&](const Acc& all) { *out = op(init, all); });
}

}  // namespace gpuprim::detail
