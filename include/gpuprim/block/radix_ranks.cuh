// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/ptx/sm_70_match.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// What the warps of a block share while they rank by a digit.
template <int Warps, int Bins>
struct radix_places {
  std::uint32_t of[Warps][Bins];  ///< first how many items a warp has, and then where its next one goes
};

/// Finds where each item of a block goes if they are sorted by a digit: items of the same digit keep their order. The
/// lanes of a warp hold consecutive items in rows, so that item i of a lane is number 32 * i + lane of its warp.
///
/// Each warp counts its digits, then the block knows where each warp's items of each digit begin, and at last each warp
/// gives places to its items row by row. The lanes that have the same digit in a row find each other by votes.
/// See Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
///
/// Unroll: in how many steps at once items get their places, which is all or one. One step at a time is little code.
template <int BlockSize, int Items, int DigitBits, int Unroll = Items>
struct radix_ranks {
  static constexpr int bins = 1 << DigitBits, warps = BlockSize / warp_size;
  static_assert(BlockSize % warp_size == 0 && BlockSize >= bins, "each digit needs a thread that sums its counts");
  static_assert(Unroll == Items || Unroll == 1);

  using storage = radix_places<warps, bins>;  ///< shared memory

  storage& shared;
  const int rows = Items;  ///< that belong to each warp
  const int used = Items;  ///< rows of the own warp that have items
  const int rank = int(this_block::thread_rank()), warp = rank / warp_size, lane = rank % warp_size;

  /// For `count` items alone, which are spread over the warps. Of the rows behind `used` there are no places.
  __device__ static radix_ranks spread(storage& shared, int count) {
    const int rows = (count + BlockSize - 1) / BlockSize;
    const int before = int(this_block::thread_rank()) / warp_size * rows * warp_size;
    const int used = (count - before + warp_size - 1) / warp_size;
    return {shared, rows, used < rows ? used : rows};
  }

  /// The number of the thread's item i in the block.
  __device__ int number_of(int i) const { return (warp * rows + i) * warp_size + lane; }

  /// Counts the digits. Thread d returns how many items of the block have the digit d, the threads behind return 0.
  /// @sync one barrier; nobody may be using the shared memory any more.
  __device__ __forceinline__ unsigned count(const unsigned (&digits)[Items]) const {
    return count_each([&](int i) { return digits[i]; });
  }
  template <class DigitOf>
  __device__ __forceinline__ unsigned count_each(const DigitOf& digit_of) const {
    std::uint32_t* const own = shared.of[warp];
#pragma unroll
    for (int d = lane; d < bins; d += warp_size) own[d] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (i < used) atomicAdd(&own[digit_of(i)], 1u);
    }
    this_block::sync();
    unsigned sum = 0;
    if (rank < bins) {
#pragma unroll
      for (int w = 0; w < warps; ++w) sum += shared.of[w][rank];
    }
    return sum;
  }

  /// Whether all rows of the calling warp are full of one digit. It is called between `count` and the next barrier.
  __device__ __forceinline__ bool has_one_digit(const unsigned (&digits)[Items]) const {
    return shared.of[warp][digits[0]] == Items * warp_size;
  }

  /// Where the items go. `first`: of thread d, where the first item of the digit d goes. With `has_one_digit` the lanes
  /// need not find each other.
  /// @sync one barrier.
  __device__ __forceinline__ void place(const unsigned (&digits)[Items], unsigned first, unsigned (&places)[Items],
                                        bool has_one_digit = false) const {
    place_each([&](int i) { return digits[i]; }, first, [&](int i, unsigned place) { places[i] = place; },
               has_one_digit);
  }
  /// Calls `go(i, place)` for each item, whose digit is `digit_of(i)`.
  template <class DigitOf, class Go>
  __device__ __forceinline__ void place_each(const DigitOf& digit_of, unsigned first, const Go& go,
                                             bool has_one_digit = false) const {
    if (rank < bins) {
#pragma unroll
      for (int w = 0; w < warps; ++w) {
        const unsigned items = shared.of[w][rank];
        shared.of[w][rank] = first;
        first += items;
      }
    }
    this_block::sync();
    std::uint32_t* const own = shared.of[warp];
    const unsigned lanes_before = (1u << lane) - 1;
    const auto place_one = [&](int i) {
      const unsigned digit = digit_of(i);
      const unsigned same = has_one_digit ? 0xffffffffu : ptx::match_low_bits<DigitBits>(digit);
      const unsigned place = own[digit] + unsigned(__popc(same & lanes_before));
      __syncwarp();
      if (same >> lane == 1) own[digit] = place + 1;  // the last of them
      __syncwarp();
      go(i, place);
    };
    if constexpr (Unroll == 1) {
#pragma unroll 1
      for (int i = 0; i < used; ++i) place_one(i);
    } else {
#pragma unroll
      for (int i = 0; i < Items; ++i) {
        if (i >= used) break;
        place_one(i);
      }
    }
  }
};

}  // namespace gpuprim::detail
