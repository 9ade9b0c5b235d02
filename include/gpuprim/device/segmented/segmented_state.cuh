// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/segmented/segments.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/policy/segmented_policy.hpp>

namespace gpuprim::inline v0_2_0::detail {

template <class Acc, class Op>
__device__ constexpr void check_segmented_operator() {
  static_assert(std::is_invocable_r_v<Acc, const Op&, const Acc&, const Acc&>,
                "gpuprim::segmented_reduce: the operator's const operator() must take two values of the accumulator "
                "type and return one");
}

/// What the blocks of a segmented reduce share, in a zeroed buffer that is zero again after the call.
template <class Acc>
struct segmented_state {
  unsigned* drawn;                ///< segments that blocks have drawn
  unsigned* listed;               ///< parts in the list, or that would be in it
  unsigned* left;                 ///< blocks that have done with the list
  grid_reduce_state<Acc> blocks;  ///< of shares, or of parts
  unsigned* begun;                ///< parts of the segment whose first part has this place
  std::uint64_t* list;            ///< parts of long segments that lie anywhere: segment, and index in it
  unsigned places;                ///< for parts

  /// Mail of long accumulators would take much memory.
  static constexpr int places_per_block = sizeof(Acc) <= 8 ? segmented_policy::list_places_per_block : 1;
  static constexpr std::int64_t most_places = max_grid_blocks * places_per_block;
  static constexpr std::int64_t head_bytes = 64, begun_bytes = most_places * 4;
  static constexpr std::int64_t mail_bytes = (grid_reduce_bytes<Acc>(most_places) + 15) / 16 * 16;
  static constexpr std::int64_t bytes = head_bytes + begun_bytes + mail_bytes + most_places * 8;

  /// For a grid of so many blocks.
  static segmented_state lay_over(void* buffer, int blocks) {
    auto* const head = static_cast<unsigned*>(buffer);
    char* const begun = static_cast<char*>(buffer) + head_bytes;
    char* const mail = begun + begun_bytes;
    return {head, head + 1, head + 2, make_grid_reduce_state<Acc>(mail), reinterpret_cast<unsigned*>(begun),
            reinterpret_cast<std::uint64_t*>(mail + mail_bytes), unsigned(blocks * places_per_block)};
  }
};

}  // namespace gpuprim::detail
