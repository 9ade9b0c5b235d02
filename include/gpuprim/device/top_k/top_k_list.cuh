// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Whether a top-k writes what depends on the places of the keys.
enum class top_k_places { ignored, kept };

/// Most results of a row that a block sorts.
inline constexpr int most_block_sorted = 2048;

/// Words, and their places where these are kept.
template <class Word, top_k_places Places>
struct top_k_list {
  Word* words;
  std::int64_t* places;

  GPUPRIM_HOST_DEVICE static constexpr std::int64_t bytes(std::int64_t count) {
    const std::int64_t of_words = (count * int(sizeof(Word)) + 127) / 128 * 128;
    return Places == top_k_places::kept ? of_words + (count * int(sizeof(std::int64_t)) + 127) / 128 * 128 : of_words;
  }
  GPUPRIM_HOST_DEVICE static top_k_list lay_over(char* buffer, std::int64_t count) {
    const std::int64_t of_words = (count * int(sizeof(Word)) + 127) / 128 * 128;
    return {reinterpret_cast<Word*>(buffer), reinterpret_cast<std::int64_t*>(buffer + of_words)};
  }
  __device__ __forceinline__ void put(std::int64_t i, Word word, std::int64_t place) const {
    words[i] = word;
    if constexpr (Places == top_k_places::kept) places[i] = place;
  }
  __device__ __forceinline__ std::int64_t place(std::int64_t i) const {
    if constexpr (Places == top_k_places::kept) return places[i];
    else return 0;
  }
};

/// A word and its place.
template <class Word>
struct top_k_entry {
  Word word;
  std::int64_t place;
};

/// Words in shared memory, and their places where these are kept.
template <class Word, top_k_places Places, int Count>
struct top_k_shared_list {
  Word words[Count];
  std::int64_t places[Places == top_k_places::kept ? Count : 1];

  __device__ __forceinline__ top_k_entry<Word> get(int i) const {
    if constexpr (Places == top_k_places::kept) return {words[i], places[i]};
    else return {words[i], 0};
  }
  __device__ __forceinline__ void put(int i, const top_k_entry<Word>& entry) {
    words[i] = entry.word;
    if constexpr (Places == top_k_places::kept) places[i] = entry.place;
  }
};

/// What a warp has collected and not yet passed on: one atomic operation serves many elements.
template <class Word, top_k_places Places>
using top_k_stage = top_k_shared_list<Word, Places, 2 * warp_size>;

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
