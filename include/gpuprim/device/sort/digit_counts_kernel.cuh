// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/sort/sort_pass.cuh>
#include <gpuprim/device/sort/sort_state.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// The digits that a sort of keys may have.
template <class Digits, int DigitBits>
inline constexpr int most_digits = (Digits::bits + DigitBits - 1) / DigitBits;

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
  for (int pass = 0; pass < passes; ++pass) {
    unsigned long long sum = 0;
    if (rank < bins) {
      sum = ptx::load_relaxed(&state.counts[pass * bins + rank]);
      state.counts[pass * bins + rank] = 0;
    }
    const unsigned long long begin =
        gpuprim::block_exclusive_scan<block_size>(block, sum, plus<unsigned long long>{});
    if (rank < bins) state.begins[pass * bins + rank] = begin;
  }
}

}  // namespace gpuprim::detail
