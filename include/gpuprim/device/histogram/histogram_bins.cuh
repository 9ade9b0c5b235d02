// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The bins of a histogram: where they are in memory, and the counters that a block keeps of them.
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/operators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/thread/bins.cuh>
#include <gpuprim/warp/warp_segmented_reduce.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// Counters of the caller as the types that atomics take.
template <class Counter>
using atomic_counter = std::conditional_t<sizeof(Counter) == 4, unsigned, unsigned long long>;

/// 8-bit samples are counted by value: only the 256 sums are looked up in the bins.
template <class In>
inline constexpr bool counts_values = sizeof(input_value<In>) == 1;

/// What is counted of the samples of one channel. The first sample of a packet has channel slot 0, whatever its
/// channel.
template <class Counter, class Finder>
struct histogram_slot {
  Finder find;
  Counter* counts = nullptr;  ///< null: the channel is not counted
  int bins = 0;
  int first_bin = 0;      ///< of the slot's, among those that a block keeps
  int kept_bins = 0;      ///< one for each bin and one for the samples outside, or one for each value of 8 bits
  int first_found = 0;    ///< the number that the finder gives the first bin
  int finder_offset = 0;  ///< of the finder's shared memory
};

/// When the counts of the caller are set to zero: while the blocks count, or by a launch before.
enum class clearing { while_counting, before };

template <class Counter, class Finder, int Channels>
struct histogram_slots {
  histogram_slot<Counter, Finder> slot[Channels];
  int kept_bins;  ///< of all slots
  int copies;     ///< of them in shared memory, a power of two
  clearing clear;
};

/// Copies the finders, and lets each begin with what it keeps in shared memory.
template <int Channels, class Counter, class Finder>
__device__ __forceinline__ void begin_finders(Finder (&find)[Channels],
                                              const histogram_slots<Counter, Finder, Channels>& channels) {
#pragma unroll
  for (int j = 0; j < Channels; ++j) {
    find[j] = channels.slot[j].find;
    if (channels.slot[j].counts != nullptr) find[j].begin(channels.slot[j].finder_offset);
  }
}

/// Bins up to which the sums of neighbouring values that are in one bin are joined before they are added to it. With
/// more bins too few values share a bin for that to save additions.
inline constexpr int most_bins_of_joined_values = 64;

/// The bins of all slots in the shared memory of a block, with several copies where there is room: neighbouring lanes
/// count in different ones, which lie in different banks.
template <int BlockSize, int Channels, class In, class Counter, class Finder>
struct shared_bins {
  const histogram_slots<Counter, Finder, Channels>& channels;
  unsigned* words;
  ptx::shared_address counters[Channels];  ///< where the lane would count the number 0 of the finder

  __device__ explicit shared_bins(const histogram_slots<Counter, Finder, Channels>& s)
      : channels(s), words(dynamic_shared<unsigned>()) {
    const int copy = int(ptx::lane()) & (channels.copies - 1);
#pragma unroll
    for (int j = 0; j < Channels; ++j) {
      const int bin_0 = channels.slot[j].first_bin - channels.slot[j].first_found;
      counters[j] = ptx::find_shared_address(words) + ptx::shared_address(bin_0 * channels.copies + copy) * 4;
    }
  }
  __device__ void clear() const {
    auto* wide = reinterpret_cast<uint4*>(words);
    const int loads = (channels.kept_bins * channels.copies + 3) / 4;
    for (int i = int(threadIdx.x); i < loads; i += BlockSize) wide[i] = uint4{0, 0, 0, 0};
  }
  __device__ __forceinline__ void add(int slot, int bin) const {
    ptx::count_one(counters[slot] + unsigned(bin * channels.copies) * 4);
  }
  /// Adds the sums of the copies to the result. Lanes begin at different copies, so that they read different banks.
  __device__ void flush(const Finder (&find)[Channels]) const {
#pragma unroll
    for (int j = 0; j < Channels; ++j) {
      const auto& to = channels.slot[j];
      if (to.counts == nullptr) continue;
      for (int i = int(threadIdx.x); i < to.kept_bins; i += BlockSize) {
        const unsigned* row = words + (to.first_bin + i) * channels.copies;
        const int start = int(threadIdx.x) * channels.copies / warp_size;
        unsigned sum = 0;
        for (int copy = 0; copy < channels.copies; ++copy) sum += row[(start + copy) & (channels.copies - 1)];
        if constexpr (counts_values<In>) {
          add_values(to, find_value(find[j], i), sum);
        } else if (sum > 0 && i < to.bins) {
          atomicAdd(&to.counts[i], static_cast<Counter>(sum));
        }
      }
    }
  }

 private:
  using value_type = input_value<In>;

  __device__ __forceinline__ static int find_value(const Finder& find, int value) {
    const auto byte = static_cast<unsigned char>(value);
    uninitialized_array<value_type, 1> sample;
    std::memcpy(static_cast<void*>(&sample), &byte, 1);
    return find(sample[0]);
  }
  /// Adds the sum of a value to its bin. The 256 values are whole warps; those of one bin lie side by side.
  __device__ __forceinline__ static void add_values(const histogram_slot<Counter, Finder>& to, int bin, unsigned sum) {
    if (to.bins <= most_bins_of_joined_values) {
      const bool is_first = detail::shuffle_up(bin, 1) != bin || ptx::lane() == 0;
      sum = gpuprim::warp_segmented_reduce(warp_tile<warp_size>{}, sum, is_first, plus<unsigned>{});
      if (!is_first) sum = 0;
    }
    if (sum > 0 && bin < to.bins) atomicAdd(&to.counts[bin], static_cast<Counter>(sum));
  }
};

}  // namespace gpuprim::detail
