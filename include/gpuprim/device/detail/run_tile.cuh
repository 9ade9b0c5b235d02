// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/policy/run_policy.hpp>
#include <gpuprim/ptx/sm_70.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/warp/shuffle.cuh>

#include <cstdint>

namespace gpuprim::detail {

GPUPRIM_HOST_DEVICE constexpr int larger(int a, int b) { return a < b ? b : a; }

/// Keys, and values, that a block takes at once.
template <int BlockSize, int Items>
struct run_shape {
  static constexpr int block_size = BlockSize, items = Items, warps = BlockSize / warp_size;
  static constexpr int tile_items = BlockSize * Items;
  static_assert(Items >= 1 && Items <= warp_size, "a thread's boundaries fit in a word");
};

/// A tile of T in shared memory, as it was read or as it will be written, with room for one before the first.
template <class T, class Other, int Count>
struct tile_buffer {
  static constexpr int item_bytes = larger(int(sizeof(T)), int(sizeof(Other)));
  static constexpr int front_bytes = (int(sizeof(T)) + 15) / 16 * 16;
  alignas(16) unsigned char bytes[front_bytes + Count * item_bytes];

  __device__ T* in() { return reinterpret_cast<T*>(bytes + front_bytes); }
  __device__ Other* out() { return reinterpret_cast<Other*>(bytes + front_bytes); }
};

/// Copies a tile to shared memory. Behind the end of the input comes its last element again, which is a valid one.
/// @pre n > 0. @sync the tile is there after `ptx::wait_for_copies` and a barrier.
template <int BlockSize, int Items, class In, class T>
__device__ __forceinline__ void copy_tile(const In& in, std::int64_t base, std::int64_t n, T* to) {
  constexpr int count = BlockSize * Items;
  const int rank = int(this_block::thread_rank());
  if constexpr (std::is_pointer_v<In> && 16 % sizeof(T) == 0 && count * sizeof(T) % 16 == 0) {
    if (base + count <= n && reinterpret_cast<std::uintptr_t>(in + base) % 16 == 0) {
      constexpr int loads = count * int(sizeof(T)) / 16;
      const auto* from = reinterpret_cast<const uint4*>(in + base);
#pragma unroll
      for (int k = 0; k < (loads + BlockSize - 1) / BlockSize; ++k) {
        const int i = k * BlockSize + rank;
        if (loads % BlockSize == 0 || i < loads) ptx::copy_async(reinterpret_cast<uint4*>(to) + i, from + i);
      }
      return;
    }
  }
  uninitialized_array<T, Items> items;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const std::int64_t at = base + k * BlockSize + rank;
    items[k] = in[at < n ? at : n - 1];
  }
#pragma unroll
  for (int k = 0; k < Items; ++k) to[k * BlockSize + rank] = items[k];
}

/// A thread's neighbouring elements of a tile in shared memory, in the widest loads that they are aligned to.
template <int Items, class T>
__device__ __forceinline__ uninitialized_array<T, Items> read_items(const T* tile, int rank) {
  constexpr int bytes = Items * int(sizeof(T)), aligned = bytes & -bytes;
  uninitialized_array<T, Items> items;
  if constexpr (aligned >= 4) {
    using word = std::conditional_t<aligned >= 16, uint4, std::conditional_t<aligned == 8, uint2, unsigned>>;
    constexpr int loads = bytes / int(sizeof(word));
    word packed[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) packed[i] = reinterpret_cast<const word*>(tile)[rank * loads + i];
    std::memcpy(static_cast<void*>(&items), packed, sizeof items);
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) items[k] = tile[rank * Items + k];
  }
  return items;
}

template <element T>
__device__ __forceinline__ T shuffle_up(const T& value, unsigned delta) {
  return shuffle_words(value, [&](unsigned word) { return __shfl_up_sync(0xffffffffu, word, delta); });
}

/// Sums over the lanes up to each.
template <int Lanes = warp_size>
__device__ __forceinline__ int sum_up_to_lane(int value) {
  const int lane = int(ptx::lane());
#pragma unroll
  for (int delta = 1; delta < Lanes; delta *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, value, unsigned(delta));
    if (lane >= delta) value += before;
  }
  return value;
}

/// Joins each lane's value with those of the lanes before it, back to the nearest with its bit in `begun`, where
/// something begins.
template <int Lanes = warp_size, class T, class Op>
__device__ __forceinline__ T join_up_to_lane(T value, unsigned begun, const Op& op) {
  const int lane = int(ptx::lane());
  const unsigned begun_before = begun << (warp_size - 1 - lane);
  const int reach = begun_before != 0 ? __clz(int(begun_before)) : lane;
#pragma unroll
  for (int delta = 1; delta < Lanes; delta *= 2) {
    const T before = shuffle_up(value, unsigned(delta));
    if (delta <= reach) value = op(before, value);
  }
  return value;
}

}  // namespace gpuprim::detail
