// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A row of which the k largest are found, what the blocks that work on it share, and how far they are.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/block/shared_merge_sort.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/top_k_order.hpp>
#include <gpuprim/device/top_k/top_k_parts.cuh>
#include <gpuprim/policy/top_k_policy.hpp>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// What is done next.
enum class top_k_step {
  filter,            ///< what is above the limit of a sample becomes candidates
  filter_and_count,  ///< the same where they will be many: meanwhile a digit of their words is counted
  count_words,       ///< a digit of the words is counted, of the candidates or of all keys
  count_places,      ///< a digit of the places of those whose words are equal to the k-th
  write,             ///< the k largest are written
  finish,            ///< one block does all else by itself, with what its registers hold
  none,              ///< all is done
};
enum class top_k_source { input, candidates };

/// Words from `low` on as words whose upper bits are all set, so that the search needs no digits for these. Those above
/// `high` are as it.
template <class Word>
struct top_k_scale {
  Word low, high;

  GPUPRIM_HOST_DEVICE static constexpr top_k_scale whole() { return {0, Word(~Word(0))}; }
  __device__ __forceinline__ bool is_capped() const { return high != Word(~Word(0)); }
  /// The bits that differ.
  __device__ __forceinline__ int bits() const { return detail::find_bit_width(Word(high - low)); }
  __device__ __forceinline__ Word scale(Word w) const { return Word((w < high ? w : high) + Word(~high)); }
  __device__ __forceinline__ Word unscale(Word w) const {
    const Word least = scale(low);
    return Word((w < least ? least : w) - Word(~high));
  }
};

/// How far the search for the k largest of a row is.
template <class Word>
struct top_k_progress {
  top_k_step step;
  top_k_source source;
  std::int64_t count;  ///< elements of the source
  top_k_scale<Word> scale;
  radix_search<Word> words;  ///< scaled
  radix_search<std::uint64_t> places;
  top_k_limit<Word> limit;  ///< for the filter, or what is written

  __device__ void begin_words(const top_k_scale<Word>& range, std::int64_t k) {
    scale = range;
    words = radix_search<Word>::begin(range.bits(), k, count);
  }
  __device__ void count_words(const top_k_scale<Word>& range, std::int64_t k) {
    begin_words(range, k);
    step = top_k_step::count_words;
  }
  /// Goes on when a digit of the words is known. Where the k-th is above all that the scale tells apart, the search
  /// begins again. `place_bits`: 0 where places do not matter. `spare`: as in takes_all().
  __device__ void end_words(int place_bits, std::int64_t k, int spare) {
    if (!words.is_done(spare)) {
      step = top_k_step::count_words;
    } else if (words.takes_all(spare)) {
      write({scale.unscale(words.prefix), every_place});
    } else if (scale.is_capped() && words.prefix == Word(~Word(0))) {
      count_words({scale.low, Word(~Word(0))}, k);
    } else if (place_bits == 0) {
      write({scale.unscale(words.prefix), -1});
    } else {
      places = radix_search<std::uint64_t>::begin(place_bits, words.wanted, words.within);
      step = top_k_step::count_places;
    }
  }
  __device__ void end_places() {
    if (places.is_done()) write({scale.unscale(words.prefix), detail::place_of_rank(places.prefix)});
  }
  __device__ void write_all() { write({0, every_place}); }
  /// Of the words that are equal to the limit, how many are written where all are alike.
  __device__ std::int64_t equal() const { return 0 > limit.place ? words.wanted : 0; }

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
  unsigned next;                      ///< the ticket to be handed out
  unsigned left;                      ///< blocks that have left
  unsigned arrived;                   ///< parts of this round that are done
  unsigned published;                 ///< the round that has begun
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
    own.for_own_bins([&](int bin) {
      if (own.of[bin] != 0) atomicAdd(&counts[bin], static_cast<unsigned long long>(own.of[bin]));
    });
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

/// Elements up to which one block ends the work by itself. Registers hold their words.
template <top_k_policy Policy, class Word>
inline constexpr int most_alone = Policy.block_size * (sizeof(Word) > 4 ? Policy.alone_items / 2 : Policy.alone_items);

/// What a top-k of any number of rows does, in a grid of so many blocks for each row at a time. `Rows` says where rows
/// begin and how many keys they have, `Values` what is written beside the keys.
template <top_k_policy Policy, top_k_form Form, class In, class Rows, class KeysOut, class Values>
struct top_k_pass {
  static constexpr top_k_policy policy = Policy;
  static constexpr top_k_form form = Form;
  static constexpr bool is_sorted = Form == top_k_form::sorted;
  static constexpr int block_size = Policy.block_size;
  static constexpr top_k_places places = Values::places;
  /// Whether only the last of the k is written, and how many more than k a search may end with: none are too many where
  /// all bits of the last must be known.
  static constexpr bool gives_last = requires { requires Values::gives_last; };
  static constexpr int spare = gives_last ? -1 : 0;
  using key = input_value<In>;
  using rows_type = Rows;
  using ranking = key_ranking<key, places == top_k_places::kept ? zeros::equal : zeros::distinct>;
  using word = typename ranking::word;
  using team = top_k_team<block_size>;
  using scratch = top_k_scratch<word, places>;
  using listed = std::conditional_t<places == top_k_places::kept, top_k_entry<word>, word>;

  In in;
  Rows rows;
  std::int64_t k;
  KeysOut keys_out;
  Values values;
  ranking ranks;
  top_k_sample sample = {};      ///< of each row if they are even
  int parts = 1;                 ///< blocks for a row
  std::int64_t candidates = 0;   ///< room for them
  std::int64_t sorted = 0;       ///< room for results before a block sorts them
  listed* list = nullptr;        ///< of the results of all rows, if they are too many for that and not yet written
  std::int64_t list_length = 0;  ///< of each row
  team* teams = nullptr;         ///< none where a block works on a row by itself
  void* scratch_memory = nullptr;
  int groups = 0;  ///< of keys of a row of which a cluster compares the greatest

  /// Keys of a row that are taken if it has so many.
  __device__ __forceinline__ std::int64_t k_of(std::int64_t row) const { return rows.results(row, k); }
  /// Whether a block sorts the results of a row.
  __device__ __forceinline__ bool is_sorted_in_block() const {
    if constexpr (is_sorted) return list == nullptr;
    else return false;
  }
  /// Notes result number `i` of a row for a sort from the least words up.
  __device__ __forceinline__ void enlist(std::int64_t row, std::int64_t i, word w, std::int64_t place) const {
    listed& to = list[row * list_length + i];
    if constexpr (places == top_k_places::kept) to = {word(~w), place};
    else to = word(~w);
  }
  /// Writes a result of a row that begins with key number `begin` as number `at` of all.
  __device__ __forceinline__ void put(std::int64_t at, std::int64_t begin, word w, std::int64_t place) const {
    if (ranks.tells_key(w)) detail::assign(keys_out[at], ranks.key(w));
    else detail::assign(keys_out[at], detail::skip_items(in, begin)[place]);
    if constexpr (places == top_k_places::kept) values.put(at, begin, place);
  }
};

template <class Pass>
struct top_k_shared {
  using word = typename Pass::word;
  static constexpr int most_sorted = Pass::is_sorted ? most_block_sorted : 1;
  top_k_progress<word> now;
  unsigned found, written;  ///< of a block that works by itself, or has reserved numbers
  unsigned long long reserved;
  unsigned ticket, round;  ///< of the part that the block works on, and the round that `now` is of
  union {                  // a step uses one of these
    struct {
      radix_counters<Pass::block_size> counters;
      top_k_stage<word, Pass::places> stages[Pass::block_size / warp_size];
    };
    struct {
      top_k_shared_list<word, Pass::places, most_sorted> sorted;
      merged_orders<most_sorted> orders;
    };
  };
};

/// A row that a block works on, and what all its steps need. How far the block is stands in `shared.now`.
template <class Pass>
struct top_k_row {
  using word = typename Pass::word;
  static constexpr int block_size = Pass::block_size;
  static constexpr bool keeps_places = Pass::places == top_k_places::kept;

  const Pass& pass;
  top_k_shared<Pass>& shared;
  int team;
  std::int64_t number, begin, n, k;

  __device__ top_k_row(const Pass& p, top_k_shared<Pass>& s, int t, std::int64_t i)
      : pass(p),
        shared(s),
        team(t),
        number(i),
        begin(p.rows.begin(i)),
        n(p.rows.end(i) - begin),
        k(n > p.k_of(i) ? p.k_of(i) : n) {}

  __device__ static int rank() { return int(this_block::thread_rank()); }
  /// Whether one block holds so many elements.
  __device__ static bool is_small(std::int64_t count) { return count <= most_alone<Pass::policy, word>; }
  __device__ __forceinline__ auto memory() const {
    return Pass::scratch::lay_over(pass.scratch_memory, team, pass.candidates, pass.sorted);
  }
  __device__ __forceinline__ auto keys() const { return detail::skip_items(pass.in, begin); }

  /// Writes a result, or lists it.
  __device__ __forceinline__ void put_out(std::int64_t i, word w, std::int64_t place) const {
    if constexpr (Pass::is_sorted) {
      if (pass.list != nullptr) return pass.enlist(number, i, w, place);
    }
    if constexpr (!Pass::gives_last) pass.put(number * pass.k + i, begin, w, place);
  }
  /// Sorts the results in shared memory and writes them.
  __device__ void sort() const {
    auto& sorted = shared.sorted;
    const unsigned short* const order = detail::sort_shared<block_size>(shared.orders, int(k), [&](int i, int j) {
      const auto a = sorted.get(i), b = sorted.get(j);
      return a.word > b.word || (a.word == b.word && b.place > a.place);
    });
    for (int i = rank(); i < k; i += block_size) {
      const auto result = sorted.get(order[i]);
      put_out(i, result.word, result.place);
    }
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
