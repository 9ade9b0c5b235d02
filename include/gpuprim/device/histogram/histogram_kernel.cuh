// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/histogram/histogram_input.cuh>
#include <gpuprim/thread/bins.cuh>
#include <gpuprim/warp/warp_segmented_reduce.cuh>

namespace gpuprim::detail {

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

template <class Counter, class Finder, int Channels>
struct histogram_slots {
  histogram_slot<Counter, Finder> slot[Channels];
  int kept_bins;  ///< of all slots
  int copies;     ///< of them in shared memory, a power of two
  bool are_clear;  ///< the counts, since a launch before
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

/// What the blocks of a grid share; zero before and after.
struct histogram_state {
  unsigned* arrivals;
  unsigned* waiting;  ///< blocks that have not seen yet that the result is clear; 0 before it is
  static constexpr std::int64_t bytes = 64;
  static histogram_state lay_over(void* buffer) {
    if (buffer == nullptr) return {};
    auto* words = static_cast<unsigned*>(buffer);
    return {words, words + 8};
  }
};

/// The bins of all slots in the shared memory of a block, with several copies where there is room: neighbouring lanes
/// count in different ones, which lie in different banks.
template <int BlockSize, int Channels, class Counter, class Finder>
struct shared_bins {
  const histogram_slots<Counter, Finder, Channels>& channels;
  unsigned* words;
  ptx::shared_address counters[Channels];  ///< where those of bin 0 are, or were, that the lane counts in

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
  /// Adds the sums of the copies to the result, those of the kept bin i to bin(slot, i). Lanes begin at different
  /// copies, so that they read different banks. Values of one bin lie side by side; where bins are few, they are added
  /// up first.
  template <bool AreValues, class Bin>
  __device__ void flush(const Bin& bin) const {
#pragma unroll
    for (int j = 0; j < Channels; ++j) {
      const auto& to = channels.slot[j];
      if (to.counts == nullptr) continue;
      for (int i = int(threadIdx.x); i < to.kept_bins; i += BlockSize) {
        const unsigned* row = words + (to.first_bin + i) * channels.copies;
        const int start = int(threadIdx.x) * channels.copies / warp_size;
        unsigned sum = 0;
        for (int copy = 0; copy < channels.copies; ++copy) sum += row[(start + copy) & (channels.copies - 1)];
        if (!AreValues && sum == 0) continue;
        const int at = bin(j, i);
        if constexpr (AreValues) {
          if (to.bins <= 64) {  // whole warps of values
            const bool is_first = detail::shuffle_up(at, 1) != at || ptx::lane() == 0;
            sum = gpuprim::warp_segmented_reduce(warp_tile<warp_size>{}, sum, is_first, plus<unsigned>{});
            if (!is_first) sum = 0;
          }
        }
        if (sum > 0 && at < to.bins) atomicAdd(&to.counts[at], static_cast<Counter>(sum));
      }
    }
  }
};

/// Called by one warp a block: that of the first block to arrive clears the result. The others need not wait for it.
template <int Channels, class Counter, class Finder>
__device__ __forceinline__ void clear_result(const histogram_slots<Counter, Finder, Channels>& channels,
                                             const histogram_state& state) {
  const int lane = int(ptx::lane());
  bool is_first = gridDim.x == 1;
  if (lane == 0 && gridDim.x > 1) is_first = atomicInc(state.arrivals, gridDim.x - 1) == 0;
  if (!__any_sync(0xffffffffu, is_first)) return;
#pragma unroll
  for (int j = 0; j < Channels; ++j) {
    if (channels.slot[j].counts == nullptr) continue;
    for (int i = lane; i < channels.slot[j].bins; i += warp_size) channels.slot[j].counts[i] = 0;
  }
  __syncwarp();
  if (lane == 0 && gridDim.x > 1) ptx::store_release(state.waiting, gridDim.x);
}

/// Sets counts to zero, for a kernel that starts early: after a memset it would not.
template <int BlockSize, class Counter>
__global__ void __launch_bounds__(BlockSize) clear_counts_kernel(Counter* counts, int bins) {
  ptx::begin_kernel();
  const int step = int(gridDim.x) * BlockSize;
  for (std::int64_t i = std::int64_t(blockIdx.x) * BlockSize + threadIdx.x; i < bins; i += step) counts[i] = 0;
}

/// Counts few samples, a thread each, in counts that are zero; those of a warp that meet in a bin are added at once.
template <int BlockSize, int Channels, class In, class Counter, class Finder>
__global__ void __launch_bounds__(BlockSize)
    few_samples_kernel(histogram_input<Channels, In> input, histogram_slots<Counter, Finder, Channels> channels) {
  ptx::begin_kernel();
  Finder find[Channels];
  begin_finders(find, channels);
  const int lane = int(ptx::lane());
  const std::int64_t step = std::int64_t(gridDim.x) * BlockSize;
  for (std::int64_t i = std::int64_t(blockIdx.x) * BlockSize + threadIdx.x; i - lane < input.n; i += step) {
    Counter* to = nullptr;
    unsigned number = 0;  // of the bin, from 1 on
    if (i < input.n) {
      detail::for_sample(input, i, [&](int slot, const input_value<In>& sample) {
        const auto& own = channels.slot[slot];
        const int bin = own.counts ? find[slot](sample) : own.bins;
        if (bin == own.bins) return;
        to = &own.counts[bin];
        number = unsigned(own.first_bin + bin) + 1;
      });
    }
    const unsigned same = __match_any_sync(0xffffffffu, number);
    if (to && __ffs(int(same)) - 1 == lane) atomicAdd(to, Counter(__popc(same)));
  }
}

/// Counts samples. Every block counts a share of them in bins of its own and adds those to the result, which the block
/// that arrives first has cleared meanwhile.
template <int BlockSize, int LoadsPerThread, int Channels, class In, class Counter, class Finder>
__global__ void __launch_bounds__(BlockSize, 1)
    histogram_kernel(histogram_input<Channels, In> input, histogram_schedule schedule,
                     histogram_slots<Counter, Finder, Channels> channels, histogram_state state) {
  using input_type = histogram_input<Channels, In>;
  using T = typename input_type::value_type;
  const shared_bins<BlockSize, Channels, Counter, Finder> bins(channels);
  const int rank = int(threadIdx.x);
  ptx::let_next_grid_start();
  detail::prefetch_samples(input, schedule);
  bins.clear();
  ptx::wait_for_previous_grid();
  Finder find[Channels];
  begin_finders(find, channels);
  __syncthreads();
  // The last warp, for those of small inputs have no samples from some rank on.
  if (rank >= BlockSize - warp_size && !channels.are_clear) clear_result(channels, state);
  const auto count = [&](int slot, const T& sample) {
    if (channels.slot[slot].counts == nullptr) return;
    if constexpr (counts_values<In>) {
      unsigned char value;
      std::memcpy(&value, &sample, 1);
      bins.add(slot, value);
    } else {
      bins.add(slot, find[slot](sample));
    }
  };
  const auto bin_of_kept = [&](int slot, int kept) {
    if constexpr (counts_values<In>) {
      const auto value = static_cast<unsigned char>(kept);
      uninitialized_array<T, 1> sample;
      std::memcpy(static_cast<void*>(&sample), &value, 1);
      return find[slot](sample[0]);
    } else {
      return kept;
    }
  };
  bool must_wait = rank == BlockSize - warp_size && gridDim.x > 1 && !channels.are_clear;
  const std::int64_t turns = schedule.turns;
  std::int64_t turn = 0;
  do {
    const std::int64_t end = turns - turn > schedule.most_turns ? turn + schedule.most_turns : turns;
    detail::for_samples<packet_rows<LoadsPerThread, input_type>>(input, schedule, turn, end, count);
    turn = end;
    if (turn == turns) detail::for_edges(input, count);
    if (must_wait) {
      while (ptx::load_acquire(state.waiting) == 0) {
      }
      atomicSub(state.waiting, 1u);  // nobody waits for this; the last one leaves 0
      must_wait = false;
    }
    __syncthreads();
    bins.template flush<counts_values<In>>(bin_of_kept);
    if (turn < turns) {
      __syncthreads();
      bins.clear();
      __syncthreads();
    }
  } while (turn < turns);
}

}  // namespace gpuprim::detail
