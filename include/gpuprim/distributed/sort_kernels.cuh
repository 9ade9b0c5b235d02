// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Where the sorted elements of the ranks are parted, so that each rank gets a given number of them.
//
// The boundary behind rank b lies before the element whose place in the order of all is the number of elements of ranks
// 0 to b. The ranks search for its key digit by digit: each counts its keys up to every value of the digit, and the
// counts are added. Of keys that are equal to it, as many come before the boundary as are left, those of the first
// ranks first.
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/distributed/records.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// A rank's keys before a boundary for certain, and those up to its key.
struct key_range {
  std::int64_t lower, upper;
};

/// What the ranks share while they search for the boundaries, in the scratch memory of each.
template <class Word>
struct boundary_search {
  static constexpr int digit_bits = 8, bins = 1 << digit_bits, digits = int(sizeof(Word));
  static_assert(digit_bits == 8, "a word has a digit for each of its bytes");

  std::int64_t* counts = nullptr;  ///< elements of each rank
  Word* words = nullptr;           ///< of each boundary the digits of its key that are known
  std::int64_t* below = nullptr;   ///< for each value of the next digit: keys whose words go up to it
  key_range* ranges = nullptr;     ///< of all ranks, those of each boundary
  std::int64_t* moves = nullptr;   ///< elements that this rank sends to each, and then those that it gets from each
  int rank = 0, ranks = 0;

  GPUPRIM_HOST_DEVICE constexpr int boundaries() const { return ranks - 1; }
  constexpr void take(memory_parts& parts) {
    parts.take(counts, ranks);
    parts.take(words, boundaries());
    parts.take(below, std::int64_t(boundaries()) * bins);
    parts.take(ranges, std::int64_t(boundaries()) * ranks);
    parts.take(moves, 2 * std::int64_t(ranks));
  }

  /// Elements before a boundary.
  __device__ std::int64_t place(int boundary) const {
    std::int64_t sum = 0;
    for (int other = 0; other <= boundary; ++other) sum += counts[other];
    return sum;
  }
  /// Elements of a rank that lie before a boundary; boundary -1 is the begin, and the last rank ends at the end.
  __device__ std::int64_t cut(int of, int boundary) const {
    if (0 > boundary) return 0;
    if (boundary == boundaries()) return counts[of];
    std::int64_t left = place(boundary);
    for (int other = 0; other < ranks; ++other) left -= range(other, boundary).lower;
    for (int other = 0; other < of; ++other) left -= range(other, boundary).upper - range(other, boundary).lower;
    const key_range own = range(of, boundary);
    if (0 > left) left = 0;
    const std::int64_t equal = own.upper - own.lower;
    return own.lower + (equal < left ? equal : left);
  }
  __device__ const key_range& range(int of, int boundary) const {
    return ranges[std::int64_t(of) * boundaries() + boundary];
  }
};

/// How many of n sorted keys have words up to `word`, or only less than it.
template <class Digits, class Key, class Word>
__device__ std::int64_t count_up_to(const Digits& digits, const Key* keys, std::int64_t n, Word word, bool is_less) {
  std::int64_t first = 0, end = n;
  while (first < end) {
    const std::int64_t middle = first + (end - first) / 2;
    const Word found = digits.order(digits.store(keys[middle]));
    if (is_less ? found < word : found <= word) first = middle + 1;
    else end = middle;
  }
  return first;
}

/// Finds the next digit of each boundary from the sums of the counts, and counts for the digit behind it; or, behind
/// the last one, the range of the rank's keys. `bit`: the first bit of the digit that is to be counted; negative
/// behind the last one.
template <class Digits, class Key, class Word>
__global__ void __launch_bounds__(boundary_search<Word>::bins)
    narrow_boundaries_kernel(Digits digits, const Key* keys, std::int64_t n, boundary_search<Word> search, int bit) {
  using search_type = boundary_search<Word>;
  GPUPRIM_SHARED(word, Word[1]);
  ptx::wait_for_previous_grid();
  const this_block block;
  const int value = int(threadIdx.x), last_bit = bit + search_type::digit_bits;
  for (int boundary = int(blockIdx.x); boundary < search.boundaries(); boundary += int(gridDim.x)) {
    std::int64_t* const below = search.below + std::int64_t(boundary) * search_type::bins;
    if (last_bit == search_type::digits * search_type::digit_bits) {
      if (value == 0) word[0] = 0;
    } else {
      const std::int64_t place = search.place(boundary);
      const bool is_behind = value == search_type::bins - 1 || below[value] > place;
      if (is_behind && (value == 0 || below[value - 1] <= place)) {
        word[0] = Word(search.words[boundary] | Word(Word(value) << last_bit));
      }
    }
    block.sync();
    if (value == 0) search.words[boundary] = word[0];
    if (bit >= 0) {
      const Word lowest = Word((Word(1) << bit) - 1), most = Word(word[0] | Word(Word(value) << bit) | lowest);
      below[value] = detail::count_up_to(digits, keys, n, most, false);
    } else if (value == 0) {
      search.ranges[std::int64_t(search.rank) * search.boundaries() + boundary] = {
          detail::count_up_to(digits, keys, n, word[0], true), detail::count_up_to(digits, keys, n, word[0], false)};
    }
    block.sync();
  }
}

/// Finds how many elements the rank sends to each, and how many it gets from each.
template <class Word>
__global__ void __launch_bounds__(warp_size) find_moves_kernel(boundary_search<Word> search) {
  ptx::wait_for_previous_grid();
  for (int other = int(threadIdx.x); other < search.ranks; other += warp_size) {
    search.moves[other] = search.cut(search.rank, other) - search.cut(search.rank, other - 1);
    search.moves[search.ranks + other] = search.cut(other, search.rank) - search.cut(other, search.rank - 1);
  }
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
