// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What is written beside the keys, where the rows are, lists of keys, how keys are sampled and read.
#include <gpuprim/core/arrays.cuh>
#include <gpuprim/core/convert.cuh>
#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/input/input_loads.cuh>
#include <gpuprim/launch/outcome.cuh>

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
    const std::int64_t of_words = detail::align_up(count * int(sizeof(Word)), 128);
    return of_words + (Places == top_k_places::kept ? detail::align_up(count * int(sizeof(std::int64_t)), 128) : 0);
  }
  GPUPRIM_HOST_DEVICE static top_k_list lay_over(char* buffer, std::int64_t count) {
    const std::int64_t of_words = detail::align_up(count * int(sizeof(Word)), 128);
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

/// Nothing is written beside the keys.
struct no_top_k_values {
  static constexpr top_k_places places = top_k_places::ignored;
};

/// The values that lie beside the keys.
template <class Values, class Out>
struct top_k_values {
  static constexpr top_k_places places = top_k_places::kept;
  Values values;
  Out out;
  __device__ void put(std::int64_t at, std::int64_t begin, std::int64_t place) const {
    detail::assign(out[at], values[begin + place]);
  }
};

/// The positions of the keys in their row.
template <class Out>
struct top_k_positions_out {
  static constexpr top_k_places places = top_k_places::kept;
  Out out;
  __device__ void put(std::int64_t at, std::int64_t, std::int64_t place) const { out[at] = place; }
};

inline no_top_k_values make_top_k_values() { return {}; }
template <class Out>
top_k_positions_out<Out> make_top_k_values(const Out& out) {
  static_assert(outputs_for<Out, std::int64_t>, "gpuprim::top_k_positions: the output must take integers");
  return {out};
}
template <class Values, class Out>
top_k_values<Values, Out> make_top_k_values(const Values& values, const Out& out) {
  static_assert(random_access_input<Values>,
                "gpuprim::top_k_pairs: the values must be a pointer or a random-access iterator");
  static_assert(element<input_value<Values>>,
                "gpuprim::top_k_pairs: the type of the values must be trivially copyable and assignable");
  static_assert(outputs_for<Out, input_value<Values>>, "gpuprim::top_k_pairs: the output must take values");
  return {values, out};
}

/// The last of the k keys of a row.
template <class Word>
struct top_k_last {
  Word word;           ///< its rank
  std::int64_t equal;  ///< of the k keys, those that are equal to it
};

/// Only the last of the k is written, and no key.
template <class Word>
struct top_k_last_out {
  static constexpr top_k_places places = top_k_places::ignored;
  static constexpr bool gives_last = true;
  top_k_last<Word>* out;
  __device__ void put(std::int64_t row, Word word, std::int64_t equal) const { out[row] = {word, equal}; }
};

/// Rows are segments; of each, keys are taken. Far longer ones than most are not sampled.
template <class Segments>
struct top_k_rows : Segments {
  static constexpr bool are_even = are_fixed<Segments>;

  constexpr top_k_rows(const Segments& segments) : Segments(segments) {}
  /// Keys of a row that are taken, of at most so many.
  GPUPRIM_HOST_DEVICE static std::int64_t results(std::int64_t, std::int64_t most) { return most; }
  /// Keys of the longest row.
  constexpr std::int64_t most() const {
    if constexpr (are_even) return this->length;
    else return this->n;
  }
  /// Keys of a row on average, and of one for which there is room for candidates.
  constexpr std::int64_t average() const { return are_even ? most() : most() / this->count; }
  constexpr std::int64_t usual() const { return average() < most() / 8 ? 8 * (average() + 1) : most(); }
};

/// Rows of which each says itself how many keys are taken.
template <class Rows, class Counts>
struct counted_rows : Rows {
  static constexpr bool are_even = false;
  Counts counts;

  constexpr counted_rows(const Rows& rows, const Counts& c) : Rows(rows), counts(c) {}
  __device__ std::int64_t results(std::int64_t i, std::int64_t most) const {
    const auto count = static_cast<std::int64_t>(counts[i]);
    return count > most ? most : count;
  }
  template <class Visit>
  outcome visit_arrays(const Visit& visit) const {
    const outcome bad = Rows::visit_arrays(visit);
    return bad.failed() ? bad : visit(counts, this->count);
  }
};

/// An array as a row.
using even_rows = top_k_rows<fixed_segments>;
constexpr even_rows row_of(std::int64_t n) { return even_rows(fixed_segments{n, 1}); }

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

/// The words of the keys of a load, or of one key.
template <class T, class Ranking, class Load>
__device__ __forceinline__ auto rank_load(const Ranking& ranks, const Load& load) {
  constexpr int items = int(sizeof(Load) / sizeof(T));
  uninitialized_array<typename Ranking::word, items> words;
  if constexpr (std::is_same_v<Load, uint4> && sizeof(T) == 2) {
    const uint4 ranked{ranks.rank_two(load.x), ranks.rank_two(load.y), ranks.rank_two(load.z), ranks.rank_two(load.w)};
    words = __builtin_bit_cast(decltype(words), ranked);
  } else if constexpr (std::is_same_v<Load, uint4>) {
    const auto keys = unpack<T>(load);
#pragma unroll
    for (int i = 0; i < items; ++i) words[i] = ranks.rank(keys[i]);
  } else {
    words[0] = ranks.rank(load[0]);
  }
  return words;
}

/// How a sample is evaluated. Without a rank there is none.
struct top_k_sample {
  int rank = 0;              ///< of the key of the sample that is hardly ever among the k largest of all
  bool leaves_many = false;  ///< whether one block could not hold the candidates

  /// Keys of the sample above that one that do no harm: the search for the limit ends sooner.
  GPUPRIM_HOST_DEVICE constexpr int spare() const { return rank / 8 + 4; }
  /// Whether one of the k largest is in the sample nearly always.
  GPUPRIM_HOST_DEVICE constexpr bool reaches() const { return rank >= 40; }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
