// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How blocks read all keys or candidates, and collect those above a limit.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/device/top_k/top_k_parts.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Has `take` look at the keys of a part of n, by whole warps: at some words, the first of which is that of the key at
/// the place. All loads of a thread are in flight before the first is used.
template <int BlockSize, int Loads, class In, class Ranking, class Take>
__device__ __forceinline__ void visit_input(const In& in, std::int64_t n, top_k_part mine, const Ranking& ranks,
                                            Take& take) {
  using T = input_value<In>;
  constexpr int items = top_k_load_items<In>;
  const int rank = int(this_block::thread_rank()), lane = int(ptx::lane()), before = detail::count_before_loads(in, n);
  const std::int64_t loads = (n - before) / items;
  const auto words_of = [&](const auto& load) { return detail::rank_load<T>(ranks, load); };
  if constexpr (items > 1) {
    constexpr int half = warp_size / 2;
    const int behind = int(n - before - loads * items);
    if (before + behind > 0 && mine.part == mine.parts - 1 && rank < warp_size) {  // the elements that no load has
      const int i = lane % half;
      const bool is_there = i < (lane < half ? before : behind);
      const std::int64_t at = is_there ? (lane < half ? i : n - behind + i) : 0;
      uninitialized_array<T, 1> key[1];
      key[0][0] = in[at];
      detail::take_loads<1>(key, words_of, [&](int, const auto&) { return at; }, [&](int) { return is_there; }, take);
    }
  }
  const std::int64_t step = std::int64_t{mine.parts} * BlockSize;
#pragma unroll 1
  for (std::int64_t warp_first = std::int64_t{mine.part} * BlockSize + (rank - lane); warp_first < loads;
       warp_first += step * Loads) {
    const std::int64_t first = warp_first + lane;
    const auto is_there = [&](int k) { return first + k * step < loads; };
    const auto index_of = [&](int k) { return is_there(k) ? first + k * step : loads - 1; };
    if constexpr (items > 1) {
      const auto* const from = reinterpret_cast<const uint4*>(in + before);
      uint4 packed[Loads];
#pragma unroll
      for (int k = 0; k < Loads; ++k) packed[k] = ptx::load_past_l1(from + index_of(k));
      __syncwarp();  // the compiler would delay loads until the ones before are used
      detail::take_loads<items>(
          packed, words_of, [&](int k, const uint4&) { return before + (first + k * step) * items; }, is_there, take);
    } else {
      uninitialized_array<T, 1> keys[Loads];
#pragma unroll
      for (int k = 0; k < Loads; ++k) keys[k][0] = in[index_of(k)];
      __syncwarp();
      detail::take_loads<1>(keys, words_of, [&](int k, const auto&) { return first + k * step; }, is_there, take);
    }
  }
}

/// Has `take` look at the words of a part of a list, by whole warps.
template <int BlockSize, int Loads, class Word, top_k_places Places, class Take>
__device__ __forceinline__ void visit_list(const top_k_list<Word, Places>& list, std::int64_t n, top_k_part mine,
                                           Take& take) {
  struct entry {
    uninitialized_array<Word, 1> words;
    std::int64_t place;
  };
  const int rank = int(this_block::thread_rank()), lane = int(ptx::lane());
  const std::int64_t step = std::int64_t{mine.parts} * BlockSize;
#pragma unroll 1
  for (std::int64_t warp_first = std::int64_t{mine.part} * BlockSize + (rank - lane); warp_first < n;
       warp_first += step * Loads) {
    const std::int64_t first = warp_first + lane;
    const auto is_there = [&](int k) { return first + k * step < n; };
    entry entries[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      const std::int64_t at = is_there(k) ? first + k * step : n - 1;
      entries[k].words[0] = list.words[at];
      entries[k].place = list.place(at);
    }
    __syncwarp();
    detail::take_loads<1>(
        entries, [](const entry& e) { return e.words; }, [](int, const entry& e) { return e.place; }, is_there, take);
  }
}

/// Counts results or candidates, of one block in shared memory or of several in global memory.
struct top_k_counter {
  unsigned* of_block;  ///< null where several blocks count
  unsigned long long* of_team;

  /// The first of the next numbers, for one thread.
  __device__ std::int64_t take(int numbers) const {
    if (of_block != nullptr) return std::int64_t(atomicAdd(of_block, unsigned(numbers)));
    return std::int64_t(atomicAdd(of_team, static_cast<unsigned long long>(numbers)));
  }
};

/// Looks at words by a limit.
template <class Word>
struct top_k_filter {
  static constexpr bool collects = true;
  top_k_limit<Word> limit;

  /// A bit for each of neighbouring words that the limit takes, without a branch. The place is that of the first.
  template <int Items>
  __device__ __forceinline__ unsigned look(const uninitialized_array<Word, Items>& words, std::int64_t place) const {
    const std::int64_t after = limit.place - place;  // words up to this one are taken where they are equal
    const int last = after >= Items ? Items : after < 0 ? -1 : int(after);
    unsigned taken = 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      taken |= unsigned(int(words[i] > limit.word) | (int(words[i] == limit.word) & int(i <= last))) << i;
    }
    return taken;
  }
  /// The lowest bit of a mask that is set.
  template <class Mask>
  __device__ __forceinline__ static int find_bit(Mask taken) {
    return sizeof taken == 4 ? __ffs(int(taken)) - 1 : __ffsll(static_cast<long long>(taken)) - 1;
  }
};

/// Collects the elements that a limit takes, a thread its own: calls `put(entry)` for each.
template <class Word, class Put>
struct top_k_taker : top_k_filter<Word> {
  const Put& put;

  template <class Mask, class EntryOf>
  __device__ __forceinline__ void collect(Mask taken, const EntryOf& entry_of) const {
#pragma unroll 1
    for (; taken != 0; taken &= taken - 1) put(entry_of(this->find_bit(taken)));
  }
};

/// Collects the elements that a limit takes: calls `put(number, word, place)` once for each, with the numbers that the
/// counter has next.
template <class Word, top_k_places Places, class Put>
struct top_k_collector : top_k_filter<Word> {
  top_k_stage<Word, Places>& stage;
  top_k_counter counter;
  const Put& put;
  int staged = 0;

  /// Takes what has a bit in any lane. Called by whole warps.
  template <class Mask, class EntryOf>
  __device__ __forceinline__ void collect(Mask taken, const EntryOf& entry_of) {
#pragma unroll 1
    while (const unsigned votes = __ballot_sync(0xffffffffu, taken != 0)) {
      if (taken != 0) {
        stage.put(staged + __popc(votes & ((1u << ptx::lane()) - 1)), entry_of(this->find_bit(taken)));
        taken &= taken - 1;
      }
      staged += __popc(votes);
      if (staged > warp_size) pass_on();
    }
  }
  /// Called last, by whole warps.
  __device__ void pass_on() {
    if (staged == 0) return;
    const warp_tile<warp_size> warp;
    const int lane = int(ptx::lane());
    std::int64_t first = 0;
    if (lane == 0) first = counter.take(staged);
    first = detail::shuffle(warp, first, 0);
    warp.sync();
#pragma unroll 1
    for (int i = lane; i < staged; i += warp_size) {
      const auto entry = stage.get(i);
      put(first + i, entry.word, entry.place);
    }
    warp.sync();
    staged = 0;
  }
};

}  // namespace gpuprim::detail
