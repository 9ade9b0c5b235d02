// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/input/with_input.cuh>
#include <gpuprim/device/reduce/reduce_kernel.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>
#include <gpuprim/policy/reduce_policy.hpp>

#include <limits>

namespace gpuprim::inline v0_2_0::detail {

/// Blocks that meet in order, through mailboxes.
struct by_mail {
  template <class Acc>
  static constexpr std::int64_t bytes(std::int64_t blocks) { return grid_reduce_bytes<Acc>(blocks); }
  /// Enough for n elements, on any GPU and policy.
  template <class Acc>
  static constexpr std::int64_t most_bytes(std::int64_t n) {
    return bytes<Acc>(n < max_grid_blocks ? n : max_grid_blocks);
  }
  template <class Acc>
  static grid_reduce_state<Acc> make_state(void* buffer) { return make_grid_reduce_state<Acc>(buffer); }

  template <class Acc>
  using state = grid_reduce_state<Acc>;
  using arrival = grid_arrival;

  template <class Acc>
  __device__ __forceinline__ static grid_arrival arrive(const grid_reduce_state<Acc>& state) {
    return detail::arrive_in_grid(state);
  }
  template <int BlockSize, class Block, class Acc, class Op, class Finish>
  __device__ __forceinline__ static void join_blocks(const Block& block, const Acc& own, const Op& op,
                                                     const grid_reduce_state<Acc>& state, const Finish& finish,
                                                     grid_arrival arrival) {
    detail::grid_join_blocks<BlockSize>(block, own, op, state, finish, arrival);
  }
};

/// What a reduce starts from, and the caller's options.
template <class Acc>
struct reduce_start {
  Acc init;
  const options& how;
};

/// Everything of a call that depends on the policy: kernel, grid, launch.
template <class Meeting, reduce_policy Policy, class Acc, class In, class Out, class Op>
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
  using state_type = typename Meeting::template state<Acc>;
  static constexpr auto kernel = &reduce_kernel<block_size, rows, Acc, In, Out, Op, Meeting>;

  static input_type make_input(const In& in, std::int64_t n) {
    // Where the order is kept, no other warp may take the loads before the first cache line.
    constexpr auto start = folds_by_lane<Op, Acc> ? unit_start::at_cache_line : unit_start::behind_head;
    return detail::make_reduce_input<rows, start>(in, n);
  }

  /// Launches the kernel.
  static outcome run(const In& in, std::int64_t n, const Out& out, const Op& op, const reduce_start<Acc>& from) {
    if (const outcome bad = detail::check_arguments(in, n, out); bad.failed()) return bad;
    const input_type input = make_input(in, n);
    const auto [grid, when, error] = find_shape<kernel, most_blocks>((input.units() + warps - 1) / warps, block_size);
    if (error != cudaSuccess) return {error};
    const bool is_alone = grid.grid_size == 1;
    workspace_lease lease(is_alone ? 0 : Meeting::template bytes<Acc>(grid.grid_size), from.how);
    if (lease.error()) return lease.refusal();
    const state_type state = is_alone ? state_type{} : Meeting::template make_state<Acc>(lease.data());
    return lease.finish(gpuprim::launch(when, kernel, grid, from.how.stream, input, out, op, from.init, state));
  }

  /// Says in `plan` how the kernel would be launched.
  static outcome run(const In& in, std::int64_t n, const Out&, const Op&, launch_plan& plan) {
    if (const outcome bad = detail::check_input(in, n); bad.failed()) return bad;
    const input_type input = make_input(in, n);
    const auto found = find_shape<kernel, most_blocks>((input.units() + warps - 1) / warps, block_size);
    if (found.error != cudaSuccess) return {found.error};
    constexpr std::int64_t bytes_per_thread =
        std::int64_t(rows) * input_type::load_items * std::int64_t(sizeof(input_value<In>));
    return {describe_launch(kernel, found.grid, bytes_per_thread, plan)};
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
  else if constexpr (std::is_pointer_v<In> && size == 8 && folds_by_lane<Op, Acc>) return reduce_work::two_words;
  else return reduce_work::plain;
}

/// Chooses the shape, and runs it: launches it from a `reduce_start`, describes it in a `launch_plan`.
template <class Meeting, class Acc, class In, class Out, class Op, class Run>
outcome run_tuned(const In& in, std::int64_t n, const Out& out, const Op& op, Run& run) {
  constexpr std::int64_t size = sizeof(input_value<In>), most = (std::numeric_limits<std::int64_t>::max)() / size;
  constexpr reduce_shapes shapes = find_reduce_shapes(find_reduce_work<In, Acc, Op>(), int(size));
  const reduce_policy chosen = shapes.choose((n < most ? n : most) * size);  // run refuses too many elements
  if (chosen == shapes.least) return reduce_launch<Meeting, shapes.least, Acc, In, Out, Op>::run(in, n, out, op, run);
  if (chosen == shapes.middle) return reduce_launch<Meeting, shapes.middle, Acc, In, Out, Op>::run(in, n, out, op, run);
  if (chosen == shapes.medium) return reduce_launch<Meeting, shapes.medium, Acc, In, Out, Op>::run(in, n, out, op, run);
  return reduce_launch<Meeting, shapes.large, Acc, In, Out, Op>::run(in, n, out, op, run);
}

/// A reduce of what a caller passed, with the policy for it.
template <class Meeting, class Acc, class In, class Out, class Op, class Init>
outcome reduce_tuned(const In& in, std::int64_t n, const Out& out, const Op& op, const Init& init, const options& how) {
  if (const outcome bad = detail::check_initial_value<Acc>(init); bad.failed()) return bad;
  const reduce_start<Acc> from{static_cast<Acc>(detail::convertible<Acc>(init)), how};
  return detail::with_input<array_form::grouped>(in, [&](const auto& array) {
    return run_tuned<Meeting, Acc>(array, n, detail::unwrap_contiguous(out), detail::joining<Acc>(op), from);
  });
}

/// The launch for one policy that is spelled out, run as in run_tuned.
template <reduce_policy Policy, class Acc, class In, class Out, class Op, class Run>
outcome reduce_with(const In& in, std::int64_t n, const Out& out, const Op& op, Run& run) {
  return detail::with_input<array_form::grouped>(in, [&]<class Array>(const Array& array) {
    const auto result = detail::unwrap_contiguous(out);
    const auto join = detail::joining<Acc>(op);
    using launch_type = reduce_launch<by_mail, Policy, Acc, Array, std::remove_const_t<decltype(result)>,
                                      std::remove_const_t<decltype(join)>>;
    return launch_type::run(array, n, result, join, run);
  });
}

}  // namespace gpuprim::detail
