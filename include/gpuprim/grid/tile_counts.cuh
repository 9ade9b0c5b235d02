// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/warp/warp_reduce.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// Whether what a block has read and written before it publishes a count is ordered before that.
enum class publish_order { none, after_all };

/// How many items each tile has, for the tiles behind it: the place of a tile's first item among those of all tiles.
/// Counts are exact in any order, so that a block just adds up those between its last tile and its next one, and no
/// sum goes from block to block.
struct tile_counts {
  std::uint32_t* counts;  ///< of each tile, and one more; 0 until it is published

  static constexpr std::int64_t bytes(std::int64_t tiles) { return (tiles + 1) / 2 * 8; }
  static tile_counts lay_over(void* buffer, std::int64_t) { return {static_cast<std::uint32_t*>(buffer)}; }

  /// One thread calls it. With `order`, what the thread has read and written lies before it for whoever reads the count
  /// and has a fence behind that.
  __device__ void publish(int tile, unsigned count, publish_order order = publish_order::none) const {
    if (order == publish_order::after_all) __threadfence();
    ptx::store_relaxed(&counts[tile], count + 1);
  }

  /// A whole block calls it when nobody reads the counts any more.
  __device__ void clear(int tiles) const {
    const int threads = int(this_block::size());
    for (int i = int(this_block::thread_rank()); i < tiles; i += threads) counts[i] = 0;
  }

  /// What a block knows: how many items there are before one of its tiles after the other. The blocks that have those
  /// tiles need not be resident together, but every tile before must have been taken.
  template <int BlockSize>
  struct reader {
    static constexpr int warps = BlockSize / warp_size;
    /// Counts a thread that are asked for ahead: about as many as there are blocks.
    static constexpr int words = (768 + BlockSize - 1) / BlockSize;

    std::uint32_t* counts;  ///< of all tiles
    int tile = 0;
    std::int64_t before = 0;  ///< items before `tile`

    /// A thread's share of what is on its way.
    struct asked {
      std::uint32_t got[words];
    };
    /// Asks for the counts of the tiles from the last one on that lie before `next`.
    __device__ asked ask(int next) const {
      asked a;
#pragma unroll
      for (int k = 0; k < words; ++k) {
        const int i = first() + k * BlockSize;
        a.got[k] = i < next ? ptx::load_relaxed(&counts[i]) : 1;
      }
      return a;
    }
    /// Waits for what was asked for, and goes on to `next`. All threads call it; one barrier, and whoever calls it
    /// again has one between. `of_warps`: shared memory.
    __device__ void advance(const asked& a, int next, std::uint64_t (&of_warps)[warps]) {
      gather(a, next, of_warps);
      this_block::sync();
      pass(next, of_warps);
    }
    /// The two halves of `advance`, with a barrier between them that the caller has anyway.
    __device__ void gather(const asked& a, int next, std::uint64_t (&of_warps)[warps]) const {
      const std::uint64_t sum = sum_of_warp(a, next);
      const int rank = int(this_block::thread_rank());
      if (rank % warp_size == 0) of_warps[rank / warp_size] = sum;
    }
    __device__ void pass(int next, const std::uint64_t (&of_warps)[warps]) {
#pragma unroll
      for (int i = 0; i < warps; ++i) before += std::int64_t(of_warps[i]);
      tile = next;
    }

   private:
    __device__ int first() const { return tile + int(this_block::thread_rank()); }

    /// The sum of a warp's shares, in all of its lanes, which leave together.
    __device__ std::uint64_t sum_of_warp(asked a, int next) const {
      bool is_missing;
      do {
        is_missing = false;
#pragma unroll
        for (int k = 0; k < words; ++k) {
          if (a.got[k] == 0) a.got[k] = ptx::load_relaxed(&counts[first() + k * BlockSize]);
          is_missing |= a.got[k] == 0;
        }
      } while (__any_sync(0xffffffffu, is_missing));
      const warp_tile<warp_size> warp;
      std::uint32_t sum = 0;
#pragma unroll
      for (int k = 0; k < words; ++k) sum += a.got[k] - 1;
      sum = gpuprim::warp_all_reduce(warp, sum, plus<std::uint32_t>{});
      if (next - tile <= words * BlockSize) return sum;
      std::uint64_t more = 0;  // of a block that started late
      for (int i = first() + words * BlockSize; i < next; i += BlockSize) {
        std::uint32_t count;
        do {
          count = ptx::load_relaxed(&counts[i]);
        } while (count == 0);
        more += count - 1;
      }
      return sum + gpuprim::warp_all_reduce(warp, more, plus<std::uint64_t>{});
    }
  };
};

/// How many items of each of some parts every tile has.
template <int Parts>
struct tile_part_counts {
  tile_counts of[Parts];

  static constexpr std::int64_t bytes(std::int64_t tiles) { return Parts * tile_counts::bytes(tiles); }
  static tile_part_counts lay_over(void* buffer, std::int64_t tiles) {
    tile_part_counts all;
    for (int p = 0; p < Parts; ++p) {
      all.of[p] = tile_counts::lay_over(static_cast<char*>(buffer) + p * tile_counts::bytes(tiles), tiles);
    }
    return all;
  }
  __device__ void clear(int tiles) const {
#pragma unroll
    for (int p = 0; p < Parts; ++p) of[p].clear(tiles);
  }
};

}  // namespace gpuprim::detail
