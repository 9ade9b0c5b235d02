// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A sort of keys that have few values: each value is counted, and then written as often.
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/core/iterators.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/common/sort_arrays.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/workspace.cuh>
#include <gpuprim/policy/sort_policy.hpp>
#include <gpuprim/ptx/sm_90.cuh>

#include <algorithm>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// What the launches of a counting sort share.
struct counting_state {
  // Zero before a sort and after it.
  unsigned* arrived;           ///< blocks that have counted
  unsigned long long* counts;  ///< of the values
  // Anything before and after.
  unsigned long long* begins;  ///< of the values, and the end of the last one
};

/// As many keys as a load has, or one where the keys are no array.
template <class Keys>
struct key_pack {
  using key = input_value<Keys>;
  static constexpr bool is_array = std::is_pointer_v<Keys>;
  static constexpr int size = is_array ? int(sizeof(uint4) / sizeof(key)) : 1;

  key keys[size];

  /// Keys before the first that begins a load.
  __device__ __forceinline__ static std::int64_t count_before(const Keys& from) {
    if constexpr (!is_array) return 0;
    else return std::int64_t(-reinterpret_cast<std::uintptr_t>(from) % sizeof(uint4) / sizeof(key));
  }
  __device__ __forceinline__ static key_pack read(const Keys& from, std::int64_t at) {
    key_pack pack;
    if constexpr (is_array) {
      const uint4 words = *reinterpret_cast<const uint4*>(from + at);
      std::memcpy(&pack, &words, sizeof pack);
    } else {
      pack.keys[0] = from[at];
    }
    return pack;
  }
};

/// Counts the keys of each value. Values are counted in Parts parts, each by as many blocks, which read all keys. The
/// last block that is done turns the counts into where the keys of each value begin.
template <int BlockSize, int Parts, class Digits, class Keys>
__global__ void __launch_bounds__(BlockSize, 1)
    value_counts_kernel(Digits digits, Keys keys, std::int64_t n, counting_state state) {
  using pack = key_pack<Keys>;
  constexpr int values = 1 << (8 * sizeof(typename Digits::word)), of_part = values / Parts, packs = 4;
  auto* const counts = dynamic_shared<std::uint32_t>();
  const this_block block;
  const int rank = int(block.thread_rank());
  for (int i = rank; i < of_part; i += BlockSize) counts[i] = 0;
  ptx::begin_kernel();
  block.sync();
  const unsigned first_value = blockIdx.x % Parts * of_part;
  const auto count = [&](const auto& key) {
    const unsigned value = digits.store(key) - first_value;
    if (value < unsigned(of_part)) atomicAdd(&counts[value], 1u);
  };
  const std::int64_t thread = std::int64_t(blockIdx.x / Parts) * BlockSize + rank;
  const std::int64_t threads = std::int64_t(gridDim.x / Parts) * BlockSize;
  const std::int64_t unaligned = pack::count_before(keys), before = unaligned < n ? unaligned : n;
  const std::int64_t full = (n - before) / pack::size;
  if (thread < before) count(keys[thread]);
  std::int64_t at = thread;
  for (; at + (packs - 1) * threads < full; at += packs * threads) {
    pack some[packs];
#pragma unroll
    for (int i = 0; i < packs; ++i) some[i] = pack::read(keys, before + (at + i * threads) * pack::size);
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      for (const auto& key : some[i].keys) count(key);
    }
  }
  for (; at < full; at += threads) {
    const pack one = pack::read(keys, before + at * pack::size);
    for (const auto& key : one.keys) count(key);
  }
  const std::int64_t behind = before + full * pack::size;
  if (behind + thread < n) count(keys[behind + thread]);
  block.sync();
  for (int i = rank; i < of_part; i += BlockSize) {
    if (counts[i] > 0) atomicAdd(&state.counts[first_value + unsigned(i)], static_cast<unsigned long long>(counts[i]));
  }
  block.sync();
  bool is_last = false;
  if (rank == 0) is_last = ptx::arrive_in_order(state.arrived, gridDim.x - 1) == gridDim.x - 1;
  if (!block.any(is_last)) return;
  constexpr int of_thread = (values + BlockSize - 1) / BlockSize;
  unsigned long long own = 0;
#pragma unroll 16
  for (int i = 0; i < of_thread; ++i) {
    if (const int value = rank * of_thread + i; value < values) own += ptx::load_relaxed(&state.counts[value]);
  }
  auto begin = gpuprim::block_exclusive_scan<BlockSize>(block, own, plus<unsigned long long>{});
#pragma unroll 16
  for (int i = 0; i < of_thread; ++i) {
    const int value = rank * of_thread + i;
    if (value >= values) break;
    state.begins[value] = begin;
    begin += ptx::load_relaxed(&state.counts[value]);
    state.counts[value] = 0;
    if (value == values - 1) state.begins[values] = begin;
  }
}

/// The value of the sorted key number `at`. A warp calls it.
template <int Values>
__device__ __forceinline__ int find_value(const unsigned long long* begins, std::int64_t at) {
  const warp_tile<warp_size> warp;
  int first = 0, end = Values;
  while (end - first > 1) {
    const int step = (end - first + warp_size - 1) / warp_size, probe = first + step * int(warp.thread_rank());
    const bool is_before = probe < end && std::int64_t(begins[probe]) <= at;
    first += step * (__popc(__ballot_sync(warp.mask(), is_before)) - 1);
    if (end > first + step) end = first + step;
  }
  return first;
}

/// The values of neighbouring keys. What a thread reads of them lies in other banks than what its neighbours read.
struct alignas(16) filled_values {
  static constexpr int size = 32;
  std::uint16_t of[size], unused[8];
};

template <int BlockSize>
struct value_fill_shared {
  filled_values values[BlockSize];  ///< at first only where a value begins, and else 0
  int ends[2];                      ///< the values of the first key and of the last
};

/// Writes each value as often as it was counted. A block takes a tile of the output: it marks where values begin, and a
/// key has the value of the last mark at it or before it. Tiles begin `lead` keys earlier than their number says.
template <int BlockSize, class Digits>
__global__ void __launch_bounds__(BlockSize)
    value_fill_kernel(Digits digits, typename Digits::key* out, std::int64_t n, int lead, counting_state state) {
  using key = typename Digits::key;
  using word = typename Digits::word;
  constexpr int values = 1 << (8 * sizeof(word)), of_thread = filled_values::size;
  constexpr int tile_keys = BlockSize * of_thread, of_load = int(sizeof(uint4) / sizeof(key));
  auto& shared = *dynamic_shared<value_fill_shared<BlockSize>>();
  const this_block block;
  const int rank = int(block.thread_rank()), warp = rank / warp_size;
  shared.values[rank] = {};
  ptx::begin_kernel();
  const std::int64_t tile_begin = std::int64_t(blockIdx.x) * tile_keys - lead;
  const std::int64_t first = tile_begin > 0 ? tile_begin : 0, tile_end = tile_begin + tile_keys;
  const std::int64_t end = tile_end < n ? tile_end : n;
  if (warp < 2) {
    const int found = detail::find_value<values>(state.begins, warp == 0 ? first : end - 1);
    if (rank % warp_size == 0) shared.ends[warp] = found;
  }
  block.sync();
  const int first_value = shared.ends[0], last_value = shared.ends[1];
  const auto mark = [&](std::int64_t at, int value) {
    const auto place = int(at - tile_begin);
    shared.values[place / of_thread].of[place % of_thread] = std::uint16_t(value);
  };
  if (rank == 0) mark(first, first_value);
  for (int value = first_value + 1 + rank; value <= last_value; value += BlockSize) {
    const auto begin = std::int64_t(state.begins[value]);
    if (std::int64_t(state.begins[value + 1]) > begin) mark(begin, value);
  }
  block.sync();
  filled_values own = shared.values[rank];
  unsigned greatest = 0;
#pragma unroll
  for (int i = 0; i < of_thread; ++i) greatest = own.of[i] > greatest ? own.of[i] : greatest;
  unsigned value = gpuprim::block_exclusive_scan<BlockSize>(block, greatest, maximum<unsigned>{});
#pragma unroll
  for (int i = 0; i < of_thread; ++i) {
    if (own.of[i] > value) value = own.of[i];
    own.of[i] = std::uint16_t(value);
  }
  shared.values[rank] = own;
  block.sync();
  for (int i = rank * of_load; i < tile_keys; i += BlockSize * of_load) {
    key keys[of_load];
#pragma unroll
    for (int k = 0; k < of_load; ++k) keys[k] = digits.load(word(shared.values[i / of_thread].of[i % of_thread + k]));
    const std::int64_t at = tile_begin + i;
    if (at >= 0 && at + of_load <= n) {
      uint4 words;
      std::memcpy(&words, keys, sizeof words);
      *reinterpret_cast<uint4*>(out + at) = words;
    } else {
#pragma unroll
      for (int k = 0; k < of_load; ++k) {
        if (at + k >= 0 && at + k < n) out[at + k] = keys[k];
      }
    }
  }
}

/// A sort of keys of 8 or 16 bits, of which all are compared.
template <class Digits>
struct counting_sort {
  using key = typename Digits::key;
  static_assert(sizeof(key) <= 2);
  static constexpr int values = 1 << (8 * sizeof(key)), parts = sizeof(key) > 1 ? 2 : 1;
  static constexpr int counting_size = 1024, fill_size = 512;
  static constexpr int tile_keys = fill_size * filled_values::size;

  Digits order;
  std::int64_t n;

  static constexpr bool takes(std::int64_t keys) { return keys >= tuned_counting_keys<int(sizeof(key))>; }
  static constexpr workspace_size find_workspace_size() { return {64 + values * 8, (values + 1) * 8}; }

  /// The kernel that counts, and its launch. `does_not_fit`: a GPU may have too little shared memory.
  template <class Keys>
  static constexpr auto count = &value_counts_kernel<counting_size, parts, Digits, Keys>;
  template <class Keys>
  found_shape find_count_shape() const {
    constexpr int count_bytes = values / parts * int(sizeof(std::uint32_t));
    constexpr std::int64_t block_keys = counting_size * 4 * std::int64_t{sizeof(uint4) / sizeof(key)};
    return detail::find_shape<count<Keys>, 1, count_bytes>(((n - 1) / block_keys + 1) * parts, counting_size);
  }

  template <class Keys>
  outcome run(const Keys& keys, key* out, void* zeroed, void* scratch, const options& how) const {
    const counting_state state{static_cast<unsigned*>(zeroed),
                               reinterpret_cast<unsigned long long*>(static_cast<char*>(zeroed) + 64),
                               static_cast<unsigned long long*>(scratch)};
    found_shape found = find_count_shape<Keys>();
    if (found.error != cudaSuccess) return {found.error};
    found.grid.grid_size = (std::max)(found.grid.grid_size / parts, 1) * parts;
    const outcome counted{gpuprim::launch(found.when, count<Keys>, found.grid, how, order, keys, n, state)};
    return counted.failed() ? counted : fill(out, state, how);
  }

 private:
  outcome fill(key* out, const counting_state& state, const options& how) const {
    constexpr auto kernel = &value_fill_kernel<fill_size, Digits>;
    constexpr int shared_bytes = int(sizeof(value_fill_shared<fill_size>));
    const auto misalignment = int(reinterpret_cast<std::uintptr_t>(out) % sizeof(uint4) / sizeof(key));
    const std::int64_t blocks = (n + misalignment - 1) / tile_keys + 1;
    const auto found = detail::find_shape<kernel, 0, shared_bytes>(1, fill_size).with_blocks(blocks);
    return detail::launch_main(found, kernel, sizeof(uint4), how, order, out, n, misalignment, state);
  }
};

}  // namespace gpuprim::detail
