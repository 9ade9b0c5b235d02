// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/input/reduce_input.cuh>
#include <gpuprim/device/reduce/by_atomics.cuh>
#include <gpuprim/device/reduce/query.cuh>

namespace gpuprim::detail {

/// A position in an input, or `nowhere_found`.
using found_position = unsigned long long;
inline constexpr found_position nowhere_found = ~found_position{0};

/// The position of an element that a predicate holds for.
template <class Predicate>
struct where {
  Predicate predicate;

  template <class Acc, class T>
  __device__ Acc item(const T& value, std::int64_t at) const {
    return holds(value) ? static_cast<Acc>(at) : nowhere_found;
  }

  template <class T>
  static constexpr bool joins_units = true;

  template <class Acc, class T, class Packed, int Rows, class Position, class Op>
  __device__ void join_unit(Acc& total, const Packed (&loads)[Rows], const Position& position, const Op&) const {
    constexpr int count = elements_in_load<T, Packed>;
    int first = Rows * count;
#pragma unroll
    for (int row = Rows - 1; row >= 0; --row) {
      const auto items = unpack_load<T>(loads[row]);
#pragma unroll
      for (int i = count - 1; i >= 0; --i) first = holds(items[i]) ? row * count + i : first;
    }
    if (first < Rows * count) total = minimum<Acc>{}(total, Acc(position(first / count) + first % count));
  }

 private:
  template <class T>
  __device__ bool holds(const T& value) const { return predicate(value); }
  template <class A, class B>
  __device__ bool holds(const element_pair<A, B>& value) const { return predicate(value.first, value.second); }
};

/// Units of a warp from one look at what is found to the next. A look costs time in a search without a hit, and each
/// unit that is read in vain costs it in one with a hit; see docs/lab/family.md.
inline constexpr int units_between_looks = 4;

/// Joins a unit, which may be the last, to the running value of a lane. In place of loads behind the body the body's
/// last one comes again, which finds no other position.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ void find_in_unit(Acc& total, const reduce_input<In, LoadsPerThread>& input,
                                             std::int64_t unit, const Op& op) {
  const auto index = [&](int row) { return input.load_index(unit, row); };
  const bool is_whole = (unit + 1) * reduce_input<In, LoadsPerThread>::unit_loads <= input.loads;
  const auto is_there = [&](int row) { return is_whole || index(row) < input.loads; };
  const auto in_whole = [&](int row) { return input.position(index(row)); };
  const auto in_any = [&](int row) { return input.position(is_there(row) ? index(row) : input.loads - 1); };
  decltype(detail::load_input<input_value<In>>(input.in, 0)) loads[LoadsPerThread];
  if (is_whole) detail::load_rows(loads, input.in, in_whole);
  else detail::load_rows(loads, input.in, in_any);
  input.in.join_unit(total, loads, in_any, op);
}

/// Finds the first position. Blocks join their positions in one word. A warp reads that word while the loads of a unit
/// are in flight, and stops once it holds an earlier position than all in the warp's next unit. No warp skips the first
/// position, so that the result is the same in every run.
template <int BlockSize, int LoadsPerThread, class In, class Out>
__global__ void __launch_bounds__(BlockSize, 1)
    find_kernel(reduce_input<In, LoadsPerThread> input, Out out, unordered_reduce_state<found_position> state) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using earlier = minimum<found_position>;
  using key = atomic_key<earlier, found_position>;
  const this_block block;
  const earlier op;
  ptx::let_next_grid_start();
  constexpr int warps = BlockSize / warp_size;
  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps;
  const std::int64_t warp = std::int64_t(blockIdx.x) * warps + threadIdx.x / warp_size, units = input.units();
  if (warp < input.complete_units()) detail::prefetch_unit(input, warp);
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (block.thread_rank() == 0) *out = found_position{nowhere_found};
    return;
  }
  found_position total = nowhere_found;
  const int lane = int(ptx::lane()), tail = input.tail();
  const bool is_shared = gridDim.x > 1;
  const auto* look_at = reinterpret_cast<const std::uint64_t*>(state.total);
  if (warp == 0 && lane < input.head()) total = detail::load_item<found_position>(input.in, lane);
  int number = 0;
  for (std::int64_t unit = warp; unit < units; unit += all_warps) {
    const bool looks = is_shared && number++ % units_between_looks == 0;
    const auto seen = looks ? key::decode(ptx::load_relaxed(look_at)) : nowhere_found;
    detail::find_in_unit(total, input, unit, op);
    if (is_shared && __any_sync(0xffffffffu, total < nowhere_found)) {
      // One lane of the warp joins: atomic operations of all lanes of the grid would take longer than many units.
      const auto first = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, total, op);
      if (lane == 0 && first < seen) key::join(state.total, first);
      break;
    }
    const auto next = found_position(input.position((unit + all_warps) * input_type::unit_loads));
    if (__any_sync(0xffffffffu, op(seen, total) < next)) break;
  }
  if (warp == all_warps - 1 && lane < tail) {
    total = op(total, detail::load_item<found_position>(input.in, input.n - tail + lane));
  }
  total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, op);
  total = block_join_warps<BlockSize>(block, total, op, warps);
  detail::grid_join_blocks<BlockSize>(block, total, op, state, [&](found_position first) { *out = first; }, {});
}

}  // namespace gpuprim::detail
