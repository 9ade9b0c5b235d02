// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/histogram/histogram_kernel.cuh>

namespace gpuprim::detail {

/// Counts samples in more bins than fit shared memory. A block keeps counters there for the bins of the first samples
/// that it sees, one for each hash, and counts the others in global memory at once: a bin that takes many samples is
/// almost surely among the first, so that it is not there that blocks meet. The result must be zero before.
template <int BlockSize, int LoadsPerThread, int Channels, class In, class Counter, class Finder>
__global__ void __launch_bounds__(BlockSize, 1)
    scattered_histogram_kernel(histogram_input<Channels, In> input, histogram_schedule schedule,
                               histogram_slots<Counter, Finder, Channels> channels, int log2_counters) {
  using input_type = histogram_input<Channels, In>;
  using T = typename input_type::value_type;
  auto* owners = dynamic_shared<unsigned>();  // the bins that have counters, from 1 on
  auto* counters = owners + (1 << log2_counters);
  const int rank = int(threadIdx.x);
  ptx::let_next_grid_start();
  for (int i = rank; i < 2 << log2_counters; i += BlockSize) owners[i] = 0;
  ptx::wait_for_previous_grid();
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
  detail::for_samples<most_rows>(input, schedule, 0, turns < 1 ? turns : 1, [&](int slot, const T& sample) {
    with_bin(slot, sample, [&](unsigned owner, unsigned at, Counter*) { atomicCAS(&owners[at], 0u, owner); });
  });
  __syncthreads();
  const auto count = [&](int slot, const T& sample) {
    with_bin(slot, sample, [&](unsigned owner, unsigned at, Counter* to) {
      if (owners[at] == owner) atomicAdd(&counters[at], 1u);
      else atomicAdd(to, Counter{1});
    });
  };
  std::int64_t turn = 0;
  do {
    const std::int64_t end = turns - turn > schedule.most_turns ? turn + schedule.most_turns : turns;
    detail::for_samples<most_rows>(input, schedule, turn, end, count);
    turn = end;
    if (turn == turns) detail::for_edges(input, count);
    __syncthreads();
    for (int i = rank; i < 1 << log2_counters; i += BlockSize) {
      const unsigned sum = counters[i];
      if (sum == 0) continue;
      counters[i] = 0;
#pragma unroll
      for (int j = 0; j < Channels; ++j) {
        const unsigned bin = owners[i] - 1 - unsigned(channels.slot[j].first_bin);
        if (channels.slot[j].counts != nullptr && bin < unsigned(channels.slot[j].bins)) {
          atomicAdd(&channels.slot[j].counts[bin], static_cast<Counter>(sum));
        }
      }
    }
    __syncthreads();
  } while (turn < turns);
}

}  // namespace gpuprim::detail
