// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How blocks read all keys or candidates, and collect those above a limit.
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/device/top_k/top_k_list.cuh>
#include <gpuprim/warp/shuffle.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Which of so many blocks that share the work the calling one is.
struct top_k_part {
  int part, parts;
};

/// An input behind its first elements.
template <class In>
struct later_items : input_iterator_types<input_value<In>> {
  In in;
  std::int64_t first;

  GPUPRIM_HOST_DEVICE later_items(const In& i, std::int64_t f) : in(i), first(f) {}
  __device__ auto operator[](std::int64_t at) const { return in[first + at]; }
};
template <class In>
__device__ __forceinline__ auto skip_items(const In& in, std::int64_t first) {
  if constexpr (std::is_pointer_v<In>) return in + first;
  else return later_items<In>(in, first);
}

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

/// True for what looks at few words: `may_take(words, place)` says at which loads.
template <class Take>
inline constexpr bool takes_few = requires { requires Take::takes_few; };

/// Calls `take(words, place, is_there)` for the loads of a warp, of which `words_of(k, load)` are the words. Where few
/// are taken, all other loads are passed over, and there is one piece of code for those that are not.
template <int Loads, class Load, class WordsOf, class PlaceOf, class IsThere, class Take>
__device__ __forceinline__ void take_loads(const Load (&loaded)[Loads], const WordsOf& words_of,
                                           const PlaceOf& place_of, const IsThere& is_there, Take& take) {
  if constexpr (takes_few<Take>) {
    unsigned left = 0;  // a bit for each load, the same in all lanes
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      const bool may_be = take.may_take(words_of(loaded[k]), place_of(k, loaded[k])) & is_there(k);
      left |= unsigned(__ballot_sync(0xffffffffu, may_be) != 0) << k;
    }
#pragma unroll 1
    for (; left != 0; left &= left - 1) {
      const int k = __ffs(int(left)) - 1;
      Load load = loaded[0];
#pragma unroll
      for (int i = 1; i < Loads; ++i) {
        if (i == k) load = loaded[i];
      }
      take(words_of(load), place_of(k, load), is_there(k));
    }
  } else {
#pragma unroll
    for (int k = 0; k < Loads; ++k) take(words_of(loaded[k]), place_of(k, loaded[k]), is_there(k));
  }
}

/// Calls `take(words, place, is_there)` for the keys of a part of n, by whole warps: some words, the first of which is
/// that of the key at the place. All loads of a thread are in flight before the first is used.
template <int BlockSize, int Loads, class In, class Ranking, class Take>
__device__ __forceinline__ void visit_input(const In& in, std::int64_t n, top_k_part mine, const Ranking& ranks,
                                            Take& take) {
  using T = input_value<In>;
  using word = typename Ranking::word;
  constexpr int items = top_k_load_items<In>;
  const int rank = int(this_block::thread_rank()), lane = int(ptx::lane()), before = detail::count_before_loads(in, n);
  const std::int64_t loads = (n - before) / items;
  if constexpr (items > 1) {
    if (mine.part == mine.parts - 1 && rank < warp_size) {  // the elements that no load has
      constexpr int half = warp_size / 2;
      const int behind = int(n - before - loads * items), i = lane % half;
      const bool is_there = i < (lane < half ? before : behind);
      const std::int64_t at = is_there ? (lane < half ? i : n - behind + i) : 0;
      uninitialized_array<word, 1> one;
      one[0] = ranks.rank(in[at]);
      take(one, at, is_there);
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
      detail::take_loads(
          packed, words_of, [&](int k, const uint4&) { return before + (first + k * step) * items; }, is_there, take);
    } else {
      uninitialized_array<T, 1> keys[Loads];
#pragma unroll
      for (int k = 0; k < Loads; ++k) keys[k][0] = in[index_of(k)];
      const auto word_of = [&](const uninitialized_array<T, 1>& key) {
        uninitialized_array<word, 1> one;
        one[0] = ranks.rank(key[0]);
        return one;
      };
      detail::take_loads(
          keys, word_of, [&](int k, const auto&) { return first + k * step; }, is_there, take);
    }
  }
}

/// Calls `take(words, place, is_there)` for the words of a part of a list, by whole warps.
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
    detail::take_loads(
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

/// What a warp has collected and not yet passed on: one atomic operation serves many elements.
template <class Word, top_k_places Places>
struct top_k_stage {
  static constexpr int room = 2 * warp_size;
  Word words[room];
  std::int64_t places[Places == top_k_places::kept ? room : 1];
};

/// Collects the elements that a limit takes: calls `put(number, word, place)` once for each, with the numbers that the
/// counter has next.
template <class Word, top_k_places Places, class Limit, class Put>
struct top_k_collector {
  static constexpr bool takes_few = true;
  top_k_stage<Word, Places>& stage;
  Limit limit;
  top_k_counter counter;
  const Put& put;
  int staged = 0;

  /// The place is that of the first word: an input of equal words is passed over behind the limit too.
  template <int Items>
  __device__ __forceinline__ bool may_take(const uninitialized_array<Word, Items>& words, std::int64_t place) const {
    Word most = words[0];
#pragma unroll
    for (int i = 1; i < Items; ++i) most = most < words[i] ? words[i] : most;
    return bool(int(most > limit.word) | (int(most == limit.word) & int(place <= limit.place)));  // without a branch
  }
  template <int Items>
  __device__ __forceinline__ void operator()(const uninitialized_array<Word, Items>& words, std::int64_t place,
                                             bool is_there) {
    unsigned taken = 0;  // a bit for each word
#pragma unroll
    for (int i = 0; i < Items; ++i) taken |= unsigned(is_there && limit.takes(words[i], place + i)) << i;
#pragma unroll 1
    while (const unsigned votes = __ballot_sync(0xffffffffu, taken != 0)) {
      const int first = __ffs(int(taken)) - 1;
      if (taken != 0) {
        const int at = staged + __popc(votes & ((1u << ptx::lane()) - 1));
#pragma unroll
        for (int i = 0; i < Items; ++i) {
          if (i == first) stage.words[at] = words[i];
        }
        if constexpr (Places == top_k_places::kept) stage.places[at] = place + first;
      }
      taken &= taken - 1;
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
      std::int64_t place = 0;
      if constexpr (Places == top_k_places::kept) place = stage.places[i];
      put(first + i, stage.words[i], place);
    }
    warp.sync();
    staged = 0;
  }
};

}  // namespace gpuprim::detail
