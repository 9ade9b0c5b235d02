// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/expects.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/device/common/put_segment.cuh>
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

/// Segments by offsets: segment i begins at offsets[i] and ends before offsets[i + 1].
template <class Offsets, int EndItems = tile_end_items>
struct offset_segments {
  static constexpr int end_items = EndItems;
  using offset_type = input_value<Offsets>;
  Offsets offsets;
  std::int64_t count;

  __device__ std::int64_t first() const { return static_cast<std::int64_t>(offsets[0]); }
  __device__ std::int64_t last() const { return static_cast<std::int64_t>(offsets[count]); }
  __device__ std::int64_t begin(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i]); }
  __device__ std::int64_t end(std::int64_t i) const { return static_cast<std::int64_t>(offsets[i + 1]); }
  /// A warp starts to copy the ends of n segments from `first` on to shared memory, lane l each 32nd. They are there
  /// after ptx::wait_for_copies().
  __device__ void ask_ends(std::int64_t first, int n, offset_type* to) const {
    const int lane = int(ptx::lane());
    if constexpr (std::is_pointer_v<Offsets>) {
      Offsets from = offsets + (first + 1 + lane);
      to += lane;
#pragma unroll 4
      for (int left = n - lane; left > 0; left -= warp_size, from += warp_size, to += warp_size) {
        ptx::copy_async(to, from);
      }
    } else {
      for (int t = lane; t < n; t += warp_size) to[t] = offsets[first + 1 + t];
    }
  }
  /// end(i) - base, which is not negative, but at most `most`.
  __device__ int distance(offset_type asked, std::int64_t, std::int64_t base, int most) const {
    using word = std::make_unsigned_t<offset_type>;  // 32 bits are enough for a difference of 32-bit numbers
    const word difference = static_cast<word>(asked) - static_cast<word>(base);
    return difference < word(most) ? int(difference) : most;
  }

  /// Where an item lies. A whole warp calls it, and looks at 32 segments in each step.
  __device__ item_place find(std::int64_t item) const {
    std::int64_t low = 0, high = count, low_begin = first();
    while (low < high) {
      const std::int64_t step = (high - low + warp_size - 1) / warp_size;
      const std::int64_t at = low + (ptx::lane() + 1) * step - 1, own_end = at < high ? end(at) : 0;
      const bool is_before = at < high && item_number<EndItems>(own_end, at) < item;
      const int passed = __popc(__ballot_sync(0xffffffffu, is_before));
      const std::int64_t last_end = detail::shuffle(warp_tile<warp_size>{}, own_end, passed > 0 ? passed - 1 : 0);
      const std::int64_t next_high = low + (passed + 1) * step - 1;
      if (passed > 0) {
        low += passed * step;
        low_begin = last_end;
      }
      if (next_high < high) high = next_high;
      if (low > high) low = high;
    }
    return item_place::behind<EndItems>(item, low, low_begin);
  }
};

/// Checks on the SIMT device that offsets do not decrease. On a GPU such offsets may keep a kernel from ending.
template <class Offsets, int EndItems>
__device__ void expects_order(const offset_segments<Offsets, EndItems>& segments) {
  if constexpr (checks_promises) {
    const std::int64_t threads = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < segments.count; i += threads) {
      expects(segments.begin(i) <= segments.end(i),
              "gpuprim::segmented_reduce: the offsets must not decrease: number %lld is above the next", {}, i);
    }
  }
}

/// Segments of other kinds may lie anywhere.
template <class Segments>
__device__ constexpr void expects_order(const Segments&) {}

/// Segments that lie anywhere: segment i begins at begins[i] and ends before ends[i]. One whose end is not after its
/// begin is empty.
template <class Begins, class Ends>
struct bound_segments {
  Begins begins;
  Ends ends;
  std::int64_t count;

  __device__ std::int64_t begin(std::int64_t i) const { return static_cast<std::int64_t>(begins[i]); }
  __device__ std::int64_t end(std::int64_t i) const { return static_cast<std::int64_t>(ends[i]); }
};

/// Segments of one length each, the first of which begins at `origin`.
struct fixed_segments {
  static constexpr int end_items = tile_end_items;
  std::int64_t origin, length, count;

  __device__ std::int64_t first() const { return origin; }
  __device__ std::int64_t last() const { return origin + count * length; }
  __device__ std::int64_t begin(std::int64_t i) const { return origin + i * length; }
  __device__ std::int64_t end(std::int64_t i) const { return begin(i + 1); }
  struct offset_type {};  // nothing is read
  __device__ void ask_ends(std::int64_t, int, offset_type*) const {}
  __device__ int distance(offset_type, std::int64_t i, std::int64_t base, int most) const {
    const std::int64_t difference = end(i) - base;
    return difference < most ? int(difference) : most;
  }
  __device__ item_place find(std::int64_t item) const {
    const std::int64_t ended = (item - origin + end_items - 1) / (length + end_items);
    const std::int64_t segment = ended < count ? ended : count;
    return item_place::behind<end_items>(item, segment, begin(segment));
  }
};

}  // namespace gpuprim::detail
