// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/device/sort/sort_state.cuh>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_90.cuh>
#include <gpuprim/warp/warp_scan.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Counts how often each digit of the keys has each value, in one pass over them. The last block that is done turns the
/// counts into where the keys of each value begin. The kernel also clears what the first pass of the sort needs.
template <class Shape, class Digits, class Keys>
__global__ void __launch_bounds__(Shape::block_size)
    digit_counts_kernel(Digits digits, Keys keys, std::int64_t n, int first_bit, int end_bit, sort_state state,
                        std::int64_t look_back_words) {
  constexpr int bins = Shape::bins, block_size = Shape::block_size, items = Shape::items;
  constexpr int most = most_digits<Digits, Shape::digit_bits>;
  static_assert(block_size >= bins);
  GPUPRIM_SHARED(counts, std::uint32_t[most][bins]);
  const this_block block;
  const int rank = int(block.thread_rank());
  const std::int64_t thread = std::int64_t(blockIdx.x) * block_size + rank;
  const std::int64_t threads = std::int64_t(gridDim.x) * block_size;
  for (int i = rank; i < most * bins; i += block_size) counts[i / bins][i % bins] = 0;
  block.sync();
  ptx::begin_kernel();
  // Unrolled, this loop and the last one of keys would count their turns, which takes divisions.
#pragma unroll 1
  for (std::int64_t i = thread; i < look_back_words; i += threads) state.look_back[0][i] = 0;
  if (thread == 0) *state.tickets[0] = 0;
  const auto count = [&](const auto& key) {
    const auto& stored = digits.store(key);
#pragma unroll
    for (int d = 0; d < most; ++d) {
      const int bit = first_bit + d * Shape::digit_bits;
      if (d > 0 && bit >= end_bit) break;
      atomicAdd(&counts[d][digits.digit(stored, bit, detail::digit_mask<Shape::digit_bits>(bit, end_bit))], 1u);
    }
  };
  using key = input_value<Keys>;
  std::int64_t at = thread;
  for (; at + (items - 1) * threads < n; at += items * threads) {
    uninitialized_array<key, items> some;
#pragma unroll
    for (int i = 0; i < items; ++i) some[i] = keys[at + i * threads];
#pragma unroll
    for (int i = 0; i < items; ++i) count(some[i]);
  }
#pragma unroll 1
  for (; at < n; at += threads) count(keys[at]);
  block.sync();
  const int used = (end_bit - first_bit + Shape::digit_bits - 1) / Shape::digit_bits, passes = used > 0 ? used : 1;
  for (int i = rank; i < passes * bins; i += block_size) {
    const unsigned of_block = counts[i / bins][i % bins];
    if (of_block > 0) atomicAdd(&state.counts[i], static_cast<unsigned long long>(of_block));
  }
  block.sync();
  bool is_last = false;
  if (rank == 0) is_last = ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1;
  if (!block.any(is_last)) return;
  // A warp takes a pass, and each of its lanes neighbouring digits.
  constexpr int of_lane = bins / warp_size;
  static_assert(of_lane * warp_size == bins);
  for (int pass = rank / warp_size; pass < passes; pass += block_size / warp_size) {
    const int begin = pass * bins + rank % warp_size * of_lane;
    unsigned long long found[of_lane], sum = 0;
#pragma unroll
    for (int i = 0; i < of_lane; ++i) {
      found[i] = ptx::load_relaxed(&state.counts[begin + i]);
      state.counts[begin + i] = 0;
      sum += found[i];
    }
    unsigned long long before = gpuprim::warp_exclusive_scan(warp_tile<warp_size>{}, sum, plus<unsigned long long>{});
#pragma unroll
    for (int i = 0; i < of_lane; ++i) {
      state.begins[begin + i] = before;
      before += found[i];
    }
  }
}

}  // namespace gpuprim::detail
