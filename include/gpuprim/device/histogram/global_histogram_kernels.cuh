// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Histograms that are counted in global memory: of few samples, or in more bins than fit shared memory.
#include <gpuprim/device/histogram/histogram_bins.cuh>
#include <gpuprim/device/histogram/histogram_input.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Sets counts to zero, for a kernel that starts early, which it could not after a memset.
template <int BlockSize, class Counter>
__global__ void __launch_bounds__(BlockSize) clear_counts_kernel(Counter* counts, int bins) {
  ptx::begin_kernel();
  const int step = int(gridDim.x) * BlockSize;
  for (std::int64_t i = std::int64_t(blockIdx.x) * BlockSize + threadIdx.x; i < bins; i += step) counts[i] = 0;
}

/// Counts few samples, a thread each. The result must be zero before. Lanes of a warp with a common bin share one
/// atomic addition.
template <int BlockSize, int Channels, class In, class Counter, class Finder>
__global__ void __launch_bounds__(BlockSize)
    few_samples_kernel(typename histogram_kernel_input<Channels, In>::type input,
                       histogram_slots<Counter, Finder, Channels> channels) {
  using array = typename histogram_kernel_input<Channels, In>::array;
  ptx::begin_kernel();
  if constexpr (histogram_kernel_input<Channels, In>::is_counted) input.cut();
  Finder find[Channels];
  begin_finders(find, channels);
  const int lane = int(ptx::lane());
  const std::int64_t step = std::int64_t(gridDim.x) * BlockSize;
  for (std::int64_t i = std::int64_t(blockIdx.x) * BlockSize + threadIdx.x; i - lane < input.n; i += step) {
    Counter* to = nullptr;
    unsigned number = 0;  // of the bin, from 1 on
    if (i < input.n) {
      detail::for_sample(input, i, [&](int slot, const input_value<array>& sample) {
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

/// Counts samples in more bins than fit shared memory. The result must be zero before. A block keeps counters in shared
/// memory for the bins of the first samples that it sees, one for each hash, and counts the others in global memory. A
/// bin of many samples is almost surely among the first ones, so that blocks do not contend for it in global memory.
template <int BlockSize, int LoadsPerThread, int Channels, class In, class Counter, class Finder>
__global__ void __launch_bounds__(BlockSize, 1)
    cached_histogram_kernel(typename histogram_kernel_input<Channels, In>::type input, histogram_schedule schedule,
                            histogram_slots<Counter, Finder, Channels> channels, int log2_counters) {
  using input_type = histogram_input<Channels, typename histogram_kernel_input<Channels, In>::array>;
  using T = typename input_type::value_type;
  auto* owners = dynamic_shared<unsigned>();  // the bins that have counters, from 1 on
  auto* counters = owners + (1 << log2_counters);
  const int rank = int(threadIdx.x);
  ptx::let_next_grid_start();
  for (int i = rank; i < 2 << log2_counters; i += BlockSize) owners[i] = 0;
  ptx::wait_for_previous_grid();
  if constexpr (histogram_kernel_input<Channels, In>::is_counted) {
    input.cut();
    detail::cut_turns(input, schedule);
  }
  Finder find[Channels];
  begin_finders(find, channels);
  __syncthreads();
  const auto with_bin = [&](int slot, const T& sample, const auto& go) {
    if (channels.slot[slot].counts == nullptr) return;
    const int bin = find[slot](sample);
    if (bin == channels.slot[slot].bins) return;
    const unsigned owner = unsigned(channels.slot[slot].first_bin + bin) + 1;
    go(owner, owner * 2654435769u >> (32 - log2_counters), &channels.slot[slot].counts[bin]);
  };
  constexpr int most_rows = packet_rows<LoadsPerThread, input_type>;
  const std::int64_t turns = schedule.turns;
  detail::for_samples<most_rows>(input, schedule, turns < 1 ? turns : 1, [&](int slot, const T& sample) {
    with_bin(slot, sample, [&](unsigned owner, unsigned at, Counter*) { atomicCAS(&owners[at], 0u, owner); });
  });
  __syncthreads();
  const auto count = [&](int slot, const T& sample) {
    with_bin(slot, sample, [&](unsigned owner, unsigned at, Counter* to) {
      if (owners[at] == owner) atomicAdd(&counters[at], 1u);
      else atomicAdd(to, Counter{1});
    });
  };
  detail::for_samples<most_rows>(input, schedule, turns, count);
  detail::for_edges(input, count);
  __syncthreads();
  for (int i = rank; i < 1 << log2_counters; i += BlockSize) {
    const unsigned sum = counters[i];
    if (sum == 0) continue;
#pragma unroll
    for (int j = 0; j < Channels; ++j) {
      const unsigned bin = owners[i] - 1 - unsigned(channels.slot[j].first_bin);
      if (channels.slot[j].counts != nullptr && bin < unsigned(channels.slot[j].bins)) {
        atomicAdd(&channels.slot[j].counts[bin], static_cast<Counter>(sum));
      }
    }
  }
}

}  // namespace gpuprim::detail
