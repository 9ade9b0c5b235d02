// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/bitonic_sort.cuh>
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/device/top_k/top_k_memory.cuh>
#include <gpuprim/device/top_k/top_k_sample.cuh>
#include <gpuprim/device/top_k/top_k_visit.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Most results that are sorted.
inline constexpr int most_sorted_results = 2048;

/// What a top-k of any number of rows does, in a grid of so many blocks for each row at a time. `Rows` says where rows
/// begin and how many keys they have, `Values` what is written beside the keys.
template <top_k_policy Policy, class In, class Rows, class KeysOut, class Values>
struct top_k_pass {
  static constexpr top_k_policy policy = Policy;
  static constexpr int block_size = Policy.block_size;
  static constexpr top_k_places places = Values::places;
  using key = input_value<In>;
  using ranking = key_ranking<key, places == top_k_places::kept ? zeros::equal : zeros::distinct>;
  using word = typename ranking::word;
  using team = top_k_team<block_size>;
  using scratch = top_k_scratch<word, places>;

  In in;
  Rows rows;
  std::int64_t k;
  KeysOut keys_out;
  Values values;
  ranking ranks;
  top_k_form form;
  int parts = 1;                ///< blocks for a row
  std::int64_t candidates = 0;  ///< room for them
  std::int64_t sorted = 0;      ///< room for results before they are sorted
  team* teams = nullptr;        ///< none where a block works on a row by itself
  void* scratch_memory = nullptr;
};

template <class Pass>
struct top_k_shared {
  using word = typename Pass::word;
  struct sorted_results {
    word words[most_sorted_results];
    std::int64_t places[Pass::places == top_k_places::kept ? most_sorted_results : 1];
  };
  radix_counters<Pass::block_size> counters;
  top_k_progress<word> now;
  unsigned found, written;  ///< of a block that works by itself, or has reserved numbers
  unsigned long long reserved;
  unsigned ticket;
  union {
    top_k_stage<word, Pass::places> stages[Pass::block_size / warp_size];
    sorted_results sorted;
  };
};

/// The steps of a block that works on a row. How far it is stands in `shared.now`.
template <class Pass>
struct top_k_worker {
  using word = typename Pass::word;
  using progress = top_k_progress<word>;
  static constexpr int block_size = Pass::block_size, loads = Pass::policy.loads, bits = radix_bits<block_size>;
  static constexpr bool keeps_places = Pass::places == top_k_places::kept;
  using sampling = top_k_sampling<Pass::policy>;

  const Pass& pass;
  top_k_shared<Pass>& shared;
  typename Pass::scratch memory;
  std::int64_t row, begin, n, k;

  __device__ top_k_worker(const Pass& p, top_k_shared<Pass>& s, std::int64_t team, std::int64_t r)
      : pass(p),
        shared(s),
        memory(Pass::scratch::lay_over(p.scratch_memory, team, p.candidates, p.sorted)),
        row(r),
        begin(p.rows.begin(r)),
        n(p.rows.end(r) - begin),
        k(p.k < n ? p.k : n) {}

  __device__ static int rank() { return int(this_block::thread_rank()); }
  /// Whether one block ends the work by itself.
  __device__ bool has_small_rest() const {
    return shared.now.source == top_k_source::candidates && shared.now.count <= block_size * Pass::policy.alone_items;
  }

  /// Says what is done first. A barrier follows.
  __device__ void start() const {
    if (rank() != 0) return;
    progress now{};
    now.count = n;
    if (k <= 0) {
      now.step = top_k_step::none;
    } else if (k == n) {
      now.write_all();
    } else if (sampling::pays(n, k) && sampling::count_candidates(n, k) <= pass.candidates) {
      now.step = top_k_step::sample;
    } else {
      now.count_words(Pass::ranking::bits, k);
    }
    shared.now = now;
    shared.found = shared.written = 0;
  }

  /// Does a part of a step, which `shared.now` has. The counter counts candidates or results; shared memory has the
  /// digits. The sample is kept where the candidates will be.
  __device__ void work(top_k_step step, top_k_part mine, top_k_counter counter) const {
    if (step == top_k_step::sample) {
      detail::take_sample<Pass::policy>(keys(), n, mine.part, mine.parts, pass.ranks, memory.candidates.words);
      // Meanwhile the keys that are filtered first are on their way.
      constexpr int items = Pass::policy.prefetched_bytes / int(sizeof(typename Pass::key));
      if (rank() == 0) detail::prefetch_tile(keys(), std::int64_t{mine.part} * items, n, items);
      return;
    }
    if (step == top_k_step::count_words || step == top_k_step::count_places) {
      count_digits(step, mine);
      return;
    }
    const bool is_filter = step == top_k_step::filter;
    const std::int64_t first = mine.parts > 1 && k > Pass::policy.most_uncounted ? reserve(mine, counter) : 0;
    const auto put_or_keep = [&](std::int64_t i, word w, std::int64_t place) {
      if (!is_filter) put(first + i, w, place);
      else if (first + i < pass.candidates) memory.candidates.put(first + i, w, place);
    };
    top_k_collector<word, Pass::places, top_k_limit<word>, decltype(put_or_keep)> collector{
        shared.stages[rank() / warp_size], shared.now.limit, counter, put_or_keep};
    visit(mine, collector);
    collector.pass_on();
    if constexpr (!keeps_places) {
      if (!is_filter) put_equal(mine);
    }
  }

  /// What the last block does when all parts of a step are done: says what is next. `count_of(bin)` is the number of
  /// words that all parts have counted there, and is called once a step. A barrier follows.
  template <class CountOf>
  __device__ void conclude(top_k_step step, std::int64_t found, const CountOf& count_of) const {
    progress& now = shared.now;
    if (step == top_k_step::count_words || step == top_k_step::count_places) {
      const std::int64_t wanted = step == top_k_step::count_words ? now.words.wanted : now.places.wanted;
      const auto bin = detail::block_find_bin<block_size, (1 << bits)>(wanted, count_of);
      if (rank() != 0) return;
      if (step == top_k_step::count_words) {
        now.words.template take<bits>(bin);
        now.end_words(keeps_places ? count_place_bits(n) : 0);
      } else {
        now.places.template take<bits>(bin);
        now.end_places();
      }
    } else if (step == top_k_step::sample) {
      const auto limit = detail::sample_limit<Pass::policy, typename Pass::ranking>(shared.counters, n, k,
                                                                                    memory.candidates.words);
      if (rank() != 0) return;
      now.limit = limit;
      now.step = top_k_step::filter;
    } else if (step == top_k_step::filter) {
      if (rank() != 0) return;
      if (found >= k && found <= pass.candidates) {
        now.source = top_k_source::candidates;
        now.count = found;
      }
      now.count_words(Pass::ranking::bits, k);
    } else {
      if (pass.form == top_k_form::sorted) sort();
      if (rank() == 0) now.step = top_k_step::none;
    }
  }

 private:
  __device__ __forceinline__ auto keys() const { return detail::skip_items(pass.in, begin); }
  /// Calls `take` for the keys or candidates of a part.
  template <class Take>
  __device__ __forceinline__ void visit(top_k_part mine, Take& take) const {
    if (shared.now.source == top_k_source::input) {
      detail::visit_input<block_size, loads>(keys(), n, mine, pass.ranks, take);
    } else {
      detail::visit_list<block_size, loads>(memory.candidates, shared.now.count, mine, take);
    }
  }

  /// Counts what the limit takes of a part, and reserves as many numbers: with many results the warps of all blocks
  /// would wait for each other at one counter. The counter is that of the block then; its first number is returned.
  __device__ std::int64_t reserve(top_k_part mine, top_k_counter& counter) const {
    const auto limit = shared.now.limit;
    std::int64_t own = 0;
    const auto count = [&](const auto& w, std::int64_t place, bool is_there) {
      constexpr int items = int(sizeof(w) / sizeof(word));
#pragma unroll
      for (int i = 0; i < items; ++i) own += is_there && limit.takes(w[i], place + i);
    };
    visit(mine, count);
    const std::int64_t all = gpuprim::block_reduce<block_size>(this_block{}, own, plus<std::int64_t>{});
    if (rank() == 0) {
      shared.reserved = atomicAdd(counter.of_team, static_cast<unsigned long long>(all));
      shared.written = 0;
    }
    this_block::sync();
    counter = {&shared.written, nullptr};
    return std::int64_t(shared.reserved);
  }

  __device__ void count_digits(top_k_step step, top_k_part mine) const {
    const auto count = [&](int digit) { ptx::count_one(ptx::find_shared_address(&shared.counters.of[digit])); };
    const auto words = shared.now.words;
    const auto places = shared.now.places;
    shared.counters.clear();
    this_block::sync();
    const auto take = [&](const auto& w, std::int64_t place, bool is_there) {
      constexpr int items = int(sizeof(w) / sizeof(word));
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (!is_there || !words.concerns(w[i])) continue;
        if (step == top_k_step::count_words) {
          count(words.template digit<bits>(w[i]));
        } else if constexpr (keeps_places) {
          const auto at = detail::rank_of_place(place + i);
          if (places.concerns(at)) count(places.template digit<bits>(at));
        }
      }
    };
    visit(mine, take);
  }

  /// Writes a result, or keeps it to be sorted.
  __device__ __forceinline__ void put(std::int64_t i, word w, std::int64_t place) const {
    if (pass.form == top_k_form::sorted) memory.results.put(i, w, place);
    else put_out(i, w, place);
  }
  __device__ __forceinline__ void put_out(std::int64_t i, word w, std::int64_t place) const {
    const std::int64_t at = row * pass.k + i;
    if constexpr (keeps_places) {
      pass.keys_out[at] = keys()[place];
      pass.values.put(at, begin, place);
    } else {
      pass.keys_out[at] = pass.ranks.key(w);
    }
  }
  /// Of words that are equal to the k-th it does not matter which are taken.
  __device__ void put_equal(top_k_part mine) const {
    const std::int64_t step = std::int64_t{mine.parts} * block_size, equal = shared.now.equal();
    for (std::int64_t i = std::int64_t{mine.part} * block_size + rank(); i < equal; i += step) {
      put(k - equal + i, shared.now.limit.word, 0);
    }
  }

  /// Sorts the results and writes them, once the block has met. Behind the last ones stand some that are no results.
  __device__ void sort() const {
    auto& sorted = shared.sorted;
    int count = 1;
    while (count < k) count *= 2;
    for (int i = rank(); i < count; i += block_size) {
      sorted.words[i] = i < k ? memory.results.words[i] : word(0);
      if constexpr (keeps_places) sorted.places[i] = i < k ? memory.results.places[i] : every_place;
    }
    this_block::sync();
    const auto is_before = [&](int a, int b) {
      if constexpr (keeps_places) {
        if (sorted.words[a] == sorted.words[b]) return sorted.places[a] < sorted.places[b];
      }
      return sorted.words[a] > sorted.words[b];
    };
    detail::block_bitonic_sort<block_size>(count, is_before, [&](int a, int b) {
      const word w = sorted.words[a];
      sorted.words[a] = sorted.words[b];
      sorted.words[b] = w;
      if constexpr (keeps_places) {
        const std::int64_t place = sorted.places[a];
        sorted.places[a] = sorted.places[b];
        sorted.places[b] = place;
      }
    });
    for (int i = rank(); i < k; i += block_size) {
      std::int64_t place = 0;
      if constexpr (keeps_places) place = sorted.places[i];
      put_out(i, sorted.words[i], place);
    }
  }
};

}  // namespace gpuprim::detail
