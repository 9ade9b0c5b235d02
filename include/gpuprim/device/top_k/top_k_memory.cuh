// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the blocks of a top-k share.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/device/top_k/top_k_list.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// What is done next.
enum class top_k_step {
  sample,        ///< a sample is taken, which gives a limit that the k largest hardly ever are below
  filter,        ///< what is above it becomes candidates
  count_words,   ///< a digit of the words is counted, of the candidates or of all keys
  count_places,  ///< a digit of the places of those whose words are equal to the k-th
  write,         ///< the k largest are written
  none,          ///< all is done
};
enum class top_k_source { input, candidates };

/// How far the search for the k largest of a row is.
template <class Word>
struct top_k_progress {
  top_k_step step;
  top_k_source source;
  std::int64_t count;  ///< elements of the source
  radix_search<Word> words;
  radix_search<std::uint64_t> places;
  top_k_limit<Word> limit;  ///< for the filter, or what is written

  __device__ void count_words(int bits, std::int64_t k) {
    words = radix_search<Word>::begin(bits, k, count);
    end_words(0);
  }
  /// Goes on when a digit of the words is known. `place_bits`: 0 where places do not matter.
  __device__ void end_words(int place_bits) {
    if (!words.is_done()) {
      step = top_k_step::count_words;
    } else if (words.takes_all() || place_bits == 0) {
      write({words.prefix, words.takes_all() ? every_place : -1});
    } else {
      places = radix_search<std::uint64_t>::begin(place_bits, words.wanted, words.within);
      step = top_k_step::count_places;
    }
  }
  __device__ void end_places() {
    if (places.is_done()) write({words.prefix, detail::place_of_rank(places.prefix)});
  }
  __device__ void write_all() { write({0, every_place}); }
  /// Of the words that are equal to the limit, how many are written where all are alike.
  __device__ std::int64_t equal() const { return limit.place < 0 ? words.wanted : 0; }

 private:
  __device__ void write(const top_k_limit<Word>& taken) {
    limit = taken;
    step = top_k_step::write;
  }
};

/// What the blocks that work on one row share in zeroed memory. They work in rounds of as many parts as there are
/// blocks, which take parts by tickets: a block waits only for parts that other blocks have begun, so that not all
/// blocks need be resident. The last one that has done its part of a round says what the next round is.
template <int BlockSize>
struct top_k_team {
  unsigned next;       ///< the ticket to be handed out
  unsigned left;       ///< blocks that have left
  unsigned arrived;    ///< parts of this round that are done
  unsigned published;  ///< the round that has begun
  unsigned long long found, written;  ///< candidates and results
  unsigned long long counts[radix_bins<BlockSize>];

  /// One thread says that the block has done its part, and learns whether it was the last. Its block has met.
  __device__ bool arrive(unsigned parts) { return ptx::arrive_in_order(&arrived, parts - 1) == parts - 1; }
  /// One thread waits until a round has begun.
  __device__ void wait_for(unsigned round) const {
    while (ptx::load_acquire(&published) < round) {
    }
  }
  /// A block adds what it has counted.
  __device__ void add(const radix_counters<BlockSize>& own) {
    for (int i = int(this_block::thread_rank()); i < radix_bins<BlockSize>; i += BlockSize) {
      if (own.of[i] != 0) atomicAdd(&counts[i], static_cast<unsigned long long>(own.of[i]));
    }
  }
  /// What all blocks have counted; 0 after that.
  __device__ std::int64_t take_count(int bin) {
    const auto count = std::int64_t(counts[bin]);
    counts[bin] = 0;
    return count;
  }
  /// One thread says that its block leaves. The last one makes all zero again; the counts are.
  __device__ void leave(unsigned parts) {
    if (ptx::arrive_in_order(&left, parts - 1) != parts - 1) return;
    next = 0;
    published = 0;
    found = written = 0;
  }
};

/// The scratch memory of the blocks that work on one row.
template <class Word, top_k_places Places>
struct top_k_scratch {
  using list = top_k_list<Word, Places>;
  static constexpr std::int64_t progress_bytes = (int(sizeof(top_k_progress<Word>)) + 127) / 128 * 128;
  top_k_progress<Word>* progress;
  list candidates, results;

  GPUPRIM_HOST_DEVICE static constexpr std::int64_t bytes(std::int64_t candidates, std::int64_t results) {
    return progress_bytes + list::bytes(candidates) + list::bytes(results);
  }
  GPUPRIM_HOST_DEVICE static top_k_scratch lay_over(void* buffer, std::int64_t team, std::int64_t candidates,
                                                    std::int64_t results) {
    char* const at = static_cast<char*>(buffer) + team * bytes(candidates, results);
    return {reinterpret_cast<top_k_progress<Word>*>(at), list::lay_over(at + progress_bytes, candidates),
            list::lay_over(at + progress_bytes + list::bytes(candidates), results)};
  }
};

}  // namespace gpuprim::detail
