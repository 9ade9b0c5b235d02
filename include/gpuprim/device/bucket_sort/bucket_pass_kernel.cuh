// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {

template <class Digits, int TileKeys>
struct bucket_pass_shared {
  static constexpr int most = bucket_state<Digits>::most_pass_digits;
  shared_array<typename Digits::word, TileKeys> words;
  std::uint32_t counts[most];  ///< and then the places of a digit's next words
  std::uint32_t begins[most];  ///< where a digit's keys go, less where they begin in the tile
  bucket_part parts[bucket_parts];
  int high;  ///< the high digit of all keys of the tile
};

/// Moves the keys of a tile together by their digits, and then behind those of other tiles: from `next[digit]` on. The
/// keys of a digit keep no order. `is_there(i)`: whether the tile has the thread's key number i.
template <int BlockSize, int Items, class Shared, class Digits, class Keys, class DigitOf, class IsThere>
__device__ __forceinline__ void part_tile(Shared& shared, const Digits& digits, const Keys& keys,
                                          typename Digits::key* out, std::int64_t first, const DigitOf& digit_of,
                                          std::uint32_t* next, const IsThere& is_there) {
  using word = typename Digits::word;
  constexpr int of_thread = Shared::most / BlockSize;
  static_assert(of_thread * BlockSize == Shared::most);
  const this_block block;
  const int rank = int(block.thread_rank());
  uninitialized_array<typename Digits::key, Items> read;  // all are asked for before one is looked at
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (is_there(i)) read[i] = keys[first + i * BlockSize + rank];
  }
  word words[Items];
  unsigned differing = 0;  // bits of the thread's digits
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!is_there(i)) break;
    words[i] = digits.store(read[i]);
    const unsigned digit = digit_of(words[i]);
    differing |= digit ^ digit_of(words[0]);
    atomicAdd(&shared.counts[digit], 1u);
  }
  block.sync();
  std::uint32_t of_digit[of_thread], to[of_thread], of_digits = 0;
#pragma unroll
  for (int d = 0; d < of_thread; ++d) {
    const int digit = rank * of_thread + d;
    of_digit[d] = shared.counts[digit];
    of_digits += of_digit[d];
    to[d] = of_digit[d] > 0 ? atomicAdd(&next[digit], of_digit[d]) : 0;  // it arrives while words are moved together
  }
  std::uint32_t begin = gpuprim::block_exclusive_scan<BlockSize>(block, of_digits, plus<std::uint32_t>{});
#pragma unroll
  for (int d = 0; d < of_thread; ++d) {
    shared.counts[rank * of_thread + d] = begin;
    to[d] -= begin;
    begin += of_digit[d];
  }
  block.sync();
  // The lanes of a warp that have one digit would add to its count one after the other.
  const warp_tile<warp_size> warp;
  unsigned digit = 0;
  if (is_there(Items - 1)) {
    digit = digit_of(words[0]);
  } else {
    differing = 1;
  }
  differing |= digit ^ warp.shfl(digit, 0);
  if (__all_sync(warp.mask(), differing == 0) != 0) {
    std::uint32_t place = 0;
    if (warp.thread_rank() == 0) place = atomicAdd(&shared.counts[digit], std::uint32_t(Items * warp_size));
    place = warp.shfl(place, 0) + warp.thread_rank();
#pragma unroll
    for (int i = 0; i < Items; ++i) shared.words[int(place + i * warp_size)] = words[i];
  } else {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (!is_there(i)) break;
      shared.words[int(atomicAdd(&shared.counts[digit_of(words[i])], 1u))] = words[i];
    }
  }
#pragma unroll
  for (int d = 0; d < of_thread; ++d) shared.begins[rank * of_thread + d] = to[d];
  block.sync();
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!is_there(i)) break;
    const int at = i * BlockSize + rank;
    const word w = shared.words[at];
    out[shared.begins[digit_of(w)] + unsigned(at)] = digits.load(w);
  }
}

/// Parts keys by the bits of their bucket's number from `low_bits` on, or, where keys lie together by these, by the
/// bits below. A block takes a tile. Keys that are one segment are copied.
template <int BlockSize, int Items, int BlocksPerMultiprocessor, class Digits, class Keys>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    bucket_pass_kernel(Digits digits, Keys keys, typename Digits::key* out, std::int64_t n, int low_bits,
                       bool is_last_pass, bucket_state<Digits> state) {
  using word = typename Digits::word;
  constexpr int tile_keys = BlockSize * Items;
  auto& shared = *dynamic_shared<bucket_pass_shared<Digits, tile_keys>>();
  const this_block block;
  const int rank = int(block.thread_rank());
  const auto tile = std::int64_t(blockIdx.x);
  for (int i = rank; i < shared.most; i += BlockSize) shared.counts[i] = 0;
  ptx::begin_kernel();
  std::int64_t first = tile * tile_keys, end = n;
  if (*state.way == sort_way::as_segment) {
    for (int i = rank; i < tile_keys && first + i < end; i += BlockSize) out[first + i] = keys[first + i];
    return;
  }
  const bucket_map<Digits> map = *state.map;
  if (!map.is_even() && rank < bucket_parts) shared.parts[rank] = state.parts[rank];
  const int highs = ((map.buckets - 1) >> low_bits) + 1, shift = is_last_pass ? 0 : low_bits;
  const unsigned mask = is_last_pass ? (1u << low_bits) - 1 : ~0u;
  std::uint32_t* next = state.to_highs;
  if (is_last_pass) {
    if (tile >= state.tiles[highs]) return;
    for (int i = rank; i < highs; i += BlockSize) {
      if (state.tiles[i] <= tile && tile < state.tiles[i + 1]) shared.high = i;
    }
    block.sync();
    const int high = shared.high, behind = (high + 1) << low_bits;
    first = state.begins[high << low_bits] + (tile - state.tiles[high]) * tile_keys;
    end = state.begins[behind < map.buckets ? behind : map.buckets];
    next = state.to_lows + (high << low_bits);
  } else {
    block.sync();
  }
  const auto part = [&](const auto& bucket_of, const auto& is_there) {
    const auto digit_of = [&](word w) { return bucket_of(w) >> shift & mask; };
    detail::part_tile<BlockSize, Items>(shared, digits, keys, out, first, digit_of, next, is_there);
  };
  const std::int64_t left = end - first;
  if (map.is_even() && left >= tile_keys) {
    part(map.even(), [](int) { return true; });
  } else {
    part([&](word w) { return map(w, shared.parts); }, [&](int i) { return i * BlockSize + rank < left; });
  }
}

}  // namespace gpuprim::detail
