// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/grid/unordered_reduce.cuh>
#include <gpuprim/ptx/sm_61.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/thread/load.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

#include <cstdint>
#include <iterator>

namespace gpuprim::detail {

/// True for an input that says itself how it is read and made accumulators of (device/detail/projected_input.cuh has
/// the members); pointers are read 16 bytes a load, other iterators element by element, and elements are converted.
template <class In>
inline constexpr bool reads_itself = requires { In::load_items; };

template <class In>
constexpr int count_load_items() {
  if constexpr (reads_itself<In>) return In::load_items;
  else if constexpr (std::is_pointer_v<In>) return elements_per_load<std::remove_cv_t<std::remove_pointer_t<In>>>;
  else return 1;
}

/// True if a load brings at most 16 bytes, and elements that divide them.
template <class In>
constexpr bool fits_wide_load() {
  if constexpr (reads_itself<In>) return In::loads_fit;
  else return load_bytes % sizeof(typename std::iterator_traits<In>::value_type) == 0;
}

/// Elements between the 16-byte boundary before the input and the input.
template <class In>
std::int64_t count_items_past_boundary(const In& in) {
  if constexpr (reads_itself<In>) return in.items_past_boundary();
  else return std::int64_t(reinterpret_cast<std::uintptr_t>(in) % load_bytes / sizeof(*in));
}

/// The input as warps see it: a body of 16-byte loads, and the few elements before and behind it. The body is cut into
/// units of 32 lanes x LoadsPerThread loads, of which only the last may be incomplete.
template <class In, int LoadsPerThread>
struct reduce_input {
  using value_type = std::remove_cv_t<typename std::iterator_traits<In>::value_type>;
  static constexpr int load_items = count_load_items<In>();
  static constexpr std::int64_t unit_loads = std::int64_t(warp_size) * LoadsPerThread;

  In in;
  std::int64_t n;
  std::int64_t loads;  ///< 16-byte loads in the body
  int head;            ///< elements before the body

  GPUPRIM_HOST_DEVICE std::int64_t units() const { return (loads + unit_loads - 1) / unit_loads; }
  GPUPRIM_HOST_DEVICE int tail() const { return int(n - head - loads * load_items); }

  /// The load that the calling lane makes for a row of a unit.
  __device__ std::int64_t load_index(std::int64_t unit, int row) const {
    return unit * unit_loads + row * warp_size + ptx::lane();
  }
  __device__ std::int64_t position(std::int64_t load) const { return head + load * load_items; }
};

template <class In>
__device__ __forceinline__ void prefetch_load(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) in.prefetch(at);
  else ptx::prefetch_to_l2(in + at);
}

/// Asks for a unit's cache lines while the kernel still waits for the one before it.
template <int LoadsPerThread, class In>
__device__ __forceinline__ void prefetch_unit(const reduce_input<In, LoadsPerThread>& input, std::int64_t unit) {
  if constexpr (std::is_pointer_v<In> || reads_itself<In>) {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) {
      const std::int64_t load = input.load_index(unit, row);
      if (load < input.loads) prefetch_load(input.in, input.position(load));
    }
  }
}

/// One load, still packed; of an iterator one element.
template <class T, class In>
__device__ __forceinline__ auto load_at(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) {
    return in.load(at);
  } else if constexpr (std::is_pointer_v<In>) {
    return load_packed<T>(in + at);
  } else {
    uninitialized_array<T, 1> one;
    one[0] = in[at];
    return one;
  }
}

/// The elements of one load, joined in order as accumulators.
template <class Acc, class T, class Packed, class Op>
__device__ __forceinline__ Acc fold_load(const Packed& packed, const Op& op) {
  if constexpr (!std::is_same_v<Packed, uint4>) {
    return static_cast<Acc>(packed[0]);
  } else if constexpr (ptx::has_packed_sum<Op, T, Acc>) {
    Acc sum = ptx::add_packed<T>(packed.x, Acc{0});
    sum = ptx::add_packed<T>(packed.y, sum);
    sum = ptx::add_packed<T>(packed.z, sum);
    return ptx::add_packed<T>(packed.w, sum);
  } else {
    const auto items = unpack<T>(packed);
    uninitialized_array<Acc, elements_per_load<T>> wide;
#pragma unroll
    for (int i = 0; i < elements_per_load<T>; ++i) wide[i] = static_cast<Acc>(items[i]);
    return thread_reduce(wide, op);
  }
}

/// The elements of the load at a position, joined in order as accumulators.
template <class Acc, class In, class Packed, class Op>
__device__ __forceinline__ Acc fold_load_at(const In& in, const Packed& packed, std::int64_t at, const Op& op) {
  if constexpr (reads_itself<In>) return in.template fold<Acc>(packed, at, op);
  else return fold_load<Acc, std::remove_cv_t<typename std::iterator_traits<In>::value_type>>(packed, op);
}

/// The element at a position as an accumulator.
template <class Acc, class In>
__device__ __forceinline__ Acc load_item(const In& in, std::int64_t at) {
  if constexpr (reads_itself<In>) return in.template item<Acc>(at);
  else return static_cast<Acc>(in[at]);
}

/// A complete unit in registers, one value a load. All loads are under way before the first is used.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  decltype(load_at<T>(input.in, 0)) loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    loads[row] = load_at<T>(input.in, input.position(input.load_index(unit, row)));
  }
  uninitialized_array<Acc, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    rows[row] = fold_load_at<Acc>(input.in, loads[row], input.position(input.load_index(unit, row)), op);
  }
  return rows;
}

/// The same for the last unit: loads behind the body are left out and count as the identity.
template <class Acc, int LoadsPerThread, class In, class Op, class Join>
__device__ __forceinline__ uninitialized_array<typename Join::value_type, LoadsPerThread> load_last_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op, const Join& join) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  decltype(load_at<T>(input.in, 0)) loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    const std::int64_t load = input.load_index(unit, row);
    if (load < input.loads) loads[row] = load_at<T>(input.in, input.position(load));
  }
  uninitialized_array<typename Join::value_type, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    rows[row] = join.empty();
    const std::int64_t load = input.load_index(unit, row);
    if (load < input.loads) rows[row] = fold_load_at<Acc>(input.in, loads[row], input.position(load), op);
  }
  return rows;
}

/// True for an input that joins units to a lane's running value itself.
template <class In>
inline constexpr bool joins_units = requires { requires In::joins_units; };

/// Joins a unit to the running value of a lane. In place of loads behind the body, which are not present, the last one
/// comes again.
template <class Acc, int LoadsPerThread, class In>
__device__ __forceinline__ void join_unit(Acc& total, const reduce_input<In, LoadsPerThread>& input, std::int64_t unit) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  const bool is_whole = (unit + 1) * input_type::unit_loads <= input.loads;
  auto is_present = [&](int row) { return is_whole || input.load_index(unit, row) < input.loads; };
  auto position = [&](int row) {
    return input.position(is_present(row) ? input.load_index(unit, row) : input.loads - 1);
  };
  decltype(load_at<T>(input.in, 0)) loads[LoadsPerThread];
  if (is_whole) {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) {
      loads[row] = load_at<T>(input.in, input.position(input.load_index(unit, row)));
    }
  } else {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) loads[row] = load_at<T>(input.in, position(row));
  }
  input.in.join_unit(total, loads, is_present, position);
}

/// Up to 15 elements at the edge of the body, one a lane; the identity where there is none.
template <class Acc, class In, class Join>
__device__ __forceinline__ typename Join::value_type load_edge(const In& in, std::int64_t first, int count,
                                                              const Join& join) {
  const int lane = int(ptx::lane());
  auto mine = join.empty();
  if (lane < count) mine = load_item<Acc>(in, first + lane);
  return mine;
}

/// One launch, any size: every warp folds its units, every block its warps, the last block all blocks.
///
/// With an operator that commutes, warps take units round robin and each lane keeps a running value. Otherwise each warp
/// takes one contiguous run of units and reduces each unit in order.
/// The type of `state` says how the blocks meet.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op, class State>
__global__ void __launch_bounds__(BlockSize, 1)
    reduce_kernel(reduce_input<In, LoadsPerThread> input, Out out, Op op, Acc init, State state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator must take two values of the accumulator type and return one");
  using input_type = reduce_input<In, LoadsPerThread>;
  const this_block block;
  ptx::let_next_grid_start();
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
  if (unit < end) prefetch_unit(input, unit);
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (block.thread_rank() == 0) *out = init;
    return;
  }
  const bool is_last = block.thread_rank() == 0 && arrives_last(state);
  // The head belongs to the first warp and the tail to the last, so that the order is kept.
  auto head = join.empty(), tail = join.empty();
  if constexpr (input_type::load_items > 1) {
    if (warp == 0) head = load_edge<Acc>(input.in, 0, input.head, join);
    if (warp == all_warps - 1) tail = load_edge<Acc>(input.in, input.n - input.tail(), input.tail(), join);
  }
  auto total = join.empty();
  for (; unit < end; unit += step) {
    if constexpr (joins_units<In>) {
      join_unit(total, input, unit);
    } else if ((unit + 1) * input_type::unit_loads <= input.loads) {
      const auto rows = load_unit<Acc>(input, unit, op);
      if constexpr (commutes) total = join(total, thread_reduce(rows, op));
      else total = join(total, warp_all_reduce_rows(rows, op));
    } else {
      const auto rows = load_last_unit<Acc>(input, unit, op, join);
      if constexpr (commutes) total = join(total, thread_reduce(rows, join));
      else total = join(total, warp_all_reduce_rows(rows, join));
    }
  }
  if constexpr (input_type::load_items > 1) {
    if constexpr (!commutes) {
      head = warp_all_reduce(warp_tile<warp_size>{}, head, join);
      tail = warp_all_reduce(warp_tile<warp_size>{}, tail, join);
    }
    total = join(join(head, total), tail);
  }
  if constexpr (commutes && has_identity<Op, Acc>) total = warp_reduce(warp_tile<warp_size>{}, total, op);
  else if constexpr (commutes) total = warp_reduce(warp_tile<warp_size>{}, total, join);
  total = block_join_warps<BlockSize>(block, total, join, warps);
  grid_join_blocks<BlockSize>(block, join.unwrap(total), op, state,
                              [&](const Acc& all) { *out = op(init, all); }, is_last);
}

}  // namespace gpuprim::detail
