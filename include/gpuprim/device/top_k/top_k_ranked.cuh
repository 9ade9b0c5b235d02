// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How a block ranks what it has found, and writes it in order.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/block/shared_merge_sort.cuh>
#include <gpuprim/device/top_k/top_k_parts.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// A word and a place as a number, which is the greater, the sooner a key is taken.
template <class Word>
struct top_k_packed {
  std::uint64_t bits;

  __device__ static top_k_packed of(Word w, std::int64_t place) {
    return {std::uint64_t(w) << 32 | std::uint32_t(~std::uint32_t(place))};
  }
  __device__ Word word() const { return Word(bits >> 32); }
  __device__ std::int64_t place() const { return std::int64_t(std::uint32_t(~std::uint32_t(bits))); }
};

/// The greatest and the least of some words.
template <class Word>
struct top_k_ends {
  Word high, low;
};
struct join_ends {
  template <class Word>
  __device__ __forceinline__ top_k_ends<Word> operator()(const top_k_ends<Word>& a, const top_k_ends<Word>& b) const {
    return {b.high > a.high ? b.high : a.high, a.low > b.low ? b.low : a.low};
  }
};

/// Entries in bins, and their order where many have almost equal words.
template <class Word>
struct top_k_binned {
  top_k_packed<Word> entries[most_block_sorted];
  merged_orders<most_block_sorted> orders;
};

/// Calls `put(i, entry)` for the first k entries of a block in order. Thread t has those with the numbers t, t +
/// BlockSize and so on of `count`; their words are between two ends. Entries are put in bins by their words, and
/// compared with the others of their bin.
/// @pre  All threads of the block call it. The counters are clear. `begins` has a place for each bin, and one more.
/// @sync the block meets before anything else than the counters is overwritten.
template <int BlockSize, class Word, int Items, class Put>
__device__ __forceinline__ void write_in_order(radix_counters<BlockSize>& counters,
                                               unsigned (&begins)[radix_bins<BlockSize> + 1],
                                               top_k_binned<Word>& binned,
                                               const uninitialized_array<top_k_packed<Word>, Items>& found,
                                               unsigned count, unsigned k, const top_k_ends<Word>& ends,
                                               const Put& put) {
  using entry = top_k_packed<Word>;
  constexpr int bits = radix_bits<BlockSize>, bins = radix_bins<BlockSize>, own_bins = bins / BlockSize;
  constexpr unsigned most_compared = 64;  // entries of a bin up to which each of them is compared with all others
  constexpr unsigned most_in_one = BlockSize < 128 ? BlockSize : 128;  // entries for which one bin is enough
  const this_block block;
  const int rank = int(block.thread_rank());
  const auto is_mine = [&](int i) { return count > unsigned(i * BlockSize + rank); };
  const auto put_in_place = [&](unsigned begin, unsigned end, unsigned own, const entry& mine) {
    unsigned place = begin;
#pragma unroll 4
    for (unsigned other = begin; other < end; ++other) {
      const std::uint64_t with = binned.entries[other].bits;
      place += with > mine.bits || (with == mine.bits && other < own);
    }
    if (k > place) put(place, mine);
  };
  if (most_in_one >= count) {
    if (is_mine(0)) binned.entries[rank] = found[0];
    block.sync();
    if (is_mine(0)) put_in_place(0, count, unsigned(rank), found[0]);
    return;
  }
  const int width = detail::find_bit_width(Word(ends.high - ends.low)), shift = width > bits ? width - bits : 0;
  const auto bin_of = [&](int i) { return int(Word(ends.high - found[i].word()) >> shift); };
  unsigned numbers[Items];
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (is_mine(i)) numbers[i] = atomicAdd(&counters.of[bin_of(i)], 1u);
  }
  block.sync();
  unsigned counts[own_bins], sum = 0;
  bool is_crowded = false;
#pragma unroll
  for (int i = 0; i < own_bins; ++i) {
    counts[i] = counters.of[rank * own_bins + i];
    sum += counts[i];
    is_crowded |= counts[i] > most_compared;
  }
  unsigned first = gpuprim::block_exclusive_scan<BlockSize>(block, sum, plus<unsigned>{});
#pragma unroll
  for (int i = 0; i < own_bins; ++i) {
    begins[rank * own_bins + i] = first;
    first += counts[i];
  }
  if (rank == BlockSize - 1) begins[bins] = first;
  is_crowded = block.any(is_crowded);
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (is_mine(i)) binned.entries[begins[bin_of(i)] + numbers[i]] = found[i];
  }
  block.sync();
  if (is_crowded) {
    const unsigned short* const order = detail::sort_shared<BlockSize>(
        binned.orders, int(count), [&](int a, int b) { return binned.entries[a].bits > binned.entries[b].bits; });
    for (unsigned i = unsigned(rank); i < k; i += BlockSize) put(i, binned.entries[order[i]]);
    return;
  }
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!is_mine(i)) continue;
    const int bin = bin_of(i);
    put_in_place(begins[bin], begins[bin + 1], begins[bin] + numbers[i], found[i]);
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
