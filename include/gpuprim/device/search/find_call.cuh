// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/orders.hpp>
#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/input/reduce_input.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/reduce/query.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// A position in an input, or `nowhere_found`.
using found_position = unsigned long long;
inline constexpr found_position nowhere_found = ~found_position{0};

/// What the blocks of a search share. All of it is zero before the first use and after each.
struct find_state {
  unsigned* arrivals;         ///< of blocks that are done
  unsigned long long* first;  ///< the complement of the first position, so that zero is nowhere

  __device__ static found_position position_of(unsigned long long key) { return ~key; }
  __device__ void join(found_position position) const { atomicMax(first, ~position); }
};

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
  __device__ bool holds(const T& value) const {
    return predicate(value);
  }
  template <class A, class B>
  __device__ bool holds(const element_pair<A, B>& value) const {
    return predicate(value.first, value.second);
  }
};

/// Units of a warp between two polls of the position found so far. Polls cost time in a search without a hit; units
/// that are read after a hit cost time in one with a hit; see docs/lab/family.md.
inline constexpr int units_between_looks = 4;

/// Joins a unit, which may be the last, to the running value of a lane. Loads behind the body are replaced by the last
/// one of the body, which finds no other position.
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
    find_kernel(reduce_input<In, LoadsPerThread> input, Out out, find_state state) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using earlier = minimum<found_position>;
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
  const auto* look_at = reinterpret_cast<const std::uint64_t*>(state.first);
  if (warp == 0 && lane < input.head()) total = detail::load_item<found_position>(input.in, lane);
  int number = 0;
  for (std::int64_t unit = warp; unit < units; unit += all_warps) {
    const bool looks = is_shared && number++ % units_between_looks == 0;
    const auto seen = looks ? state.position_of(ptx::load_relaxed(look_at)) : nowhere_found;
    detail::find_in_unit(total, input, unit, op);
    if (is_shared && __any_sync(0xffffffffu, total < nowhere_found)) {
      // One lane of the warp joins: atomic operations of all lanes of the grid would take longer than many units.
      const auto first = gpuprim::warp_all_reduce(warp_tile<warp_size>{}, total, op);
      if (lane == 0 && first < seen) state.join(first);
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
  if (block.thread_rank() > 0) return;
  if (is_shared) {
    state.join(total);
    if (ptx::arrive_in_order(state.arrivals, gridDim.x - 1) != gridDim.x - 1) return;
    total = state.position_of(atomicExch(state.first, 0ull));
  }
  *out = total;
}

/// An array as the pairs of neighbours in it: 16 bytes a load, and the element behind them.
template <class T>
struct neighbours_input : input_iterator_types<element_pair<T, T>> {
  static constexpr int load_items = elements_per_load<T>;
  static constexpr bool loads_fit = false;
  const T* in;

  explicit neighbours_input(const T* i) : in(i) {}
  std::int64_t items_past_boundary() const { return detail::count_items_past_boundary(in); }
  __device__ element_pair<T, T> operator[](std::int64_t at) const { return {in[at], in[at + 1]}; }
  __device__ packed_pair<T, T> load(std::int64_t at) const {
    const auto first = unpack<T>(load_packed(in + at));
    auto second = first;
#pragma unroll
    for (int i = 1; i < load_items; ++i) second[i - 1] = first[i];
    second[load_items - 1] = in[at + load_items];
    packed_pair<T, T> both;
    std::memcpy(static_cast<void*>(detail::pointer_to(both.first)), detail::pointer_to(first), sizeof both.first);
    std::memcpy(static_cast<void*>(detail::pointer_to(both.second)), detail::pointer_to(second), sizeof both.second);
    return both;
  }
  __device__ void prefetch(std::int64_t at) const { ptx::prefetch_to_l2(in + at); }
};

/// An iterator as the pairs of neighbours behind it.
template <class In>
struct neighbours_items : input_iterator_types<element_pair<input_value<In>, input_value<In>>> {
  In in;
  explicit neighbours_items(In i) : in(i) {}
  __device__ typename neighbours_items::value_type operator[](std::int64_t at) const { return {in[at], in[at + 1]}; }
};

template <class Function>
struct negated {
  Function function;
  template <class... Ts>
    requires(is_device_lambda<Function> || std::is_invocable_v<const Function&, const Ts&...>)
  GPUPRIM_HOST_DEVICE bool operator()(const Ts&... values) const {
    return !function(values...);
  }
};

struct differs {
  template <class A, class B>
  GPUPRIM_HOST_DEVICE bool operator()(const A& a, const B& b) const {
    if constexpr (are_half_precision<A, B>) return detail::half_to_float(a) != detail::half_to_float(b);
    else return !(a == b);
  }
};

/// The result of a search made of the first position: itself, or n; whether there is one; whether there is none.
struct as_position {
  std::int64_t n;
  GPUPRIM_HOST_DEVICE std::int64_t operator()(found_position first) const {
    return first == nowhere_found ? n : std::int64_t(first);
  }
};
struct as_found {
  GPUPRIM_HOST_DEVICE bool operator()(found_position first) const { return first != nowhere_found; }
};
struct as_missing {
  GPUPRIM_HOST_DEVICE bool operator()(found_position first) const { return first == nowhere_found; }
};

/// The shape that reads fastest: with more loads in flight a search would go on longer after a hit.
inline constexpr int find_block_size = 512, find_loads_per_thread = 8;
inline constexpr std::int64_t find_workspace_bytes = 128;

/// Finds the first element of an input, which is as a kernel reads it, that the predicate holds for.
template <class In, class Predicate, class Out, class Finish>
outcome run_find(const In& in, std::int64_t n, const Predicate& predicate, const Out& out, const Finish& finish,
                 const options& how) {
  static_assert(detail::takes_result<finished_output<Out, Finish>, found_position>,
                "gpuprim: the output must take a value of the result's type");
  constexpr int block_size = find_block_size, loads = find_loads_per_thread;
  const projected_input all(in, where<Predicate>{predicate});
  const finished_output to{detail::unwrap_contiguous(out), finish};
  const auto input = detail::make_reduce_input<loads>(all, n);
  using Input = std::remove_const_t<decltype(all)>;
  constexpr auto kernel = &find_kernel<block_size, loads, Input, std::remove_const_t<decltype(to)>>;
  constexpr int warps = block_size / warp_size, thread_bytes = loads * load_bytes;
  const auto found = detail::find_shape<kernel>(detail::ceil_div(input.units(), warps), block_size);
  if (found.error != cudaSuccess) return {found.error};
  const bool is_alone = found.grid.grid_size == 1;
  memory_lease lease(is_alone ? 0 : find_workspace_bytes, how);
  if (lease.error()) return lease.refusal();
  auto* const memory = static_cast<char*>(lease.zeroed());
  find_state state{};
  if (!is_alone) state = {reinterpret_cast<unsigned*>(memory), reinterpret_cast<unsigned long long*>(memory + 64)};
  return lease.finish(detail::launch_main(found, kernel, thread_bytes, how, input, to, state));
}

template <class In, class Predicate, class Out, class Finish>
outcome find_element(const In& in, std::int64_t n, const Predicate& predicate, const Out& out, const Finish& finish,
                     const options& how) {
  static_assert(is_function_object<Predicate>);
  static_assert(is_device_lambda<Predicate> || std::is_invocable_r_v<bool, const Predicate&, const input_value<In>&>,
                "gpuprim::find_if: the predicate's const operator() must take an element and return a bool");
  return detail::with_input<array_form::pointer>(in, [&](const auto& array) -> outcome {
    if (const outcome bad = detail::check_arguments(array, n, out); bad.failed()) return bad;
    return detail::run_find(array, n, predicate, out, finish, how);
  });
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
