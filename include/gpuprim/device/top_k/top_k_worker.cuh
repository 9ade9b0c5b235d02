// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/tile_copy.cuh>
#include <gpuprim/device/top_k/top_k_row.cuh>
#include <gpuprim/device/top_k/top_k_sample.cuh>
#include <gpuprim/device/top_k/top_k_visit.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// The steps of a block that works on a row.
template <class Pass>
struct top_k_worker : top_k_row<Pass> {
  using base = top_k_row<Pass>;
  using base::begin, base::block_size, base::k, base::keeps_places, base::keys, base::memory, base::n, base::pass,
      base::rank, base::shared;
  using typename base::word;
  using sampling = top_k_sampling<Pass::policy>;
  static constexpr int loads = Pass::policy.loads, bits = radix_bits<block_size>;
  using base::base;

  /// Says what is done first. Before that, all blocks that work on the row find the same limit by a sample. A barrier
  /// follows.
  __device__ void start() const {
    top_k_sample sample = pass.sample;
    if constexpr (!Pass::rows_type::are_even) {
      sample = sampling::find(n, k, most_alone<Pass::policy, word>);
      if (sampling::count_candidates(n, sample) > pass.candidates) sample = {};
    }
    const bool is_sampled = sample.rank > 0;
    top_k_range<word> found{};
    if (is_sampled) {
      found = detail::take_sample<Pass::policy>(shared.counters, keys(), n, sample, pass.ranks, [&] {
        // While the sample is on its way, so are the keys that are filtered first.
        constexpr int items = Pass::policy.prefetched_bytes / int(sizeof(typename Pass::key));
        const int part = int(blockIdx.x) % pass.parts;
        if (rank() == 0) detail::prefetch_tile(keys(), std::int64_t{part} * items, n, items);
      });
    }
    if (rank() != 0) return;
    auto& now = shared.now;
    now.source = top_k_source::input;
    now.count = n;
    shared.found = shared.written = 0;
    if (k <= 0) {
      now.step = top_k_step::none;
    } else if (base::is_small(n)) {
      now.step = top_k_step::finish;
    } else if (k == n && !Pass::gives_last) {
      now.write_all();
    } else if (is_sampled) {
      now.limit = found.limit;
      now.begin_words({found.limit.word, found.highest}, k);
      now.step = sample.leaves_many ? top_k_step::filter_and_count : top_k_step::filter;
    } else {
      now.count_words(top_k_scale<word>::whole(), k);
    }
  }

  /// Does a part of a step, which `shared.now` has. The counter counts candidates or results; shared memory has the
  /// digits.
  __device__ void work(top_k_step step, top_k_part mine, top_k_counter counter) const {
    if (step == top_k_step::count_words || step == top_k_step::count_places) count_digits(step, mine);
    else collect(step, mine, counter);
  }

  /// What the last block does when all parts of a step are done: says what is next. `take_count(bin)` is the number of
  /// words that all parts have counted there, and is called once a step. A barrier follows.
  template <class TakeCount>
  __device__ void conclude(top_k_step step, std::int64_t found, const TakeCount& take_count) const {
    auto& now = shared.now;
    if (!Pass::gives_last && step == top_k_step::write) {
      if constexpr (Pass::is_sorted) {
        if (pass.is_sorted_in_block()) {
          const auto results = memory().results;
          for (int i = rank(); i < k; i += block_size) shared.sorted.put(i, {results.words[i], results.place(i)});
          base::sort();
        }
      }
      if (rank() == 0) now.step = top_k_step::none;
      return;
    }
    const bool is_filter = step == top_k_step::filter || step == top_k_step::filter_and_count;
    const bool has_counts = step != top_k_step::filter;
    const bool fits = !is_filter || (found >= k && found <= pass.candidates);
    found_bin<std::int64_t> bin{};
    if (has_counts) {
      const std::int64_t wanted = step == top_k_step::count_places ? now.places.wanted : now.words.wanted;
      bin = detail::block_find_bin<block_size, (1 << bits)>(wanted, take_count);
    }
    if (rank() != 0) return;
    if (!fits) {
      now.count_words(top_k_scale<word>::whole(), k);
      return;
    }
    if (is_filter) {
      now.source = top_k_source::candidates;
      now.count = found;
      now.count_words(now.scale, k);
    }
    if (is_filter && base::is_small(found)) {
      now.step = top_k_step::finish;
    } else if (step == top_k_step::count_places) {
      now.places.template take<bits>(bin);
      now.end_places();
    } else if (has_counts) {
      now.words.template take<bits>(bin);
      now.end_words(keeps_places ? detail::find_bit_width(std::uint64_t(n - 1)) : 0, k, Pass::spare);
      if constexpr (Pass::gives_last) {
        if (now.step != top_k_step::write) return;
        pass.values.put(base::number, now.limit.word, now.words.wanted);
        now.step = top_k_step::none;
      }
    }
  }

 private:
  /// Calls `take` for the keys or candidates of a part.
  template <class Take>
  __device__ __forceinline__ void visit(top_k_part mine, Take& take) const {
    if (shared.now.source == top_k_source::input) {
      detail::visit_input<block_size, loads>(keys(), n, mine, pass.ranks, take);
    } else {
      detail::visit_list<block_size, loads>(memory().candidates, shared.now.count, mine, take);
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
    const std::int64_t all = detail::join_block<block_size>(own, plus<std::int64_t>{});
    if (rank() == 0) {
      shared.reserved = atomicAdd(counter.of_team, static_cast<unsigned long long>(all));
      shared.written = 0;
    }
    this_block::sync();
    counter = {&shared.written, nullptr};
    return std::int64_t(shared.reserved);
  }

  __device__ __forceinline__ void count(int digit) const {
    ptx::count_one(ptx::find_shared_address(&shared.counters.of[digit]));
  }

  __device__ void collect(top_k_step step, top_k_part mine, top_k_counter counter) const {
    const bool is_write = !Pass::gives_last && step == top_k_step::write, counts = step == top_k_step::filter_and_count;
    if (counts) {
      shared.counters.clear();
      this_block::sync();
    }
    const std::int64_t first = mine.parts > 1 && k > Pass::policy.most_uncounted ? reserve(mine, counter) : 0;
    const auto put_or_keep = [&](std::int64_t i, word w, std::int64_t place) {
      if (is_write) return put(first + i, w, place);
      if (first + i < pass.candidates) memory().candidates.put(first + i, w, place);
      if (counts) count(shared.now.words.template digit<bits>(shared.now.scale.scale(w)));
    };
    top_k_collector<word, Pass::places, decltype(put_or_keep)> collector{
        {shared.now.limit}, shared.stages[rank() / warp_size], counter, put_or_keep};
    visit(mine, collector);
    collector.pass_on();
    if constexpr (!keeps_places) {
      if (is_write) put_equal(mine);
    }
  }

  __device__ void count_digits(top_k_step step, top_k_part mine) const {
    const auto words = shared.now.words;
    const auto places = shared.now.places;
    const auto scale = shared.now.scale;
    shared.counters.clear();
    this_block::sync();
    const auto take = [&](const auto& w, std::int64_t place, bool is_there) {
      constexpr int items = int(sizeof(w) / sizeof(word));
#pragma unroll
      for (int i = 0; i < items; ++i) {
        const word scaled = scale.scale(w[i]);
        if (!is_there || !words.concerns(scaled)) continue;
        if (step == top_k_step::count_words) {
          count(words.template digit<bits>(scaled));
        } else if constexpr (keeps_places) {
          const auto at = detail::rank_of_place(place + i);
          if (places.concerns(at)) count(places.template digit<bits>(at));
        }
      }
    };
    visit(mine, take);
  }

  /// Writes a result, or keeps it until the block sorts all.
  __device__ __forceinline__ void put(std::int64_t i, word w, std::int64_t place) const {
    if (pass.is_sorted_in_block()) memory().results.put(i, w, place);
    else base::put_out(i, w, place);
  }
  /// Of words that are equal to the k-th it does not matter which are taken.
  __device__ void put_equal(top_k_part mine) const {
    const std::int64_t step = std::int64_t{mine.parts} * block_size, equal = shared.now.equal();
    for (std::int64_t i = std::int64_t{mine.part} * block_size + rank(); i < equal; i += step) {
      put(k - equal + i, shared.now.limit.word, 0);
    }
  }
};

}  // namespace gpuprim::detail
