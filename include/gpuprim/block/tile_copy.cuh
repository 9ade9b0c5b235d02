// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/core/words.cuh>
#include <gpuprim/ptx/sm_80.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// Count elements in shared memory that begin with a line of 128 bytes, as they do in memory. With room for one element
/// before the first.
template <class T, int Count>
struct tile_buffer {
  static constexpr int line_bytes = int(sizeof(shared_line));
  static constexpr int front_bytes = (int(sizeof(T)) + line_bytes - 1) / line_bytes * line_bytes;
  alignas(shared_line) unsigned char bytes[front_bytes + Count * int(sizeof(T))];

  __device__ T* data() { return reinterpret_cast<T*>(bytes + front_bytes); }
};

/// Starts to copy one element to shared memory.
template <class In, class T>
__device__ __forceinline__ void copy_one(const In& in, std::int64_t at, T* to) {
  if constexpr (std::is_pointer_v<In> && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)) {
    ptx::copy_async(to, in + at);
  } else {
    *to = in[at];
  }
}

/// Starts to copy a tile to shared memory, asynchronously where its elements come from memory and have 4, 8 or 16
/// bytes. Places behind the end of the input get elements of it again, so that they are valid.
/// @pre n > 0. @sync the tile is there after `ptx::wait_for_groups` and a barrier.
template <int BlockSize, int Items, class In, class T>
__device__ __forceinline__ void copy_tile(const In& in, std::int64_t base, std::int64_t n, T* to) {
  constexpr int count = BlockSize * Items;
  constexpr bool in_memory = std::is_pointer_v<In>;
  const int rank = int(this_block::thread_rank());
  if constexpr (in_memory && 16 % sizeof(T) == 0 && count * sizeof(T) % 16 == 0) {
    if (reinterpret_cast<std::uintptr_t>(in + base) % 16 == 0) {
      constexpr int loads = count * int(sizeof(T)) / 16, load_items = 16 / int(sizeof(T));
      const auto* from = reinterpret_cast<const uint4*>(in + base);
      auto* const words = reinterpret_cast<uint4*>(to);
      if (base + count <= n) {
#pragma unroll
        for (int k = 0; k < (loads + BlockSize - 1) / BlockSize; ++k) {
          const int i = k * BlockSize + rank;
          if (loads % BlockSize == 0 || i < loads) ptx::copy_async(words + i, from + i);
        }
        return;
      }
      // Words of 16 bytes behind the end get the last whole one.
      const int left = int(n - base), whole = left / load_items, rest = left % load_items;
      if (whole > 0) {
#pragma unroll 1
        for (int i = rank; i < loads; i += BlockSize) {
          if (i != whole || rest == 0) ptx::copy_async(words + i, from + (i < whole ? i : whole - 1));
        }
        const int at = whole * load_items + rank;
        if (rest > 0 && rank < load_items) copy_one(in, at < left ? base + at : n - 1, to + at);
        return;
      }
    }
  }
  if constexpr (in_memory && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)) {
#pragma unroll 4
    for (int i = rank; i < count; i += BlockSize) ptx::copy_async(to + i, in + (base + i < n ? base + i : n - 1));
  } else {
    uninitialized_array<T, Items> items;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const std::int64_t at = base + k * BlockSize + rank;
      items[k] = in[at < n ? at : n - 1];
    }
#pragma unroll
    for (int k = 0; k < Items; ++k) to[k * BlockSize + rank] = items[k];
  }
}

/// True if one thread can copy so many elements where they are aligned to 16 bytes, with `copy_row`.
template <int Count, class In>
inline constexpr bool may_have_rows = std::is_pointer_v<In> && Count * sizeof(input_value<In>) % 16 == 0;

template <int Count, class In>
__device__ __forceinline__ bool has_rows(const In& in) {
  if constexpr (may_have_rows<Count, In>) return reinterpret_cast<std::uintptr_t>(in) % 16 == 0;
  else return false;
}
template <int Count, class In>
__device__ __forceinline__ bool has_rows_at(const In& in, std::int64_t at) {
  if constexpr (may_have_rows<Count, In>) return detail::has_rows<Count>(in + at);
  else return false;
}
/// Starts to copy elements to shared memory. One thread calls it, where `has_rows`. A long copy is slower if it does
/// not begin with a line of 128 bytes: see docs/lab/family.md, "Figures that stood in the code".
template <int Count, class In, class T>
__device__ __forceinline__ void copy_row(const In& in, std::int64_t base, T* to, ptx::copy_round* round) {
  if constexpr (may_have_rows<Count, In>) ptx::copy_bulk(to, in + base, Count * unsigned(sizeof(T)), round);
}

/// Elements before the first at which a line of 128 bytes begins, or a part of a line where none does so early that a
/// warp can take those before it: tiles of `Count` elements that begin there are copied fastest.
template <int Count, class In>
int count_head(const In& in, std::int64_t n) {
  if constexpr (may_have_rows<Count, In>) {
    const auto address = reinterpret_cast<std::uintptr_t>(in);
    for (int line : {128, 64, 32, 16}) {
      for (int head = 0; head < warp_size && head < n; ++head) {
        if ((address + unsigned(head) * sizeof(*in)) % unsigned(line) == 0) return head;
      }
    }
  }
  return 0;
}

/// Prefetches a tile to the L2 cache. One thread calls it.
template <class In>
__device__ __forceinline__ void prefetch_tile(const In& in, std::int64_t base, std::int64_t n, int count) {
  if constexpr (std::is_pointer_v<In>) {
    const std::int64_t left = n - base, items = left < count ? left : count;
    const auto from = reinterpret_cast<std::uintptr_t>(in + base) / 16 * 16;
    const auto end = reinterpret_cast<std::uintptr_t>(in + base + items) / 16 * 16;
    if (items > 0 && end > from) ptx::prefetch_row_to_l2(reinterpret_cast<const void*>(from), unsigned(end - from));
  }
}

/// The widest words that a thread's neighbouring elements of a tile are aligned to, if they are to 4 bytes.
template <class T, int Items>
struct item_words : widest_words<int(sizeof(T)) * Items> {
  static constexpr bool exist = widest_words<int(sizeof(T)) * Items>::word_bytes >= 4;
};

/// A thread's neighbouring elements of a tile in shared memory.
template <int Items, class T>
__device__ __forceinline__ uninitialized_array<T, Items> read_items(const T* tile, int rank) {
  using words = item_words<T, Items>;
  uninitialized_array<T, Items> items;
  if constexpr (words::exist) {
    typename words::type packed[words::count];
    const auto* from = reinterpret_cast<const typename words::type*>(tile) + rank * words::count;
    detail::for_words<T, words::count>([&](int i) { packed[i] = from[i]; });
    std::memcpy(static_cast<void*>(detail::pointer_to(items)), packed, sizeof items);
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) items[k] = tile[rank * Items + k];
  }
  return items;
}
template <int Items, class T>
__device__ __forceinline__ void write_items(const uninitialized_array<T, Items>& items, T* tile, int rank) {
  using words = item_words<T, Items>;
  if constexpr (words::exist) {
    typename words::type packed[words::count];
    std::memcpy(packed, detail::pointer_to(items), sizeof items);
    auto* to = reinterpret_cast<typename words::type*>(tile) + rank * words::count;
    detail::for_words<T, words::count>([&](int i) { to[i] = packed[i]; });
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) tile[rank * Items + k] = items[k];
  }
}

}  // namespace gpuprim::detail
