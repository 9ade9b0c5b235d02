// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/input/raw_input.cuh>
#include <gpuprim/device/reduce/meetings.cuh>
#include <gpuprim/device/reduce/reduce_kernel.cuh>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>
#include <gpuprim/policy/reduce_policy.hpp>

#include <limits>

namespace gpuprim::detail {

/// Everything of a call that depends on the policy: kernel, grid, launch.
template <class Meeting, reduce_policy Policy, class Acc, class In, class Out, class Op>
struct reduce_launch : private reduce_types<input_value<In>, Acc, Out, Op> {
  static constexpr int block_size = Policy.block_size, loads_per_thread = Policy.loads_per_thread;
  static constexpr int rows = count_rows<In>(loads_per_thread);
  static constexpr int most_blocks = Policy.blocks_per_multiprocessor;
  static_assert(block_size >= warp_size && block_size <= max_block_size && block_size % warp_size == 0,
                "gpuprim::reduce: BlockSize must be a multiple of 32 from 32 to 1024");
  static_assert(loads_per_thread >= 1 && loads_per_thread <= 16 && (loads_per_thread & (loads_per_thread - 1)) == 0,
                "gpuprim::reduce: LoadsPerThread must be 1, 2, 4, 8 or 16");
  static_assert(most_blocks >= 0 && most_blocks <= 32,
                "gpuprim::reduce: BlocksPerMultiprocessor must be 1 to 32, or 0 for as many as fit");

  using input_type = reduce_input<In, rows>;
  using state_type = decltype(Meeting::template state<Acc>(nullptr));
  static constexpr auto kernel = &reduce_kernel<block_size, rows, Acc, In, Out, Op, state_type>;

  static input_type make_input(const In& in, std::int64_t n) {
    return detail::make_reduce_input<rows, folds_by_lane<Op, Acc>>(in, n);
  }

  static found_shape find_shape(const input_type& input) {
    constexpr int warps = block_size / warp_size;
    return detail::find_shape<kernel, most_blocks>((input.units() + warps - 1) / warps, block_size);
  }

  static outcome run(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
    const outcome bad = detail::check_arguments(in, n, out);
    if (bad.code != cudaSuccess) return bad;
    const auto input = make_input(in, n);
    const found_shape found = find_shape(input);
    if (found.error != cudaSuccess) return {found.error};
    return launch_shaped(input, found, out, op, init, how);
  }

  static outcome launch_shaped(const input_type& input, const found_shape& found, Out out, Op op, Acc init,
                               const options& how) {
    auto launch_with = [&](void* buffer) {
      return launch(found.when, kernel, found.grid, how.stream, input, out, op, init,
                    buffer ? Meeting::template state<Acc>(buffer) : state_type{});
    };
    if (found.grid.grid_size == 1) return {launch_with(nullptr)};
    workspace_lease lease(Meeting::template bytes<Acc>(found.grid.grid_size), how);
    if (lease.error()) return lease.refusal();
    return lease.finish(launch_with(lease.data()));
  }

  static cudaError_t describe(const In& in, std::int64_t n, launch_plan& plan) {
    const found_shape found = find_shape(make_input(in, n));
    if (found.error != cudaSuccess) return found.error;
    constexpr std::int64_t bytes_per_thread =
        std::int64_t(rows) * input_type::load_items * std::int64_t(sizeof(input_value<In>));
    return describe_launch(kernel, found.grid, bytes_per_thread, plan);
  }
};

template <class Meeting, reduce_policy Policy, class Acc, class In, class Out, class Op>
outcome reduce_with(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
  return detail::with_wide_input(in, [&](auto raw) {
    auto result = detail::unwrap_contiguous(out);
    using launch_type = reduce_launch<Meeting, Policy, Acc, decltype(raw), decltype(result), Op>;
    return launch_type::run(raw, n, result, op, init, how);
  });
}

/// Calls `go` with the launch that the policy for the input gives.
template <class Meeting, class Acc, class In, class Out, class Op, class Go>
auto with_tuned_launch(const In&, std::int64_t n, const Out&, const Op&, const Go& go) {
  constexpr std::int64_t size = sizeof(input_value<In>), most = (std::numeric_limits<std::int64_t>::max)() / size;
  constexpr bool is_triple = loads_in_row<In> > 1;
  constexpr bool is_odd = is_triple || (size < load_bytes && load_bytes % size != 0);
  constexpr bool is_short = sizeof(Acc) <= 8 || sizeof(Acc) <= size;
  constexpr bool is_simple = !is_odd && is_short && !joins_units<In>;
  // 16 loads in flight leave no registers for longer loads than one wide one, for several figures at once, nor to keep
  // the order in.
  constexpr bool is_deep =
      !is_simple && sizeof(Acc) <= 32 && (is_odd || fits_wide_load<In>()) && folds_by_lane<Op, Acc>;
  constexpr bool is_wide = std::is_pointer_v<In> && is_simple && size == 8 && folds_by_lane<Op, Acc>;
  const std::int64_t bytes = n < most ? n * size : most;  // too many is refused below
  if constexpr (size >= 32) {
    constexpr reduce_policy few = find_long_reduce_policy(0, size), many = find_long_reduce_policy(most, size);
    const bool are_few = find_long_reduce_policy(bytes, size) == few;
    if (are_few) return go(reduce_launch<Meeting, few, Acc, In, Out, Op>{});
    return go(reduce_launch<Meeting, many, Acc, In, Out, Op>{});
  } else {
    constexpr reduce_policy medium = is_wide || is_triple ? medium_wide_reduce_policy : medium_reduce_policy;
    constexpr reduce_policy large = is_deep   ? deep_reduce_policy
                                    : is_wide ? large_wide_reduce_policy
                                              : large_reduce_policy;
    constexpr bool is_narrow = size <= 2 && !is_from<Op, plus>;
    constexpr long long most_middle = is_narrow ? most_narrow_middle_bytes : most_middle_bytes;
    // What a small block reads at once is less: three loads where others make four.
    const bool is_less_at_once = is_triple && bytes <= 2 << 20;
    const reduce_policy chosen = find_reduce_policy(is_less_at_once ? bytes + bytes / 3 : bytes, most_middle);
    if (chosen == small_reduce_policy) return go(reduce_launch<Meeting, small_reduce_policy, Acc, In, Out, Op>{});
    if constexpr (is_simple) {
      if (chosen == middle_reduce_policy) return go(reduce_launch<Meeting, middle_reduce_policy, Acc, In, Out, Op>{});
    }
    if (chosen != large_reduce_policy) return go(reduce_launch<Meeting, medium, Acc, In, Out, Op>{});
    return go(reduce_launch<Meeting, large, Acc, In, Out, Op>{});
  }
}

template <class Meeting, class Acc, class In, class Out, class Op>
outcome reduce_tuned(In in, std::int64_t n, Out out, Op op, Acc init, const options& how) {
  return detail::with_wide_input(in, [&](auto raw) {
    auto result = detail::unwrap_contiguous(out);
    return with_tuned_launch<Meeting, Acc>(raw, n, result, op, [&](auto chosen) {
      return decltype(chosen)::run(raw, n, result, op, init, how);
    });
  });
}

/// The plan of the launch that `choose(input, output, describe)` passes to `describe`.
template <class In, class Out, class Choose>
launch_plan plan_reduce(const In& in, std::int64_t n, const Out& out, const Choose& choose) {
  launch_plan plan;
  throw_if_failed("gpuprim::reduce_plan", detail::with_wide_input(in, [&](auto raw) -> outcome {
    const outcome bad = detail::check_input(raw, n);
    if (bad.code != cudaSuccess) return bad;
    return choose(raw, detail::unwrap_contiguous(out), [&]<class Launch>(Launch) -> outcome {
      return {Launch::describe(raw, n, plan)};
    });
  }));
  return plan;
}

}  // namespace gpuprim::detail
