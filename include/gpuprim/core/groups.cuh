// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <concepts>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// Threads with a rank that can wait for each other: any cooperative-groups group, and the two of this file.
template <class G>
concept thread_group_like = requires(const G& g) {
  { g.thread_rank() } -> std::convertible_to<unsigned long long>;
  { g.size() } -> std::convertible_to<unsigned long long>;
  g.sync();
};

/// A group of at most 32 lanes that can shuffle: `thread_block_tile`, `coalesced_group`, `warp_tile`.
template <class G>
concept tile_like = thread_group_like<G> && requires(const G& g, unsigned word) {
  { g.shfl(word, 0) } -> std::same_as<unsigned>;
  { g.shfl_down(word, 1u) } -> std::same_as<unsigned>;
};

/// A whole block: it knows the shape of its threads, and has no blocks, as a cluster and a grid have.
template <class G>
concept block_like =
    thread_group_like<G> && requires(const G& g) { g.thread_index(); } && !requires(const G& g) { g.num_blocks(); };

/// The calling thread's block, as `cooperative_groups::this_thread_block()` without that header's compile time.
struct this_block {
  /// The thread's rank in its block: x counts first, then y, then z.
  __device__ static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  /// The number of threads of the block.
  __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  /// The thread's index in the three dimensions of its block.
  __device__ static uint3 thread_index() { return threadIdx; }
  /// The barrier of the block.
  __device__ static void sync() { __syncthreads(); }
  /// Whether it holds for any thread; a barrier too.
  __device__ static bool any(bool condition) { return __syncthreads_or(condition) != 0; }
};

/// `Size` consecutive lanes, a power of two, as `cooperative_groups::thread_block_tile<Size>` without that header's
/// compile time.
template <int Size>
struct warp_tile {
  static_assert(Size >= 1 && Size <= warp_size, "gpuprim::warp_tile: Size must be from 1 to 32");
  /// The lane of the warp, from 0 to 31.
  __device__ static unsigned lane() { return this_block::thread_rank() % warp_size; }
  /// The lanes of the tile, a bit each.
  __device__ static unsigned mask() {
    if constexpr (Size == warp_size) return 0xffffffffu;
    else return ((1u << Size) - 1) << (lane() & ~unsigned(Size - 1));
  }
  /// The lane of the tile, from 0 to Size - 1.
  __device__ static unsigned thread_rank() { return lane() % Size; }
  /// The number of lanes of the tile.
  static constexpr __host__ __device__ unsigned size() { return Size; }
  /// The barrier of the tile.
  __device__ static void sync() { __syncwarp(mask()); }
  /// The value of the lane `rank`.
  template <class T> __device__ static T shfl(T v, int rank) { return __shfl_sync(mask(), v, rank, Size); }
  /// The value of the lane `delta` above the caller; its own where there is none.
  template <class T>
  __device__ static T shfl_down(T v, unsigned delta) {
    return __shfl_down_sync(mask(), v, delta, Size);
  }
  /// The value of the lane `delta` below the caller; its own where there is none.
  template <class T> __device__ static T shfl_up(T v, unsigned delta) { return __shfl_up_sync(mask(), v, delta, Size); }
  /// The value of the lane whose rank differs from the caller's in `bits`.
  template <class T>
  __device__ static T shfl_xor(T v, unsigned bits) {
    return __shfl_xor_sync(mask(), v, int(bits), Size);
  }
};

/// `Size` consecutive lanes where that is no power of two, as a logical warp of 9 lanes. The tiles of a warp begin at
/// its first lane, and the last one has the lanes that are left. The calls that take a coalesced group take it.
template <int Size>
  requires(Size > 0 && Size < warp_size && (Size & (Size - 1)) != 0)
struct warp_tile<Size> {
  /// The lane of the warp, from 0 to 31.
  __device__ static unsigned lane() { return this_block::thread_rank() % warp_size; }
  /// The first lane of the tile.
  __device__ static unsigned first_lane() { return lane() / Size * Size; }
  /// The lanes of the tile, a bit each.
  __device__ static unsigned mask() { return ((1u << Size) - 1) << first_lane(); }
  /// The lane of the tile, from 0 to size() - 1.
  __device__ static unsigned thread_rank() { return lane() % Size; }
  /// The number of lanes of the tile: Size, or fewer in the last one.
  __device__ static unsigned size() {
    const unsigned left = warp_size - first_lane();
    return left < Size ? left : Size;
  }
  /// The barrier of the tile.
  __device__ static void sync() { __syncwarp(mask()); }
  /// The value of the lane `rank`, which the tile has.
  template <class T>
  __device__ static T shfl(T v, int rank) {
    return __shfl_sync(mask(), v, int(first_lane()) + rank);
  }
  /// The value of the lane `delta` above the caller; its own where there is none.
  template <class T>
  __device__ static T shfl_down(T v, unsigned delta) {
    const unsigned from = thread_rank() + delta;
    return shfl(v, int(from < size() ? from : thread_rank()));
  }
  /// The value of the lane `delta` below the caller; its own where there is none.
  template <class T>
  __device__ static T shfl_up(T v, unsigned delta) {
    return shfl(v, int(thread_rank() < delta ? thread_rank() : thread_rank() - delta));
  }
  /// For which lanes the condition holds, a bit each, that of rank 0 first.
  __device__ static unsigned ballot(bool condition) { return __ballot_sync(mask(), condition) >> first_lane(); }
};

/// The number of lanes of a tile type that fixes it at compile time (`thread_block_tile<N>`, `warp_tile<N>` of a power
/// of two), or 0.
template <class G>
inline constexpr int static_tile_size = 0;
template <int Size>
inline constexpr int static_tile_size<warp_tile<Size>> = (Size & (Size - 1)) == 0 ? Size : 0;
template <template <unsigned, class> class Tile, unsigned Size, class Parent>
inline constexpr int static_tile_size<Tile<Size, Parent>> = int(Size);

namespace detail {

/// The count of values of a call that is given none.
inline constexpr int all_values = 0x7fffffff;

/// Without a count this is constant, and no instruction.
__device__ __forceinline__ bool is_valid(int rank, int valid_count) {
  return valid_count == all_values || rank < valid_count;
}

}  // namespace detail

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
