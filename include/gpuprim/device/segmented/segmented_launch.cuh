// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/segmented/bounds_kernel.cuh>
#include <gpuprim/launch/workspace_lease.cuh>

namespace gpuprim::detail {

/// The shape of the kernels for some types.
template <class In, class Acc>
struct segmented_shape {
  using policy = segmented_policy;
  static constexpr std::int64_t warp_bytes = sizeof(segment_scratch<In, Acc>);
  static constexpr std::int64_t most_scratch_bytes = 40960;  // of static shared memory, of which every GPU has more
  static_assert(warp_bytes <= most_scratch_bytes,
                "gpuprim::segmented_reduce: elements and accumulators have at most 256 bytes");
  /// One warp where more have no room for their tiles.
  static constexpr int block_size =
      warp_bytes * policy::block_size / warp_size <= most_scratch_bytes ? policy::block_size : warp_size;
  static constexpr bool is_small = are_small<In, Acc>;
  static constexpr bool are_words = sizeof(Acc) <= 4 && sizeof(input_value<In>) <= 4;
  static constexpr int blocks_per_multiprocessor = !is_small          ? 1
                                                   : sizeof(Acc) <= 4 ? policy::word_blocks_per_multiprocessor
                                                                      : policy::wide_blocks_per_multiprocessor;
  /// Blocks of other kernels, which so have 64 registers a thread, or 85, or as many as they want.
  static constexpr int blocks_of(int threads) {
    return are_words ? max_block_size / threads : is_small ? max_block_size * 3 / 4 / threads : 1;
  }
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

/// The launch for consecutive segments, of which there may be few.
template <list_size Size, class Acc, class In, class Segments, class Out, class Op>
struct consecutive_launch {
  using shape = segmented_shape<In, Acc>;
  using policy = segmented_policy;
  static constexpr bool are_few = Size == list_size::few;
  static constexpr int block_size = are_few ? policy::few_block_size : shape::block_size;
  static constexpr int blocks = !are_few          ? shape::blocks_per_multiprocessor
                                : shape::is_small ? policy::few_blocks_per_multiprocessor
                                                  : 1;
  static constexpr auto kernel = &segmented_kernel<Size, block_size, blocks, Acc, In, Segments, Out, Op>;

  /// Does nothing where `segments` are more than the warps of few blocks, and returns does_not_fit.
  static outcome run(In in, const Segments& segments, Out out, Op op, Acc init, const options& how) {
    check_segmented_types<Acc, In, Op>();
    found_shape found = find_shape<kernel>(max_grid_blocks, block_size);
    if (found.error != cudaSuccess) return {found.error};
    if constexpr (are_few) {
      if (segments.count > std::int64_t{found.grid.grid_size} * (block_size / warp_size)) return {does_not_fit};
      if (segments.count <= found.grid.grid_size / blocks) found.grid.grid_size /= blocks;  // one on a multiprocessor
    }
    const auto cuts = list_cuts::make(segments.count, found.grid.grid_size, block_size);
    workspace_lease lease(segmented_state<Acc>::bytes, how);
    if (lease.error()) return lease.refusal();
    return lease.finish(gpuprim::launch(found.when, kernel, found.grid, how.stream, in, segments, cuts,
                               put_segment<Acc, Out, Op>{out, op, init},
                               segmented_state<Acc>::lay_over(lease.data(), found.grid.grid_size)));
  }
};

/// The two launches for segments that lie anywhere.
template <class Acc, class In, class Segments, class Out, class Op>
struct bounds_launch {
  using shape = segmented_shape<In, Acc>;
  static constexpr int block_size = segmented_policy::block_size, blocks = shape::blocks_of(block_size);
  static constexpr auto first =
      &bounds_kernel<bounds_pass::take_and_list, block_size, blocks, Acc, In, Segments, Out, Op>;
  static constexpr auto second =
      &bounds_kernel<bounds_pass::take_listed, block_size, (blocks * 3 + 3) / 4, Acc, In, Segments, Out, Op>;

  static outcome run(In in, const Segments& segments, Out out, Op op, Acc init, const options& how) {
    check_segmented_types<Acc, In, Op>();
    const std::int64_t most = (segments.count - 1) / (block_size / warp_size) + 1;  // a segment for each warp
    const found_shape takes = find_shape<first>(most, block_size);
    if (takes.error != cudaSuccess) return {takes.error};
    const found_shape ends = find_shape<second>(max_grid_blocks, block_size);
    if (ends.error != cudaSuccess) return {ends.error};
    workspace_lease lease(segmented_state<Acc>::bytes, how);
    if (lease.error()) return lease.refusal();
    const auto state = segmented_state<Acc>::lay_over(lease.data(), ends.grid.grid_size);
    const put_segment<Acc, Out, Op> put{out, op, init};
    const std::int64_t row = (segments.count - 1) / (std::int64_t{takes.grid.grid_size} * (block_size / warp_size)) + 1;
    const int width = row < warp_size ? int(row) : warp_size;  // of each warp's rows, of which it has one if they fit
    cudaError_t e = launch(takes.when, first, takes.grid, how.stream, in, segments, width, put, state);
    if (e == cudaSuccess) e = launch(ends.when, second, ends.grid, how.stream, in, segments, width, put, state);
    return lease.finish(e);
  }
};

}  // namespace gpuprim::detail
