// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/device/common/sort_block_kernel.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Sorts the keys of a task, and notes large buckets for `LongSorter`. A block takes a task, and a bucket.
template <class Shape, int BlocksPerMultiprocessor, class Arrays, class LongSorter>
__global__ void __launch_bounds__(Shape::block_size, BlocksPerMultiprocessor)
    bucket_end_kernel(Arrays arrays, bucket_state<typename Arrays::digits_type> state,
                      typename LongSorter::state_type long_segments, int long_passes) {
  GPUPRIM_SHARED(large, typename LongSorter::state_type::segment);
  auto& shared = *dynamic_shared<sort_block_shared<Shape, Arrays>>();
  const this_block block;
  ptx::begin_kernel();
  const unsigned number = blockIdx.x;
  if (number < *state.large_found) {
    if (block.thread_rank() == 0) {
      const segment_span span = state.large[number];
      large = {span, long_segments.reserve((span.length - 1) / LongSorter::shape::tile_items + 1)};
    }
    block.sync();
    long_segments.template note<typename LongSorter::shape>(large, long_passes);
  }
  if (number >= *state.tasks_found) return;
  const std::uint32_t begin = state.task_begins[number], length = state.task_begins[number + 1] - begin;
  if (length == 0 || length > std::uint32_t(Shape::tile_items)) return;
  detail::sort_in_block(shared, arrays, {begin, length}, 0, Arrays::digits_type::bits);
}

}  // namespace gpuprim::detail
