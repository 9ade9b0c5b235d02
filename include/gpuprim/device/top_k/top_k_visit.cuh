// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// How blocks read all keys or candidates, and collect those above a limit.
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/device/top_k/top_k_memory.cuh>
#include <gpuprim/warp/take_numbers.cuh>

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

/// Calls `take(words, place, is_there)` for the keys of a part of n, by whole warps: some words, the first of which is
/// that of the key at the place. All loads of a thread are in flight before the first is used.
template <int BlockSize, int Loads, class In, class Ranking, class Take>
__device__ __forceinline__ void visit_input(const In& in, std::int64_t n, top_k_part mine, const Ranking& ranks,
                                            const Take& take) {
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
  const std::int64_t step = std::int64_t{mine.parts} * BlockSize;
  std::int64_t first = std::int64_t{mine.part} * BlockSize + (rank - lane);  // of the warp
#pragma unroll 1
  for (; first < loads; first += step * Loads) {
    if constexpr (items > 1) {
      uint4 packed[Loads];
#pragma unroll
      for (int k = 0; k < Loads; ++k) {
        const std::int64_t at = first + lane + k * step;
        packed[k] = at < loads ? ptx::load_past_l1(in + before + at * items) : uint4{};
      }
#pragma unroll
      for (int k = 0; k < Loads; ++k) {
        const std::int64_t at = first + lane + k * step;
        const auto keys = unpack<T>(packed[k]);
        uninitialized_array<word, items> words;
#pragma unroll
        for (int i = 0; i < items; ++i) words[i] = ranks.rank(keys[i]);
        take(words, before + at * items, at < loads);
      }
    } else {
      uninitialized_array<T, Loads> keys;
#pragma unroll
      for (int k = 0; k < Loads; ++k) {
        const std::int64_t at = first + lane + k * step;
        keys[k] = in[at < n ? at : n - 1];
      }
#pragma unroll
      for (int k = 0; k < Loads; ++k) {
        const std::int64_t at = first + lane + k * step;
        uninitialized_array<word, 1> one;
        one[0] = ranks.rank(keys[k]);
        take(one, at, at < n);
      }
    }
  }
}

/// Calls `take(words, place, is_there)` for the words of a part of a list, by whole warps.
template <int BlockSize, int Loads, class List, class Take>
__device__ __forceinline__ void visit_list(const List& list, std::int64_t n, top_k_part mine, const Take& take) {
  using word = std::remove_cvref_t<decltype(*list.words)>;
  const int rank = int(this_block::thread_rank()), lane = int(ptx::lane());
  const std::int64_t step = std::int64_t{mine.parts} * BlockSize;
#pragma unroll 1
  for (std::int64_t first = std::int64_t{mine.part} * BlockSize + (rank - lane); first < n; first += step * Loads) {
    uninitialized_array<word, 1> words[Loads];
    std::int64_t places[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      const std::int64_t wanted = first + lane + k * step, at = wanted < n ? wanted : n - 1;
      words[k][0] = list.words[at];
      places[k] = list.place(at);
    }
#pragma unroll
    for (int k = 0; k < Loads; ++k) take(words[k], places[k], first + lane + k * step < n);
  }
}

/// What a warp has collected and not yet passed on: one atomic operation serves many elements.
template <class Word, top_k_places Places>
struct top_k_stage {
  static constexpr int room = 2 * warp_size;
  Word words[room];
  std::int64_t places[Places == top_k_places::kept ? room : 1];
};

/// Collects the elements that a limit takes. `visit(take)` reads all; `put(number, word, place)` is called once for each
/// that is taken. The numbers are those that `counter` has next.
template <class Word, top_k_places Places, class Visit, class Put>
__device__ __forceinline__ void collect(top_k_stage<Word, Places>& stage, const top_k_limit<Word>& limit,
                                        unsigned long long* counter, const Visit& visit, const Put& put) {
  const warp_tile<warp_size> warp;
  const int lane = int(ptx::lane());
  int staged = 0;
  const auto pass_on = [&] {
    warp.sync();
    const std::int64_t number = detail::take_numbers(warp, counter, staged);
    for (int i = lane; i < staged; i += warp_size) {
      std::int64_t place = 0;
      if constexpr (Places == top_k_places::kept) place = stage.places[i];
      put(number + i, stage.words[i], place);
    }
    warp.sync();
    staged = 0;
  };
  visit([&](const auto& words, std::int64_t place, bool is_there) {
    constexpr int items = int(sizeof(words) / sizeof(Word));
    bool may_be = false;
#pragma unroll
    for (int i = 0; i < items; ++i) may_be |= words[i] >= limit.word;
    if (__ballot_sync(0xffffffffu, is_there && may_be) == 0) return;
    unsigned taken = 0;  // a bit for each word
#pragma unroll
    for (int i = 0; i < items; ++i) taken |= unsigned(is_there && limit.takes(words[i], place + i)) << i;
    while (const unsigned votes = __ballot_sync(0xffffffffu, taken != 0)) {
      const int first = __ffs(int(taken)) - 1;
      if (taken != 0) {
        const int at = staged + __popc(votes & ((1u << lane) - 1));
#pragma unroll
        for (int i = 0; i < items; ++i) {
          if (i == first) stage.words[at] = words[i];
        }
        if constexpr (Places == top_k_places::kept) stage.places[at] = place + first;
      }
      taken &= taken - 1;
      staged += __popc(votes);
      if (staged > warp_size) pass_on();
    }
  });
  if (staged > 0) pass_on();
}

}  // namespace gpuprim::detail
