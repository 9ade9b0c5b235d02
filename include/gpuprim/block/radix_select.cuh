// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The k-th largest of many words, digit by digit: count the words in the bins of their highest digit, find the bin in
// which the k-th is, and go on with the next digit of those in this bin.
#include <gpuprim/block/block_scan.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Which bin has the wanted word, and how many words are in the bins above it and in it.
template <class Count>
struct found_bin {
  int bin;
  Count above, within;
};

/// Finds the bin of the `wanted`-th largest word: the first, from the last bin down, with which so many are counted.
/// `take_count(bin)` is called once for each bin.
/// @pre  All threads of the block call it. 1 <= wanted <= the number of words.
/// @sync barriers behind the calls of `take_count`, and one has to come before the next call.
template <int BlockSize, int Bins, class Count, class TakeCount, class Block = this_block>
__device__ __forceinline__ found_bin<Count> block_find_bin(const Count& wanted, const TakeCount& take_count,
                                                           const Block& block = {}) {
  constexpr int items = (Bins + BlockSize - 1) / BlockSize;
  auto& found = detail::storage_of<found_bin<Count>>(block);
  const int first = Bins - 1 - int(block.thread_rank()) * items;
  Count counts[items], own = 0;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    counts[i] = first - i >= 0 ? Count(take_count(first - i)) : Count(0);
    own += counts[i];
  }
  Count above = gpuprim::block_exclusive_scan<BlockSize>(detail::memory_behind<sizeof(found_bin<Count>)>(block), own,
                                                         plus<Count>{});
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (above < wanted && wanted <= above + counts[i]) found = {first - i, above, counts[i]};
    above += counts[i];
  }
  block.sync();
  return found;
}

/// What is known of the k-th largest of some words: its upper bits, and how many of those that share these bits are
/// wanted.
template <class Word>
struct radix_search {
  Word prefix;          ///< its known bits; the others are 0
  Word known;           ///< a mask of them
  int bits_left;        ///< that are not known
  std::int64_t wanted;  ///< it is the so-many-th largest of the words that have these bits
  std::int64_t within;  ///< how many words have these bits

  /// Nothing is known of `count` words but that all bits above the lowest `bits` are set.
  GPUPRIM_HOST_DEVICE static constexpr radix_search begin(int bits, std::int64_t wanted, std::int64_t count) {
    const Word set = bits == 8 * int(sizeof(Word)) ? Word(0) : Word(~Word(0) << bits);
    return {set, set, bits, wanted, count};
  }
  /// Whether no digit is to be looked at: all words with these bits are wanted, or all bits are known.
  GPUPRIM_HOST_DEVICE constexpr bool is_done(std::int64_t spare = 0) const {
    return bits_left == 0 || takes_all(spare);
  }
  /// Whether all words with the known bits are among the k largest, but for so many; never with -1.
  GPUPRIM_HOST_DEVICE constexpr bool takes_all(std::int64_t spare = 0) const { return within - wanted <= spare; }
  /// Whether a word has the known bits, so that its next digit counts.
  __device__ __forceinline__ bool concerns(Word w) const { return (w & known) == prefix; }

  template <int Bits> __device__ __forceinline__ int shift() const { return bits_left > Bits ? bits_left - Bits : 0; }
  /// The next digit of a word. The last one may have known bits above it, which all words share that it concerns.
  template <int Bits>
  __device__ __forceinline__ int digit(Word w) const {
    return int(w >> shift<Bits>()) & ((1 << Bits) - 1);
  }
  /// Goes on to the words of a bin.
  template <int Bits, class Count>
  __device__ __forceinline__ void take(const found_bin<Count>& bin) {
    const int at = shift<Bits>();
    prefix = Word(prefix | Word(Word(bin.bin) << at));
    known = Word(~Word(0) << at);
    bits_left = at;
    wanted -= bin.above;
    within = bin.within;
  }
};

/// The last place where none is too far.
inline constexpr std::int64_t every_place = INT64_MAX;

/// A word and a place that divide what is taken from what is not. Equal words are taken by their places.
template <class Word>
struct top_k_limit {
  Word word;
  std::int64_t place;  ///< the last place at which a word that is equal is taken; -1 for none

  __device__ __forceinline__ bool takes(Word w, std::int64_t at) const {
    return w > word || (w == word && at <= place);
  }
};

/// A place as a word that is the larger, the lower the place is.
__device__ __forceinline__ constexpr std::uint64_t rank_of_place(std::int64_t place) { return ~std::uint64_t(place); }
__device__ __forceinline__ constexpr std::int64_t place_of_rank(std::uint64_t rank) { return std::int64_t(~rank); }

/// The bits of a number up to its highest one that is set.
__device__ __forceinline__ int find_bit_width(std::uint64_t x) { return 64 - __clzll(static_cast<long long>(x)); }

/// Bits of a digit where so many threads count, and the counters.
template <int BlockSize>
inline constexpr int radix_bits = BlockSize >= 256   ? 11
                                  : BlockSize >= 128 ? 9
                                                     : 8;
template <int BlockSize>
inline constexpr int radix_bins = 1 << radix_bits<BlockSize>;
template <int BlockSize>
struct radix_counters {
  unsigned of[radix_bins<BlockSize>];

  /// Calls `go(bin)` for the bins of the calling thread.
  template <class Go>
  __device__ __forceinline__ static void for_own_bins(const Go& go) {
    constexpr int bins = radix_bins<BlockSize>;
#pragma unroll
    for (int first = 0; first < bins; first += BlockSize) {
      const int bin = first + int(this_block::thread_rank());
      if (bins % BlockSize == 0 || bin < bins) go(bin);
    }
  }
  /// @sync the block meets before it counts.
  __device__ __forceinline__ void clear() {
    for_own_bins([&](int bin) { of[bin] = 0; });
  }
  /// What is counted in a bin; 0 after that.
  __device__ __forceinline__ int take_count(int bin) {
    const unsigned count = of[bin];
    of[bin] = 0;
    return int(count);
  }
};

/// Joins a value of each thread; all get the result. Its shared memory is a value of each warp.
/// @sync  two block barriers: it may be called twice in a row.
template <int BlockSize, class T, class Op>
__device__ __forceinline__ T join_block(T value, const Op& op) {
  const this_block block;
  value = gpuprim::warp_reduce(warp_tile<warp_size>{}, value, op);
  value = detail::block_join_warps<BlockSize, reuse_barrier::callers>(block, value, op, BlockSize / warp_size);
  return detail::block_broadcast<BlockSize>(block, value);
}

/// Finds the k-th largest of the words that a block has: `visit(take)` calls `take(word)` for each word of the calling
/// thread, the same in each call. It ends where all words with the known bits would be up to `spare` more than k.
/// @pre  All threads of the block call it, and 1 <= k <= count, the number of words. Nobody is using the counters any
///       more.
/// @sync it may be called twice in a row.
template <int BlockSize, class Word, class Visit, class Block = this_block>
__device__ __forceinline__ radix_search<Word> block_radix_select(radix_counters<BlockSize>& counters,
                                                                 radix_search<Word> search, int spare,
                                                                 const Visit& visit, const Block& block = {}) {
  constexpr int bits = radix_bits<BlockSize>;
  if (search.bits_left == 0 || search.takes_all(spare)) return search;
  counters.clear();
  this_block::sync();
#pragma unroll 1
  do {
    visit([&](Word w) {
      if (search.concerns(w)) ptx::count_one(ptx::find_shared_address(&counters.of[search.template digit<bits>(w)]));
    });
    this_block::sync();
    search.template take<bits>(detail::block_find_bin<BlockSize, (1 << bits)>(
        int(search.wanted), [&](int bin) { return counters.take_count(bin); }, block));
  } while (search.bits_left > 0 && !search.takes_all(spare));
  return search;
}

/// The limit of the words that a search has found: of those that are equal to the k-th, `visit_equal(take)` calls
/// `take(place)` for the places, which are below `places`, each another. In all else like the search.
template <int BlockSize, class Word, class VisitEqual, class Block = this_block>
__device__ __forceinline__ top_k_limit<Word> block_find_places(radix_counters<BlockSize>& counters,
                                                               const radix_search<Word>& words, int spare,
                                                               std::int64_t places, const VisitEqual& visit_equal,
                                                               const Block& block = {}) {
  if (words.takes_all(spare)) return {words.prefix, every_place};
  const int bits = detail::find_bit_width(std::uint64_t(places - 1));
  const auto of_places = detail::block_radix_select<BlockSize>(
      counters, radix_search<std::uint64_t>::begin(bits, words.wanted, words.within), spare,
      [&](const auto& take) { visit_equal([&](std::int64_t place) { take(detail::rank_of_place(place)); }); }, block);
  return {words.prefix, detail::place_of_rank(of_places.prefix)};
}

/// The limit of the k largest of the words of a block, or of up to `spare` more. Each has a place of its own, below
/// `places`: `visit(take)` calls `take(word, place)`.
template <int BlockSize, class Word, class Visit, class Block = this_block>
__device__ __forceinline__ top_k_limit<Word> block_find_limit(radix_counters<BlockSize>& counters, int bits, int k,
                                                              int count, int spare, int places, const Visit& visit,
                                                              const Block& block = {}) {
  const auto words = detail::block_radix_select<BlockSize>(
      counters, radix_search<Word>::begin(bits, k, count), spare,
      [&](const auto& take) { visit([&](Word w, int) { take(w); }); }, block);
  return detail::block_find_places<BlockSize>(
      counters, words, spare, places,
      [&](const auto& take) {
        visit([&](Word w, int place) {
          if (w == words.prefix) take(place);
        });
      },
      block);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
