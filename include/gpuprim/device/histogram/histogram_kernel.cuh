// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/histogram/histogram_bins.cuh>
#include <gpuprim/device/histogram/histogram_input.cuh>

namespace gpuprim::inline v0_2_0::detail {

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

/// Called by one warp a block: that of the first block to arrive clears the result.
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

/// Counts samples. Every block counts a share of them in bins of its own in shared memory and adds those to the result,
/// which the block that arrives first clears while all count.
template <int BlockSize, int LoadsPerThread, int Channels, class In, class Counter, class Finder>
__global__ void __launch_bounds__(BlockSize, 1)
    histogram_kernel(typename histogram_kernel_input<Channels, In>::type input, histogram_schedule schedule,
                     histogram_slots<Counter, Finder, Channels> channels, histogram_state state) {
  using array = typename histogram_kernel_input<Channels, In>::array;
  using input_type = histogram_input<Channels, array>;
  using T = typename input_type::value_type;
  const shared_bins<BlockSize, Channels, array, Counter, Finder> bins(channels);
  const int rank = int(threadIdx.x);
  ptx::let_next_grid_start();
  detail::prefetch_samples(input, schedule);
  bins.clear();
  ptx::wait_for_previous_grid();
  if constexpr (histogram_kernel_input<Channels, In>::is_counted) {
    input.cut();
    detail::cut_turns(input, schedule);
  }
  Finder find[Channels];
  begin_finders(find, channels);
  __syncthreads();
  // The last warp clears the result: the warps of a small input that have no samples are the last ones.
  const bool must_clear = channels.clear == clearing::while_counting;
  if (rank >= BlockSize - warp_size && must_clear) clear_result(channels, state);
  const auto count = [&](int slot, const T& sample) {
    if (channels.slot[slot].counts == nullptr) return;
    if constexpr (counts_values<array>) {
      unsigned char value;
      std::memcpy(&value, &sample, 1);
      bins.add(slot, value);
    } else {
      bins.add(slot, find[slot](sample));
    }
  };
  detail::for_samples<packet_rows<LoadsPerThread, input_type>>(input, schedule, schedule.turns, count);
  detail::for_edges(input, count);
  if (rank == BlockSize - warp_size && gridDim.x > 1 && must_clear) {
    while (ptx::load_acquire(state.waiting) == 0) {
    }
    atomicSub(state.waiting, 1u);  // the last block leaves 0; no block waits for this
  }
  __syncthreads();
  bins.flush(find);
}

}  // namespace gpuprim::detail
