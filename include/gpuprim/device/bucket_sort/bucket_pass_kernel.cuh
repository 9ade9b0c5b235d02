// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/bucket_sort/bucket_state.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <bit>

namespace gpuprim::inline v0_2_0::detail {

template <class Digits, int TileKeys>
struct bucket_pass_shared {
  static constexpr int most = bucket_state<Digits>::most_pass_digits, digit_bits = std::bit_width(unsigned(most - 1));
  shared_array<typename Digits::key, TileKeys> keys;
  std::uint32_t counts[most];  ///< and then the places of a digit's next words
  std::uint32_t begins[most];  ///< where a digit's keys go, less where they begin in the tile
  // Where buckets are not even.
  bucket_part parts[all_bucket_parts];
  std::uint16_t digits[TileKeys];  ///< of the keys as they lie
  int high;                        ///< the high digit of all keys of the tile
};

/// How a pass finds the digits of keys.
template <class Digits, class Bucket>
struct even_pass_digits {
  const Digits& digits;
  Bucket bucket_of;
  int shift;
  unsigned mask;

  template <class Key>
  __device__ __forceinline__ unsigned of(const Key& key) const {
    return bucket_of(digits, key) >> shift & mask;
  }
  __device__ __forceinline__ void keep(int, unsigned) const {}
  template <class Key>
  __device__ __forceinline__ unsigned at(int, const Key& key) const {
    return of(key);
  }
};
/// Where that takes long, a digit is kept with its key.
template <class Digits, class Shared>
struct kept_pass_digits {
  const Digits& digits;
  const bucket_map<Digits>& map;
  Shared& shared;
  int shift;
  unsigned mask;

  template <class Key>
  __device__ __forceinline__ unsigned of(const Key& key) const {
    return map(digits.store(key), shared.parts) >> shift & mask;
  }
  __device__ __forceinline__ void keep(int place, unsigned digit) const { shared.digits[place] = std::uint16_t(digit); }
  template <class Key>
  __device__ __forceinline__ unsigned at(int place, const Key&) const {
    return shared.digits[place];
  }
};

/// Moves the keys of a tile together by their digits, and then behind those of other tiles: from `next[digit]` on. The
/// keys of a digit keep no order. `is_there(i)`: whether the tile has the thread's key number i.
template <int BlockSize, int Items, class Shared, class Key, class PassDigits, class IsThere>
__device__ __forceinline__ void part_tile(Shared& shared, const uninitialized_array<Key, Items>& read, Key* out,
                                          const PassDigits& pass_digits, std::uint32_t* next, const IsThere& is_there) {
  constexpr int of_thread = Shared::most / BlockSize;
  static_assert(of_thread * BlockSize == Shared::most);
  const this_block block;
  const int rank = int(block.thread_rank());
  unsigned moves[Items];  // the digit of each, and above that how many of it are before
  constexpr int rank_shift = Shared::digit_bits;
  unsigned differing = 0;  // bits of the digits
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!is_there(i)) break;
    moves[i] = pass_digits.of(read[i]);
    differing |= moves[i] ^ moves[0];
  }
  // The lanes of a warp that have one digit would add to its count one after the other.
  const warp_tile<warp_size> warp;
  if (!is_there(Items - 1)) {
    moves[0] = is_there(0) ? moves[0] : 0;
    differing = 1;
  }
  differing |= moves[0] ^ warp.shfl(moves[0], 0);
  if (__all_sync(warp.mask(), differing == 0) != 0) {
    std::uint32_t before = 0;
    if (warp.thread_rank() == 0) before = atomicAdd(&shared.counts[moves[0]], std::uint32_t(Items * warp_size));
    before = warp.shfl(before, 0) + warp.thread_rank();
#pragma unroll
    for (int i = 0; i < Items; ++i) moves[i] |= (before + i * warp_size) << rank_shift;
  } else {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (!is_there(i)) break;
      moves[i] |= atomicAdd(&shared.counts[moves[i]], 1u) << rank_shift;
    }
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
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!is_there(i)) break;
    const unsigned digit = moves[i] % Shared::most;
    const auto place = int(shared.counts[digit] + (moves[i] >> rank_shift));
    shared.keys[place] = read[i];
    pass_digits.keep(place, digit);
  }
#pragma unroll
  for (int d = 0; d < of_thread; ++d) shared.begins[rank * of_thread + d] = to[d];
  block.sync();
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (!is_there(i)) break;
    const int at = i * BlockSize + rank;
    const Key key = shared.keys[at];
    out[shared.begins[pass_digits.at(at, key)] + unsigned(at)] = key;
  }
}

/// Which digit of a bucket's number a pass parts keys by: all its bits, or first those from `low_bits` on, and then the
/// others.
enum class bucket_step { only, high, low };

/// Parts keys by a digit of their bucket's number. A block takes a tile. Keys that are one segment are copied.
template <int BlockSize, int Items, int BlocksPerMultiprocessor, class Digits, class Keys>
__global__ void __launch_bounds__(BlockSize, BlocksPerMultiprocessor)
    bucket_pass_kernel(Digits digits, Keys keys, typename Digits::key* out, std::int64_t n, int low_bits,
                       bucket_step step, bucket_state<Digits> state) {
  constexpr int tile_keys = BlockSize * Items;
  auto& shared = *dynamic_shared<bucket_pass_shared<Digits, tile_keys>>();
  using shared_type = std::remove_reference_t<decltype(shared)>;
  const this_block block;
  const int rank = int(block.thread_rank());
  const auto tile = std::int64_t(blockIdx.x);
  for (int i = rank; i < shared.most; i += BlockSize) shared.counts[i] = 0;
  ptx::begin_kernel();
  const sort_way way = *state.way;
  const bucket_map<Digits> map = *state.map;
  std::int64_t first = tile * tile_keys, end = n;
  std::uint32_t* next = step == bucket_step::high ? state.to_highs : state.to_lows;
  if (step == bucket_step::low && way == sort_way::by_buckets) {
    const int highs = ((map.buckets - 1) >> low_bits) + 1;
    if (tile >= state.tiles[highs]) return;
    for (int i = rank; i < highs; i += BlockSize) {
      if (state.tiles[i] <= tile && tile < state.tiles[i + 1]) shared.high = i;
    }
    block.sync();
    const int high = shared.high, behind = (high + 1) << low_bits;
    first = state.begins[high << low_bits] + (tile - state.tiles[high]) * tile_keys;
    end = state.begins[behind < map.buckets ? behind : map.buckets];
    next += high << low_bits;
  }
  const std::int64_t left = end - first;
  uninitialized_array<typename Digits::key, Items> read;  // all are asked for before one is looked at
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    if (i * BlockSize + rank < left) read[i] = keys[first + i * BlockSize + rank];
  }
  if (way == sort_way::as_segment) {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      if (i * BlockSize + rank < left) out[first + i * BlockSize + rank] = read[i];
    }
    return;
  }
  for (int i = rank; i < all_bucket_parts && !map.is_even(); i += BlockSize) shared.parts[i] = state.parts[i];
  block.sync();
  const int shift = step == bucket_step::high ? low_bits : 0;
  const unsigned mask = step == bucket_step::low ? (1u << low_bits) - 1 : ~0u;
  if (map.is_even() && !map.has_outsiders && left >= tile_keys) {
    const even_pass_digits<Digits, decltype(map.even())> even{digits, map.even(), shift, mask};
    detail::part_tile<BlockSize, Items>(shared, read, out, even, next, [](int) { return true; });
  } else {
    const kept_pass_digits<Digits, shared_type> kept{digits, map, shared, shift, mask};
    const auto is_there = [&](int i) { return i * BlockSize + rank < left; };
    detail::part_tile<BlockSize, Items>(shared, read, out, kept, next, is_there);
  }
}

}  // namespace gpuprim::detail
