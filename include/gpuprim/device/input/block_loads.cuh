// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a block reads one segment.
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/device/input/segment_loads.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// What a thread of a block has of the values from `from` to before `to`, which begin at a line where they are many.
template <int BlockSize, class Acc, class In, class Join>
__device__ __forceinline__ typename Join::value_type read_by_block(const bounded_input<In>& input, std::int64_t from,
                                                                   std::int64_t to, const Join& join) {
  constexpr int line = segment_load<In>::line_items < warp_size ? segment_load<In>::line_items : warp_size;
  constexpr std::int64_t most = std::int64_t{1} << 30;  // counted in 32 bits
  constexpr int loads = segmented_policy::long_loads;
  const int rank = int(this_block::thread_rank());
  auto total = join.empty();
#pragma unroll 1
  for (; from < to; from += most) {
    const int length = to - from < most ? int(to - from) : int(most);
    total = join(total, detail::read_segment<Acc, loads, line>(rank, BlockSize, input, from, length, join));
  }
  return total;
}

/// A block reduces the values from `from` to before `to`, where the operator commutes. Rank 0 gets the result.
template <int BlockSize, class Acc, class In, class Join>
__device__ __forceinline__ typename Join::value_type reduce_by_block(const bounded_input<In>& input, std::int64_t from,
                                                                     std::int64_t to, const Join& join) {
  const this_block block;
  auto total = detail::read_by_block<BlockSize, Acc>(input, from, to, join);
  total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, join);
  return detail::block_join_warps<BlockSize>(block, total, join, BlockSize / warp_size);
}

}  // namespace gpuprim::detail
