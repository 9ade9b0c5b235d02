// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/arguments/element_count.cuh>
#include <gpuprim/device/input/reduce_input.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/reduce/reduce_fold.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/policy/reduce_policy.hpp>

#include <limits>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

template <class In, int LoadsPerThread>
struct counted_reduce_input : reduce_input<In, LoadsPerThread> {
  element_count count;
};

/// The input that a kernel gets for an array, and the array itself.
template <class In, int LoadsPerThread = 1>
struct kernel_input {
  using array = In;
  using type = reduce_input<In, LoadsPerThread>;
  static constexpr bool is_counted = false;
  static type make(const type& input, std::int64_t) { return input; }
};
template <class In, int LoadsPerThread>
struct kernel_input<counted_array<In>, LoadsPerThread> {
  using array = In;
  using type = counted_reduce_input<In, LoadsPerThread>;
  static constexpr bool is_counted = true;
  static type make(const reduce_input<In, LoadsPerThread>& input, const element_count& count) { return {input, count}; }
};

/// One launch, any size: every warp folds its units, every block its warps, the last block all blocks.
///
/// With an operator that commutes and has an identity, a warp takes units in turn with others. Otherwise each warp
/// takes one contiguous run of units, and the order is kept. If the elements are as many as a number in device memory
/// says, the grid is that for the most of them, and some blocks may have no share.
template <int BlockSize, int LoadsPerThread, class Acc, class In, class Out, class Op>
__global__ void __launch_bounds__(BlockSize, 1)
    reduce_kernel(typename kernel_input<In, LoadsPerThread>::type input, Out out, Op op, kernel_value<Acc> first,
                  grid_reduce_state<Acc> state) {
  const Acc& init = first;
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::reduce: the operator's const operator() must take two values of the accumulator type and "
                "return one");
  constexpr int warps = BlockSize / warp_size;
  constexpr bool by_lane = folds_by_lane<Op, Acc>;
  const this_block block;
  ptx::let_next_grid_start();
  constexpr bool is_counted = kernel_input<In>::is_counted;
  if constexpr (is_counted) {
    ptx::wait_for_previous_grid();
    input.cut(input.count.read());
  }
  const std::int64_t all_warps = std::int64_t(gridDim.x) * warps;
  int warp_in_block = int(threadIdx.x / warp_size);
  // A shuffled value is known to be equal in all lanes, so that the compiler need not guard shuffles in branches on it.
  if constexpr (!by_lane) warp_in_block = __shfl_sync(0xffffffffu, warp_in_block, 0);
  const std::int64_t warp = std::int64_t(blockIdx.x) * warps + warp_in_block;
  const std::int64_t complete = input.complete_units();
  std::int64_t sharers = all_warps;
  unit_share share;
  if constexpr (by_lane) {
    share = deal_in_turn<partial_round_of<typename kernel_input<In>::array>>(complete, warps);
  } else {
    const std::int64_t units = input.units();
    if (units > all_warps) {  // a shorter input has nothing to divide, and divisions take long
      const unit_share of_block = share_evenly(0, units, int(gridDim.x), int(blockIdx.x));
      share = share_evenly(of_block.unit, of_block.end, warps, warp_in_block);
    } else {
      sharers = units > 0 ? units : 1;  // where there is no unit, the first warp has the edges
      share = {warp, warp + 1, warp < units ? warp + 1 : warp, 1};
    }
  }
  if (share.begins_before(complete) && complete <= prefetched_units * all_warps) {
    detail::prefetch_unit(input, share.unit);
  }
  ptx::wait_for_previous_grid();
  if (input.n == 0) {
    if (block.thread_rank() == 0) detail::assign(*out, init);
    return;
  }
  grid_arrival arrival;
  if (block.thread_rank() == 0) arrival = detail::arrive_in_grid(state);
  const auto finish = [&](const Acc& all) { detail::assign(*out, op(init, all)); };
  if constexpr (by_lane) {
    const Acc own = detail::fold_by_lane<BlockSize, Acc>(block, input, share, op);
    detail::grid_join_blocks<BlockSize>(block, own, op, state, finish, arrival);
  } else {
    if constexpr (is_counted) {
      if (std::int64_t(blockIdx.x) * warps >= sharers) {
        const Acc none = static_cast<Acc>(identity_element<Op, Acc>::value());
        return detail::grid_join_blocks<BlockSize>(block, none, op, state, finish, arrival);
      }
    }
    const Acc own = detail::fold_in_order<BlockSize>(block, input, share, warp, sharers, op, init);
    detail::grid_join_blocks<BlockSize>(block, own, op, state, finish, arrival);
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS

/// Enough memory for a reduce of n elements, on any GPU and policy.
template <class Acc>
constexpr std::int64_t most_reduce_bytes(std::int64_t n) {
  return grid_reduce_bytes<Acc>(n < max_grid_blocks ? n : max_grid_blocks);
}

/// What a reduce starts from, and the caller's options.
template <class Acc>
struct reduce_start {
  Acc init;
  const options& how;
};

/// Everything of a call that depends on the policy: kernel, grid, launch.
template <reduce_policy Policy, class Acc, class In, class Out, class Op>
struct reduce_launch : private reduce_types<input_value<In>, Acc, Out, Op> {
  static constexpr int block_size = Policy.block_size, loads_per_thread = Policy.loads_per_thread;
  static constexpr int rows = count_rows<In>(loads_per_thread), warps = block_size / warp_size;
  static constexpr int most_blocks = Policy.blocks_per_multiprocessor;
  static_assert(block_size >= warp_size && block_size <= max_block_size && block_size % warp_size == 0,
                "gpuprim::reduce: BlockSize must be a multiple of 32 from 32 to 1024");
  static_assert(loads_per_thread >= 1 && loads_per_thread <= 16 && (loads_per_thread & (loads_per_thread - 1)) == 0,
                "gpuprim::reduce: LoadsPerThread must be 1, 2, 4, 8 or 16");
  static_assert(most_blocks >= 0 && most_blocks <= 32,
                "gpuprim::reduce: BlocksPerMultiprocessor must be 1 to 32, or 0 for as many as fit");

  using input_type = reduce_input<In, rows>;
  using state_type = grid_reduce_state<Acc>;

  static input_type make_input(const In& in, std::int64_t n) {
    // Where the order is kept, no other warp may take the loads before the first cache line.
    constexpr auto start = folds_by_lane<Op, Acc> ? unit_start::at_cache_line : unit_start::behind_head;
    return detail::make_reduce_input<rows, start>(in, n);
  }

  /// Checks the arguments and launches. Count: a std::int64_t, or an element_count, which the kernel reads.
  template <class Count>
  static outcome run(const In& in, const Count& count, const Out& out, const Op& op, const reduce_start<Acc>& from) {
    constexpr bool is_counted = std::is_same_v<Count, element_count>;
    static_assert(!is_counted || has_identity<Op, Acc>,
                  "gpuprim::reduce: a count in device memory needs an operator that has an identity; specialize "
                  "identity_element");
    using read = std::conditional_t<is_counted, counted_array<In>, In>;
    constexpr auto kernel = &reduce_kernel<block_size, rows, Acc, read, Out, Op>;
    const std::int64_t n = detail::most_of(count);
    if (const outcome bad = detail::check_arguments(in, n, out); bad.failed()) return bad;
    if (const outcome bad = detail::check_count(count, 0); bad.failed()) return bad;
    const input_type input = make_input(in, n);
    const auto found = find_shape<kernel, most_blocks>(detail::ceil_div(input.units(), warps), block_size);
    if (found.error != cudaSuccess) return {found.error};
    const bool is_alone = !is_counted && found.grid.grid_size == 1;
    memory_lease lease(is_alone ? 0 : grid_reduce_bytes<Acc>(found.grid.grid_size), from.how);
    if (lease.error()) return lease.refusal();
    const state_type state = is_alone ? state_type{} : make_grid_reduce_state<Acc>(lease.zeroed());
    constexpr int thread_bytes = rows * input_type::load_items * int(sizeof(input_value<In>));
    const auto given = kernel_input<read, rows>::make(input, count);
    return lease.finish(detail::launch_main(found, kernel, thread_bytes, from.how, given, out, op, from.init, state));
  }
};

/// What the kernel for an input does, as far as the policy asks.
template <class In, class Acc, class Op>
constexpr reduce_work find_reduce_work() {
  constexpr int size = sizeof(input_value<In>);
  constexpr bool fits_load = size >= load_bytes || load_bytes % size == 0;
  constexpr bool has_short_values = sizeof(Acc) <= 8 || sizeof(Acc) <= size;
  // Elements of one or two bytes that are not added take as long to join as to read.
  constexpr bool joins_narrow = size <= 2 && !is_from<Op, plus>;
  if constexpr (size >= least_long_element_bytes) return reduce_work::long_elements;
  else if constexpr (loads_in_row<In> > 1) return reduce_work::grouped;
  else if constexpr (!fits_load || !has_short_values || joins_units<In> || joins_narrow) return reduce_work::costly;
  else return reduce_work::plain;
}

/// Chooses the shape, and runs it: launches it from a `reduce_start`, describes it in a `launch_plan`.
template <class Acc, class In, class Count, class Out, class Op>
outcome run_tuned(const In& in, const Count& count, const Out& out, const Op& op, const reduce_start<Acc>& from) {
  const std::int64_t n = detail::most_of(count);
  constexpr std::int64_t size = sizeof(input_value<In>), most = (std::numeric_limits<std::int64_t>::max)() / size;
  constexpr reduce_shapes shapes = find_reduce_shapes(find_reduce_work<In, Acc, Op>(), int(size));
  const reduce_policy chosen = shapes.choose((n < most ? n : most) * size);  // run refuses too many elements
  if (chosen == shapes.least) return reduce_launch<shapes.least, Acc, In, Out, Op>::run(in, count, out, op, from);
  if (chosen == shapes.middle) return reduce_launch<shapes.middle, Acc, In, Out, Op>::run(in, count, out, op, from);
  if (chosen == shapes.medium) return reduce_launch<shapes.medium, Acc, In, Out, Op>::run(in, count, out, op, from);
  return reduce_launch<shapes.large, Acc, In, Out, Op>::run(in, count, out, op, from);
}

/// A reduce of what a caller passed, with the policy for it.
template <class Acc, class In, class Count, class Out, class Op, class Init>
outcome reduce_tuned(const In& in, const Count& n, const Out& out, const Op& op, const Init& init, const options& how) {
  if (const outcome bad = detail::check_initial_value<Acc>(init); bad.failed()) return bad;
  const reduce_start<Acc> from{static_cast<Acc>(detail::convertible<Acc>(init)), how};
  return detail::with_input<array_form::grouped>(in, [&](const auto& array) {
    return detail::run_tuned<Acc>(array, n, detail::unwrap_contiguous(out), detail::joining<Acc>(op), from);
  });
}

/// The launch for one policy that is spelled out, run as in run_tuned.
template <reduce_policy Policy, class Acc, class In, class Out, class Op>
outcome reduce_with(const In& in, std::int64_t n, const Out& out, const Op& op, const reduce_start<Acc>& from) {
  return detail::with_input<array_form::grouped>(in, [&]<class Array>(const Array& array) {
    const auto result = detail::unwrap_contiguous(out);
    const auto join = detail::joining<Acc>(op);
    using launch_type =
        reduce_launch<Policy, Acc, Array, std::remove_const_t<decltype(result)>, std::remove_const_t<decltype(join)>>;
    return launch_type::run(array, n, result, join, from);
  });
}

}  // namespace gpuprim::detail
