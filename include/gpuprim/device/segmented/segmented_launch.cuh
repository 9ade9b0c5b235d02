// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/few_segments_kernel.cuh>
#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/input/raw_input.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace_lease.cuh>
#include <gpuprim/device/segmented/segment_runs_kernel.cuh>
#include <gpuprim/device/segmented/segment_turns_kernel.cuh>

#include <algorithm>

namespace gpuprim::detail {

/// Calls `go` with a zeroed buffer of `needed` bytes.
template <class Go>
outcome with_workspace(std::int64_t needed, const options& how, const Go& go) {
  workspace_lease lease(needed, how);
  if (lease.error()) return lease.refusal();
  return lease.finish(go(lease.data()));
}

/// The shape of the kernels: that of the policy, or one warp where its warps do not have room in 40 KiB of shared
/// memory.
template <class In, class Acc>
struct segmented_shape {
  static constexpr std::int64_t warp_bytes = sizeof(segment_scratch<In, Acc>);
  static_assert(warp_bytes <= 40960, "gpuprim::segmented_reduce: elements and accumulators have at most 256 bytes");
  static constexpr int block_size =
      warp_bytes * segmented_policy::block_size / warp_size <= 40960 ? segmented_policy::block_size : warp_size;
  static constexpr bool is_small = are_small<In, Acc>;
  static constexpr bool are_words = sizeof(Acc) == 4 && sizeof(input_value<In>) == 4;
  static constexpr int blocks_per_multiprocessor =
      is_small ? segmented_policy::shape_of<Acc>.blocks_per_multiprocessor : 1;
  /// The same where few segments are taken.
  static constexpr int few_block_size = segmented_policy::few_block_size;
  static constexpr int few_blocks_per_multiprocessor = is_small ? segmented_policy::few_blocks_per_multiprocessor : 1;
  /// The same where whole blocks take segments: 64 registers are enough for words of 4 bytes alone.
  static constexpr int quarters = are_words ? 4 : is_small ? 3 : 1;
  static constexpr int single_block_size = segmented_policy::single_block_size;
  static constexpr int single_blocks_per_multiprocessor =
      quarters * segmented_policy::single_blocks_per_multiprocessor / 4;
  static constexpr int group_blocks_per_multiprocessor =
      quarters * segmented_policy::group_blocks_per_multiprocessor / 4;
  static constexpr int warp_blocks_per_multiprocessor = quarters * segmented_policy::warp_blocks_per_multiprocessor / 4;
  static constexpr int bound_blocks_per_multiprocessor =
      quarters * segmented_policy::bound_blocks_per_multiprocessor / 4;
  static constexpr int short_list_blocks_per_multiprocessor =
      quarters * segmented_policy::short_list_blocks_per_multiprocessor / 4;
  static constexpr std::int64_t block_items = segment_tile_shape<In, Acc>::values * (block_size / warp_size);
};

template <class Acc, class In, class Op>
constexpr void check_segmented_types() {
  static_assert(element<input_value<In>>,
                "gpuprim::segmented_reduce: the element type must be trivially copyable and assignable");
  static_assert(element<Acc>,
                "gpuprim::segmented_reduce: the accumulator type must be trivially copyable and assignable");
  static_assert(is_operator_on<Op, Acc>,
                "gpuprim::segmented_reduce: the operator's const operator() must take two values of the accumulator "
                "type and return one");
}

/// Launches the kernel for segments that follow each other, with at most so many blocks.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_segmented(In in, const Segments& segments, std::int64_t most_blocks, Out out, Op op, Acc init,
                         const options& how) {
  check_segmented_types<Acc, In, Op>();
  using shape = segmented_shape<In, Acc>;
  constexpr auto kernel =
      &segmented_kernel<shape::block_size, shape::blocks_per_multiprocessor, Acc, In, Segments, Out, Op>;
  const found_shape found = find_shape<kernel>(most_blocks, shape::block_size);
  if (found.error != cudaSuccess) return {found.error};
  return with_workspace(segmented_state<Acc>::bytes(found.grid.grid_size), how, [&](void* buffer) {
    return launch(found.when, kernel, found.grid, how.stream, in, segments,
                  put_segment<Acc, Out, Op>{out, op, init}, segmented_state<Acc>::lay_over(buffer));
  });
}

/// The two kernels for many segments by offsets.
template <class Acc, class In, class Segments, class Out, class Op>
struct turns_kernels {
  using shape = segmented_shape<In, Acc>;
  static constexpr int block_size = segmented_policy::turn_block_size;
  static constexpr int most = segmented_policy::turn_blocks_per_multiprocessor;
  static constexpr auto turns =
      &segment_turns_kernel<block_size, shape::are_words ? most : most - 1, Acc, In, Segments, Out, Op>;
  static constexpr auto cuts = &segment_cuts_kernel<shape::block_size, shape::blocks_per_multiprocessor - 1, Acc, In,
                                                    Segments, Out, Op>;
};

/// Launches them, with at most so many blocks.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_segment_turns(In in, const Segments& segments, std::int64_t most_blocks, Out out, Op op, Acc init,
                             const options& how) {
  check_segmented_types<Acc, In, Op>();
  using kernels = turns_kernels<Acc, In, Segments, Out, Op>;
  const found_shape turns = find_shape<kernels::turns>(most_blocks, kernels::block_size);
  if (turns.error != cudaSuccess) return {turns.error};
  const found_shape cuts = find_shape<kernels::cuts>(most_blocks, segmented_shape<In, Acc>::block_size);
  if (cuts.error != cudaSuccess) return {cuts.error};
  const put_segment<Acc, Out, Op> put{out, op, init};
  return with_workspace(turns_state<Acc>::bytes(), how, [&](void* buffer) {
    const auto state = turns_state<Acc>::lay_over(buffer);
    const cudaError_t e = launch(turns.when, kernels::turns, turns.grid, how.stream, in, segments, put, state);
    if (e != cudaSuccess) return e;
    return launch(cuts.when, kernels::cuts, cuts.grid, how.stream, in, segments, put, state,
                  turns.grid.grid_size * (kernels::block_size / warp_size));
  });
}

/// Launches a kernel that takes short segments that lie anywhere and lists the others, and the one for these.
template <auto Kernel, class Acc, class In, class Segments, class Out, class Op, class... Width>
outcome launch_bound_kernels(const found_shape& first, In in, const Segments& segments, int most_blocks,
                             const put_segment<Acc, Out, Op>& put, const options& how, Width... width) {
  using shape = segmented_shape<In, Acc>;
  constexpr bool in_parts = is_commutative<Op, Acc>;
  constexpr int block_size = in_parts ? segmented_policy::listed_block_size : shape::block_size;
  constexpr int blocks = in_parts && shape::is_small ? segmented_policy::listed_blocks_per_multiprocessor : 1;
  constexpr auto long_ones = &long_segments_kernel<block_size, blocks, Acc, In, Segments, Out, Op>;
  const found_shape second = find_shape<long_ones>(most_blocks, block_size);
  if (second.error != cudaSuccess) return {second.error};
  return with_workspace(segment_list<Acc>::bytes(segments.count), how, [&](void* buffer) {
    const auto list = segment_list<Acc>::lay_over(buffer);
    const cudaError_t e = launch(first.when, Kernel, first.grid, how.stream, in, segments, width..., put, list);
    if (e != cudaSuccess) return e;
    return launch(second.when, long_ones, second.grid, how.stream, in, segments, put, list);
  });
}

/// Launches the two kernels for segments that lie anywhere.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_segment_bounds(In in, const Segments& segments, Out out, Op op, Acc init, const options& how,
                              int most_blocks) {
  check_segmented_types<Acc, In, Op>();
  using shape = segmented_shape<In, Acc>;
  const put_segment<Acc, Out, Op> put{out, op, init};
  const auto blocks_of = [&](int warps) {
    return (std::min<std::int64_t>)((segments.count - 1) / warps + 1, most_blocks);
  };
  if constexpr (is_commutative<Op, Acc>) {
    constexpr int block_size = segmented_policy::bound_block_size, warps = block_size / warp_size;
    constexpr auto of_short_list =
        &short_list_kernel<block_size, shape::short_list_blocks_per_multiprocessor, Acc, In, Segments, Out, Op>;
    const found_shape found = find_shape<of_short_list>(blocks_of(warps), block_size);
    if (found.error != cudaSuccess) return {found.error};
    const std::int64_t all_warps = std::int64_t{found.grid.grid_size} * warps, width = segments.count / all_warps;
    if (width < warp_size - 1) {  // each warp has so many, or one more in the first `wider` blocks
      const int wider = int((segments.count - width * all_warps + warps - 1) / warps);
      return launch_bound_kernels<of_short_list>(found, in, segments, most_blocks, put, how, int(width), wider);
    }
    constexpr auto of_rows =
        &segment_bounds_kernel<block_size, shape::bound_blocks_per_multiprocessor, Acc, In, Segments, Out, Op>;
    const found_shape rows = find_shape<of_rows>(blocks_of(warps), block_size);
    if (rows.error != cudaSuccess) return {rows.error};
    return launch_bound_kernels<of_rows>(rows, in, segments, most_blocks, put, how);
  } else {
    constexpr int block_size = shape::block_size, warps = block_size / warp_size;
    constexpr auto of_runs = &segment_runs_kernel<block_size, Acc, In, Segments, Out, Op>;
    const found_shape runs = find_shape<of_runs>(blocks_of(warps), block_size);
    if (runs.error != cudaSuccess) return {runs.error};
    const std::int64_t width = (segments.count - 1) / (std::int64_t{runs.grid.grid_size} * warps) + 1;
    return launch_bound_kernels<of_runs>(runs, in, segments, most_blocks, put, how,
                                         int((std::min<std::int64_t>)(width, warp_size)));
  }
}

/// Launches the kernel for few segments.
template <class Acc, class In, class Segments, class Out, class Op>
outcome launch_few_segments(In in, const Segments& segments, std::int64_t most_blocks, Out out, Op op, Acc init,
                            const options& how) {
  check_segmented_types<Acc, In, Op>();
  using shape = segmented_shape<In, Acc>;
  constexpr int block_size = shape::few_block_size;
  constexpr auto kernel =
      &few_segments_kernel<block_size, shape::few_blocks_per_multiprocessor, Acc, In, Segments, Out, Op>;
  constexpr int most = segmented_policy::few_blocks_per_multiprocessor;
  found_shape found = find_shape<kernel, 1>(most_blocks, block_size);  // a segment may have any length
  if (segments.count > found.grid.grid_size) found = find_shape<kernel, most>(most_blocks, block_size);
  if (found.error != cudaSuccess) return {found.error};
  using state_type = segment_parts_state<Acc>;
  const int blocks = found.grid.grid_size;
  return with_workspace(state_type::bytes(segments.count, blocks), how, [&](void* buffer) {
    return launch(found.when, kernel, found.grid, how.stream, in, segments,
                  put_segment<Acc, Out, Op>{out, op, init}, state_type::lay_over(buffer, segments.count, blocks));
  });
}

}  // namespace gpuprim::detail
