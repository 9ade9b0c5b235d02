// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/bucket_sort/bucket_plan.cuh>
#include <gpuprim/device/bucket_sort/bucket_sample.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Finds buckets for the keys, and counts the keys of each. The last block that is done plans the launches that follow.
template <int BlockSize, int MostKeys, class Digits, class Keys>
__global__ void __launch_bounds__(BlockSize, 1)
    bucket_counts_kernel(Digits digits, Keys keys, std::int64_t n, bucket_numbers numbers, bucket_shape shape,
                         bucket_state<Digits> state, digit_passes passes) {
  constexpr int items = 8;
  GPUPRIM_SHARED(sample, bucket_sample);
  auto* const counts = dynamic_shared<std::uint32_t>();
  const this_block block;
  const int rank = int(block.thread_rank());
  for (int i = rank; i < numbers.uneven; i += BlockSize) counts[i] = 0;
  ptx::begin_kernel();
  const std::int64_t thread = std::int64_t(blockIdx.x) * BlockSize + rank;
  const std::int64_t threads = std::int64_t(gridDim.x) * BlockSize;
#pragma unroll 1
  for (std::int64_t i = thread; i < passes.count; i += threads) passes.words[i] = 0;
  if (passes.ticket && thread == 0) *passes.ticket = 0;
  using key = input_value<Keys>;
  uninitialized_array<key, items> first;  // which arrive while the block looks at the sample
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (thread + i * threads < n) first[i] = keys[thread + i * threads];
  }
  const auto map = detail::find_buckets<BlockSize>(sample, digits, keys, n, numbers);
  block.sync();
  const auto count_all = [&](const auto& count) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (thread + i * threads < n) count(digits.order(digits.store(first[i])));
    }
    std::int64_t at = thread + items * threads;
    for (; at + (items - 1) * threads < n; at += items * threads) {
      uninitialized_array<key, items> some;
#pragma unroll
      for (int i = 0; i < items; ++i) some[i] = keys[at + i * threads];
#pragma unroll
      for (int i = 0; i < items; ++i) count(digits.order(digits.store(some[i])));
    }
#pragma unroll 1
    for (; at < n; at += threads) count(digits.order(digits.store(keys[at])));
  };
  using word = typename Digits::word;
  if (map.is_even()) {
    bool has_outsiders = false;
    count_all([&](word w) {
      has_outsiders |= !map.distance.is_inside(w);
      atomicAdd(&counts[map.even_bucket(w)], 1u);
    });
    if (has_outsiders) ptx::store_relaxed(state.outsiders, 1u);
  } else {
    count_all([&](word w) { atomicAdd(&counts[map(w, sample.parts)], 1u); });
  }
  block.sync();
  for (int i = rank; i < map.buckets; i += BlockSize) {
    if (counts[i] > 0) atomicAdd(&state.counts[i], counts[i]);
  }
  block.sync();
  bool is_last = false;
  if (rank == 0) is_last = ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1;
  if (!block.any(is_last)) return;
  detail::plan_buckets<BlockSize, MostKeys>(counts, state, map, sample.parts, n, shape, passes);
}

}  // namespace gpuprim::detail
