// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How blocks read all keys or candidates, and collect those above a limit.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/device/top_k/top_k_list.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Which of so many blocks that share the work the calling one is.
struct top_k_part {
  int part, parts;
};

/// Elements of a load, and how many lie before the first load: those of an array are loaded 16 bytes at a time.
template <class In>
inline constexpr int top_k_load_items = std::is_pointer_v<In> ? elements_per_load<input_value<In>> : 1;
template <class In>
__device__ __forceinline__ int count_before_loads(const In& in, std::int64_t n) {
  if constexpr (top_k_load_items<In> == 1) {
    return 0;
  } else {
    const int before = int(-reinterpret_cast<std::uintptr_t>(in) % load_bytes / sizeof(*in));
    return before < n ? before : int(n);
  }
}

/// True for what collects few elements of all loads of a thread at once.
template <class Take>
inline constexpr bool collects = requires { requires Take::collects; };

/// Has `take` look at the loads of a warp, of which `words_of(load)` are the words: `take(words, place, is_there)` for
/// each load, or, where it collects, `take.look(words, place)`, which returns a bit for each word that it takes, and
/// then `take.collect(taken, entry_of)`, where `entry_of(i)` finds the element of bit i again.
template <int Items, int Loads, class Load, class WordsOf, class PlaceOf, class IsThere, class Take>
__device__ __forceinline__ void take_loads(const Load (&loaded)[Loads], const WordsOf& words_of,
                                           const PlaceOf& place_of, const IsThere& is_there, Take& take) {
  if constexpr (collects<Take>) {
    static_assert(Loads * Items <= 64);
    using mask = std::conditional_t<(Loads * Items > 32), std::uint64_t, std::uint32_t>;
    mask taken = 0;
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      const unsigned own = take.look(words_of(loaded[k]), place_of(k, loaded[k]));
      taken |= mask(is_there(k) ? own : 0) << (k * Items);
    }
    take.collect(taken, [&](int bit) {
      const int k = bit / Items, item = bit % Items;
      Load load = loaded[0];
#pragma unroll
      for (int i = 1; i < Loads; ++i) {
        if (i == k) load = loaded[i];
      }
      const auto words = words_of(load);
      auto word = words[0];
#pragma unroll
      for (int i = 1; i < Items; ++i) {
        if (i == item) word = words[i];
      }
      return top_k_entry<decltype(word)>{word, place_of(k, load) + item};
    });
  } else {
#pragma unroll
    for (int k = 0; k < Loads; ++k) take(words_of(loaded[k]), place_of(k, loaded[k]), is_there(k));
  }
}

/// Has `take` look at the keys of a part of n, by whole warps: at some words, the first of which is that of the key at
/// the place. All loads of a thread are in flight before the first is used.
template <int BlockSize, int Loads, class In, class Ranking, class Take>
__device__ __forceinline__ void visit_input(const In& in, std::int64_t n, top_k_part mine, const Ranking& ranks,
                                            Take& take) {
  using T = input_value<In>;
  using word = typename Ranking::word;
  constexpr int items = top_k_load_items<In>;
  const int rank = int(this_block::thread_rank()), lane = int(ptx::lane()), before = detail::count_before_loads(in, n);
  const std::int64_t loads = (n - before) / items;
  const auto word_of = [&](const uninitialized_array<T, 1>& key) {
    uninitialized_array<word, 1> one;
    one[0] = ranks.rank(key[0]);
    return one;
  };
  if constexpr (items > 1) {
    constexpr int half = warp_size / 2;
    const int behind = int(n - before - loads * items);
    if (before + behind > 0 && mine.part == mine.parts - 1 && rank < warp_size) {  // the elements that no load has
      const int i = lane % half;
      const bool is_there = i < (lane < half ? before : behind);
      const std::int64_t at = is_there ? (lane < half ? i : n - behind + i) : 0;
      uninitialized_array<T, 1> key[1];
      key[0][0] = in[at];
      detail::take_loads<1>(
          key, word_of, [&](int, const auto&) { return at; }, [&](int) { return is_there; }, take);
    }
  }
  const auto words_of = [&](const loaded<T>& load) {
    uninitialized_array<word, items> words;
    const auto keys = unpack<T>(load);
#pragma unroll
    for (int i = 0; i < items; ++i) words[i] = ranks.rank(keys[i]);
    return words;
  };
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
      detail::take_loads<1>(
          keys, word_of, [&](int k, const auto&) { return first + k * step; }, is_there, take);
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

/// Collects the elements that a limit takes: calls `put(number, word, place)` once for each, with the numbers that the
/// counter has next.
template <class Word, top_k_places Places, class Put>
struct top_k_collector {
  static constexpr bool collects = true;
  top_k_stage<Word, Places>& stage;
  top_k_limit<Word> limit;
  top_k_counter counter;
  const Put& put;
  int staged = 0;

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
  /// Takes what has a bit in any lane. Called by whole warps.
  template <class Mask, class EntryOf>
  __device__ __forceinline__ void collect(Mask taken, const EntryOf& entry_of) {
#pragma unroll 1
    while (const unsigned votes = __ballot_sync(0xffffffffu, taken != 0)) {
      if (taken != 0) {
        const int bit = sizeof taken == 4 ? __ffs(int(taken)) - 1 : __ffsll(static_cast<long long>(taken)) - 1;
        stage.put(staged + __popc(votes & ((1u << ptx::lane()) - 1)), entry_of(bit));
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
