// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/bucket_sort/bucket_map.cuh>
#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_1_0::detail {

template <class Word, int TileKeys>
struct bucket_pass_shared {
  shared_array<Word, TileKeys> words;
  std::uint32_t counts[bucket_state::most_digits];  ///< and then the places of a digit's next words
  std::uint32_t begins[bucket_state::most_digits];  ///< where a digit's keys go, less where they begin in the tile
  int high;                                         ///< the high digit of all keys of the tile
};

/// Moves keys of the same buckets together: by the bits of a bucket's number from `low_bits` on, or, where keys lie
/// together by these, by the bits below. Keys of a bucket keep no order. A block takes a tile.
template <int BlockSize, int Items, int BlocksPerMultiprocessor, class Digits, class Keys, class Key>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    bucket_pass_kernel(Digits digits, Keys keys, Key* out, std::int64_t n, int low_bits, bool is_last_pass,
                       bucket_state state) {
  using word = typename Digits::word;
  constexpr int tile_keys = BlockSize * Items, most = bucket_state::most_digits;
  auto& shared = *dynamic_shared<bucket_pass_shared<word, tile_keys>>();
  const this_block block;
  const int rank = int(block.thread_rank());
  ptx::begin_kernel();
  if (*state.way == sort_way::by_digits) return;
  for (int i = rank; i < most; i += BlockSize) shared.counts[i] = 0;
  const auto bucket_of = *static_cast<const buckets_of<Digits>*>(state.map);
  const int shift = is_last_pass ? 0 : low_bits, bins = 1 << (is_last_pass ? low_bits : bucket_of.bits - low_bits);
  const unsigned mask = unsigned(bins) - 1;
  const unsigned tile = blockIdx.x;
  std::int64_t first = std::int64_t(tile) * tile_keys, end = n;
  std::uint32_t* next = state.to_highs;
  if (is_last_pass) {
    const unsigned highs = (1u << bucket_of.bits) >> low_bits;
    if (tile >= state.tiles[highs]) return;
    for (int i = rank; i < int(highs); i += BlockSize) {
      if (state.tiles[i] <= tile && tile < state.tiles[i + 1]) shared.high = i;
    }
    block.sync();
    const int high = shared.high;
    first = state.begins[high << low_bits] + std::int64_t(tile - state.tiles[high]) * tile_keys;
    end = state.begins[(high + 1) << low_bits];
    next = state.to_lows + (high << low_bits);
  } else {
    block.sync();
  }
  const int count = end - first < tile_keys ? int(end - first) : tile_keys;
  const auto digit_of = [&](word w) { return bucket_of(w) >> shift & mask; };
  uninitialized_array<Key, Items> read;
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (i * BlockSize + rank < count) read[i] = keys[first + i * BlockSize + rank];
  }
  word words[Items];
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (i * BlockSize + rank >= count) break;
    words[i] = digits.store(read[i]);
    atomicAdd(&shared.counts[digit_of(words[i])], 1u);
  }
  block.sync();
  static_assert(BlockSize >= most);
  const std::uint32_t of_digit = rank < bins ? shared.counts[rank] : 0;
  const std::uint32_t begin = gpuprim::block_exclusive_scan<BlockSize>(block, of_digit, plus<std::uint32_t>{});
  if (rank < bins) {
    shared.counts[rank] = begin;
    if (of_digit > 0) shared.begins[rank] = atomicAdd(&next[rank], of_digit) - begin;
  }
  block.sync();
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (i * BlockSize + rank >= count) break;
    shared.words[int(atomicAdd(&shared.counts[digit_of(words[i])], 1u))] = words[i];
  }
  block.sync();
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    const int at = i * BlockSize + rank;
    if (at >= count) break;
    const word w = shared.words[at];
    out[shared.begins[digit_of(w)] + unsigned(at)] = digits.load(w);
  }
}

}  // namespace gpuprim::detail
