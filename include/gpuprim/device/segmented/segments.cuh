// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/put_segment.cuh>
#include <gpuprim/grid/grid_reduce.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/policy/segmented_policy.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/warp/shuffle.cuh>

#include <cstdint>
#include <type_traits>

namespace gpuprim::inline v0_2_0::detail {

// Consecutive segments make one sequence of items: the values of segment 0, its end, the values of segment 1, its end,
// and so on. Item numbers count both, so that a share of items bounds the values and the segments in it. An end takes
// several items, for it takes as long as several values, and belongs to the share that has the first of them. The
// sequence begins with item first().

/// Items of an end where warps walk over tiles, and where a block takes one segment after the other.
inline constexpr int tile_end_items = 4, block_end_items = 1024;

/// The item number of a value of segment i, or of the segment's end if `value` is where it ends.
template <int EndItems = tile_end_items>
__device__ __forceinline__ constexpr std::int64_t item_number(std::int64_t value, std::int64_t i) {
  return value + EndItems * i;
}

/// Where an item lies: which segment is open there, and the next of its values.
struct item_place {
  std::int64_t segment, value;

  /// Behind the ends of so many segments, the last of which is where the next begins.
  template <int EndItems>
  __device__ static item_place behind(std::int64_t item, std::int64_t segments, std::int64_t begin) {
    const std::int64_t value = item - EndItems * segments;
    return {segments, value < begin ? begin : value};
  }
};

/// What is copied to know where a segment ends: an offset, or nothing.
template <class Segments>
struct segment_end {
  struct type {};
};
template <class Offsets>
struct segment_end<offset_segments<Offsets>> {
  using type = input_value<Offsets>;
};

/// Consecutive segments as items.
template <class Segments, int EndItems = tile_end_items>
struct segment_items : Segments {
  static constexpr int end_items = EndItems;
  using offset_type = typename segment_end<Segments>::type;

  constexpr explicit segment_items(const Segments& segments) : Segments(segments) {}
  __device__ std::int64_t first() const { return this->begin(0); }
  __device__ std::int64_t last() const { return this->begin(this->count); }
  /// A warp starts to copy the ends of n segments from `first` on to shared memory, lane l each 32nd. They are there
  /// after ptx::wait_for_copies().
  __device__ void ask_ends([[maybe_unused]] std::int64_t first, int n, offset_type* to) const {
    if constexpr (!are_fixed<Segments>) {
      const int lane = int(ptx::lane());
      if constexpr (std::is_pointer_v<decltype(this->offsets)>) {
        auto from = this->offsets + (first + 1 + lane);
        to += lane;
#pragma unroll 4
        for (int left = n - lane; left > 0; left -= warp_size, from += warp_size, to += warp_size) {
          ptx::copy_async(to, from);
        }
      } else {
        for (int t = lane; t < n; t += warp_size) to[t] = this->offsets[first + 1 + t];
      }
    }
  }
  /// end(i) - base, which is not negative, but at most `most`.
  __device__ int distance([[maybe_unused]] offset_type asked, std::int64_t i, std::int64_t base, int most) const {
    if constexpr (are_fixed<Segments>) {
      const std::int64_t difference = this->end(i) - base;
      return difference < most ? int(difference) : most;
    } else {
      using word = std::make_unsigned_t<offset_type>;  // 32 bits are enough for a difference of 32-bit numbers
      const word difference = static_cast<word>(asked) - static_cast<word>(base);
      return difference < word(most) ? int(difference) : most;
    }
  }
  /// Where an item lies. A whole warp calls it.
  __device__ item_place find(std::int64_t item) const {
    if constexpr (are_fixed<Segments>) {
      const std::int64_t ended = (item + EndItems - 1) / (this->length + EndItems);
      const std::int64_t segment = ended < this->count ? ended : this->count;
      return item_place::behind<EndItems>(item, segment, this->begin(segment));
    } else {
      std::int64_t own_end = 0, begin = first();
      const auto is_before = [&](std::int64_t i) {
        own_end = this->end(i);
        return item_number<EndItems>(own_end, i) < item;
      };
      const std::int64_t segment = detail::find_in_order(this->count, 0, is_before, [&](int passed) {
        const std::int64_t last_end = detail::shuffle(warp_tile<warp_size>{}, own_end, passed > 0 ? passed - 1 : 0);
        if (passed > 0) begin = last_end;
      });
      return item_place::behind<EndItems>(item, segment, begin);
    }
  }
};

/// Checks on the SIMT device that offsets do not decrease. On a GPU such offsets may keep a kernel from ending.
template <class Segments>
__device__ void expects_order([[maybe_unused]] const Segments& segments) {
  if constexpr (checks_promises && are_by_offsets<Segments>) {
    const std::int64_t threads = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < segments.count; i += threads) {
      expects(segments.begin(i) <= segments.end(i),
              "gpuprim::segmented_reduce: the offsets must not decrease: number %lld is above the next", {}, i);
    }
  }
}

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
    auto* const begun = reinterpret_cast<unsigned*>(static_cast<char*>(buffer) + head_bytes);
    char* const mail = static_cast<char*>(buffer) + head_bytes + begun_bytes;
    auto* const words = reinterpret_cast<std::uint64_t*>(mail + mail_bytes);
    return {
        head, head + 1, head + 2, make_grid_reduce_state<Acc>(mail), begun, words, unsigned(blocks * places_per_block)};
  }
};

/// The first warps of a block join the values of some mailboxes, in their order. Rank 0 gets the result.
template <int Threads, int Batch, class Acc, class Join>
__device__ __forceinline__ typename Join::value_type join_mail(mailbox<Acc>* boxes, int count, const Join& join) {
  constexpr int batch = sizeof(Acc) <= 8 ? Batch : 1;  // that are on their way at once
  const int rank = int(this_block::thread_rank()), run = (count + Threads - 1) / Threads;
  auto all = join.empty();
  for (int k = 0; k < run; k += batch) {
    const int left = count - rank * run - k, in_run = run - k < batch ? run - k : batch;
    const int expected = left < 0 ? 0 : left < in_run ? left : in_run;
    const auto box_at = [&](int i) -> mailbox<Acc>& { return boxes[rank * run + k + i]; };
    const auto mail = mailbox<Acc>::template receive<batch>(box_at, expected);
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (i < expected) all = join(all, mail[i]);
    }
  }
  if constexpr (Threads == warp_size) return gpuprim::warp_reduce(warp_tile<warp_size>{}, all, join);
  else return gpuprim::block_reduce<Threads>(this_block{}, all, join);
}

}  // namespace gpuprim::detail
