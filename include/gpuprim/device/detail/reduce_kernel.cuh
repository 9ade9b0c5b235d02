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
#include <cstring>
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
  GPUPRIM_HOST_DEVICE std::int64_t complete_units() const { return loads / unit_loads; }
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

/// Units a warp up to which the first is prefetched. For longer inputs it only takes bandwidth from the kernel ahead: a
/// pass over 2^30 bytes gained 0.45 % without (H200), and one over 2^26 bytes lost 3 %.
inline constexpr std::int64_t prefetched_units = 8;

/// Asks for a complete unit's cache lines while the kernel still waits for the one before it.
template <int LoadsPerThread, class In>
__device__ __forceinline__ void prefetch_unit(const reduce_input<In, LoadsPerThread>& input, std::int64_t unit) {
  if constexpr (std::is_pointer_v<In> || reads_itself<In>) {
#pragma unroll
    for (int row = 0; row < LoadsPerThread; ++row) {
      prefetch_load(input.in, input.position(input.load_index(unit, row)));
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

/// Something to overwrite, of a type that may have no default constructor.
template <class Bytes>
__device__ __forceinline__ Bytes zero_bytes() {
  Bytes zero;
  std::memset(static_cast<void*>(&zero), 0, sizeof zero);
  return zero;
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

/// An element, which is that at the position, as an accumulator.
template <class Acc, class In, class T>
__device__ __forceinline__ Acc make_accumulator(const In& in, const T& item, std::int64_t at) {
  if constexpr (reads_itself<In>) return in.template item<Acc>(item, at);
  else return static_cast<Acc>(item);
}
template <class Acc, class In>
__device__ __forceinline__ Acc load_item(const In& in, std::int64_t at) {
  return make_accumulator<Acc>(in, in[at], at);
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

/// The same for the last unit, which may be incomplete: in place of loads behind the body stands `none`.
template <class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ uninitialized_array<Acc, LoadsPerThread> load_last_unit(
    const reduce_input<In, LoadsPerThread>& input, std::int64_t unit, const Op& op, const Acc& none) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  decltype(load_at<T>(input.in, 0)) loads[LoadsPerThread];
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    const std::int64_t load = input.load_index(unit, row);
    if (load < input.loads) loads[row] = load_at<T>(input.in, input.position(load));
  }
  uninitialized_array<Acc, LoadsPerThread> rows;
#pragma unroll
  for (int row = 0; row < LoadsPerThread; ++row) {
    rows[row] = none;
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
__device__ __forceinline__ void join_unit(Acc& total, const reduce_input<In, LoadsPerThread>& input,
                                          std::int64_t unit) {
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

/// Up to 15 elements at the edge of the body, one a lane; `none` where there is none.
template <class Acc, class In>
__device__ __forceinline__ Acc load_edge(const In& in, std::int64_t first, int count, const Acc& none) {
  const int lane = int(ptx::lane());
  return lane < count ? load_item<Acc>(in, first + lane) : none;
}

/// Whether lanes may keep values of their own, and begin with nothing.
template <class Op, class Acc>
inline constexpr bool folds_by_lane = is_commutative<Op, Acc> && has_identity<Op, Acc>;

/// The units of one warp.
struct warp_share {
  std::int64_t unit, end, step;
};

/// Each lane keeps a running value; only the warps' values are then joined across lanes. `warp_from_end` counts the
/// grid's warps from the last one: the last ones have fewer units, and take the loads behind the complete units, a row
/// each, and the edges.
template <int BlockSize, class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ Acc fold_by_lane(const this_block& block, const reduce_input<In, LoadsPerThread>& input,
                                            warp_share share, std::int64_t warp_from_end, const Op& op) {
  using input_type = reduce_input<In, LoadsPerThread>;
  using T = typename input_type::value_type;
  Acc total = static_cast<Acc>(identity_element<Op, Acc>::value());
  // A row of the loads behind the units, and head and tail with their up to 15 elements each, are under way meanwhile.
  std::int64_t odd_load = input.load_index(share.end, 0) + warp_from_end * warp_size;
  auto odd = zero_bytes<decltype(load_at<T>(input.in, 0))>();
  const bool has_odd = odd_load < input.loads;
  if (has_odd) odd = load_at<T>(input.in, input.position(odd_load));
  auto edge = zero_bytes<uninitialized_array<T, 1>>();
  std::int64_t edge_at = -1;
  if constexpr (input_type::load_items > 1) {
    const int lane = int(ptx::lane()), from_end = warp_size - lane;
    const bool in_head = lane < input.head, in_tail = from_end <= input.tail();
    if (warp_from_end == 0 && (in_head || in_tail)) edge_at = in_head ? lane : input.n - from_end;
    if (edge_at >= 0) edge[0] = input.in[edge_at];
  }
  for (std::int64_t unit = share.unit; unit < share.end; unit += share.step) {
    if constexpr (joins_units<In>) join_unit(total, input, unit);
    else total = op(total, thread_reduce(load_unit<Acc>(input, unit, op), op));
  }
  if (has_odd) total = op(total, fold_load_at<Acc>(input.in, odd, input.position(odd_load), op));
  if constexpr (BlockSize / warp_size < LoadsPerThread) {  // there may be fewer warps than rows
    while ((odd_load += share.step * warp_size) < input.loads) {
      const std::int64_t at = input.position(odd_load);
      total = op(total, fold_load_at<Acc>(input.in, load_at<T>(input.in, at), at, op));
    }
  }
  if (edge_at >= 0) total = op(total, make_accumulator<Acc>(input.in, edge[0], edge_at));
  return block_join_warps<BlockSize>(block, warp_reduce(warp_tile<warp_size>{}, total, op), op, BlockSize / warp_size);
}

/// Each warp reduces its units one by one, in order, the first one behind the head and the last one before the tail.
/// Only the first `sharers` warps of the grid have a share.
template <int BlockSize, class Acc, int LoadsPerThread, class In, class Op>
__device__ __forceinline__ Acc fold_in_order(const this_block& block, const reduce_input<In, LoadsPerThread>& input,
                                             warp_share share, std::int64_t warp, std::int64_t sharers, const Op& op,
                                             const Acc& none) {
  using input_type = reduce_input<In, LoadsPerThread>;
  constexpr int warps = BlockSize / warp_size;
  Acc total = none;
  bool has_total = false;
  auto append = [&](const Acc& next) {
    total = has_total ? op(total, next) : next;
    has_total = true;
  };
  auto append_edge = [&](std::int64_t first, int count) {
    append(warp_all_reduce(warp_tile<warp_size>{}, load_edge(input.in, first, count, none), op, count));
  };
  if constexpr (input_type::load_items > 1) {
    if (warp == 0 && input.head > 0) append_edge(0, input.head);
  }
  for (std::int64_t unit = share.unit; unit < share.end; ++unit) {
    const std::int64_t left = input.loads - unit * input_type::unit_loads;
    if (left >= input_type::unit_loads) append(warp_all_reduce_rows(load_unit<Acc>(input, unit, op), op));
    else append(warp_all_reduce_rows(load_last_unit<Acc>(input, unit, op, none), op, int(left)));
  }
  if constexpr (input_type::load_items > 1) {
    if (warp == sharers - 1 && input.tail() > 0) append_edge(input.n - input.tail(), input.tail());
  }
  const std::int64_t valid_warps = sharers - std::int64_t(blockIdx.x) * warps;
  return block_join_warps<BlockSize>(block, total, op, valid_warps < warps ? int(valid_warps) : warps);
}

/// One launch, any size: every warp folds its units, every block its warps, the last block all blocks.
///
/// With an operator that commutes and has an identity, warps take units round robin. Otherwise each warp takes one
/// contiguous run of units, and the order is kept.
/// The type of `state` says how the blocks meet.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op, class State>
__global__ void __launch_bounds__(BlockSize, 1)
    reduce_kernel(reduce_input<In, LoadsPerThread> input, Out out, Op op, Acc init, State state) {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator must take two values of the accumulator type and return one");
  constexpr int warps = BlockSize / warp_size;
  constexpr bool by_lane = folds_by_lane<Op, Acc>;
  const this_block block;
  ptx::let_next_grid_start();
  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps;
  int warp_in_block = int(threadIdx.x) / warp_size;
  // What a lane tells all others is the same for all of them: the compiler need not guard shuffles in branches on it.
  if constexpr (!by_lane) warp_in_block = __shfl_sync(0xffffffffu, warp_in_block, 0);
  const std::int64_t warp = std::int64_t(blockIdx.x) * warps + warp_in_block;
  warp_share share{warp, input.complete_units(), all_warps};
  std::int64_t sharers = all_warps;
  if constexpr (!by_lane) {
    const std::int64_t units = input.units();
    std::int64_t run = 0, longer = units;
    if (units > all_warps) {  // else there is nothing to divide; a short input would feel the time that it takes
      run = units / all_warps;
      longer = units % all_warps;
    } else {
      sharers = units > 0 ? units : 1;  // without a unit, the first warp has the edges
    }
    const std::int64_t first = warp * run + (warp < longer ? warp : longer);
    share = {first, first + run + (warp < longer), 1};
  }
  const std::int64_t complete = input.complete_units();
  if (share.unit < complete && complete <= prefetched_units * all_warps) prefetch_unit(input, share.unit);
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (block.thread_rank() == 0) *out = init;
    return;
  }
  const bool is_last = block.thread_rank() == 0 && arrives_last(state);
  auto fold = [&] {
    if constexpr (by_lane) return fold_by_lane<BlockSize, Acc>(block, input, share, all_warps - 1 - warp, op);
    else return fold_in_order<BlockSize>(block, input, share, warp, sharers, op, init);
  };
  grid_join_blocks<BlockSize>(block, fold(), op, state, [&](const Acc& all) { *out = op(init, all); }, is_last);
}

}  // namespace gpuprim::detail
