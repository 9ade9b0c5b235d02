// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A cluster of blocks finds the k largest of a row, which the blocks hold in their shared memory. The greatest keys of
// many groups of keys bound the k-th largest from below: k groups have a key that reaches the k-th largest of these.
// What reaches it is few keys more than k, which one block ranks.
#include <gpuprim/device/top_k/top_k_held.cuh>
#include <gpuprim/device/top_k/top_k_ranked.cuh>
#include <gpuprim/device/top_k/top_k_row.cuh>
#include <gpuprim/device/top_k/top_k_visit.cuh>
#include <gpuprim/ptx/sm_90.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// Groups of a row of which the greatest keys are compared, at most, and blocks of a cluster.
inline constexpr int most_top_k_groups = 2048, most_top_k_blocks = 16;

/// Keys of a row as its blocks hold them.
template <class Pass>
using top_k_cluster_keys = top_k_held<Pass::policy.cluster_block_size, Pass::policy.cluster_loads,
                                      rest_of_items<decltype(Pass::in)>, typename Pass::ranking>;

/// What the threads of a block know of a row.
template <class Word>
struct top_k_cluster_row {
  std::int64_t number, begin;
  unsigned n, k;
  Word lowest = 0, highest = Word(~Word(0));  ///< bounds of the k-th largest, of groups if these were compared
  top_k_limit<Word> limit{0, every_place};
  unsigned equal = 0;  ///< of the k largest, those that are equal to the limit and that it does not take
};

template <class Pass>
struct top_k_cluster_shared {
  using word = typename Pass::word;
  static constexpr int block_size = Pass::policy.cluster_block_size, bins = radix_bins<block_size>;
  radix_counters<block_size> counters;
  top_k_cluster_row<word> row;
  unsigned found, written;                        ///< keys of the block that a limit takes, and results of them
  unsigned counts[most_top_k_blocks];             ///< of what each block has found
  top_k_packed<word> entries[most_block_sorted];  ///< what is found
  union {
    top_k_greatest<word> greatest[block_size];  ///< of the block's threads, and then of its groups
    unsigned totals[bins + 1];  ///< of the cluster's counters for the block's bins, or where the entries of a bin begin
  };
  union {
    typename top_k_cluster_keys<Pass>::storage keys;
    top_k_binned<word> binned;  ///< when the keys are needed no more
  };
};

/// The blocks of a cluster at work on a row.
template <class Pass>
struct top_k_cluster {
  using word = typename Pass::word;
  using entry = top_k_packed<word>;
  static constexpr int block_size = Pass::policy.cluster_block_size;
  static constexpr int bits = radix_bits<block_size>, bins = radix_bins<block_size>;
  static constexpr bool keeps_places = Pass::places == top_k_places::kept;
  static constexpr unsigned most = most_block_sorted;
  const Pass& pass;
  top_k_cluster_shared<Pass>& shared;
  int block, blocks;  ///< the rank of the block in its cluster, and how many blocks that has
  top_k_cluster_keys<Pass> held;

  __device__ top_k_cluster(const Pass& p, top_k_cluster_shared<Pass>& s, const top_k_cluster_row<word>& row)
      : pass(p),
        shared(s),
        block(int(ptx::cluster_rank())),
        blocks(int(ptx::cluster_size())),
        held(s.keys, detail::skip_items(p.in, row.begin), row.n, {block, blocks}, p.ranks) {
    if (rank() == 0) shared.row = row;
  }

  __device__ __forceinline__ void run(unsigned n, unsigned k) {
    const bool is_compared = n > k && unsigned(pass.groups) / 2 >= k;
    bool is_exact = n == k, is_bounded = is_exact || is_compared;
    held.read(is_compared, shared.greatest[rank()]);
    if (is_compared) find_limit();
    unsigned all = 0;
#pragma unroll 1
    for (;;) {
      if (is_bounded) {
        all = collect();
        if (is_exact || most >= all) break;
        ptx::sync_cluster_shared();  // nobody is reading the counts any more
      }
      find_exact_limit();
      is_bounded = is_exact = true;
    }
    if (shared.row.k <= most) write_ranked(all);
    else write();
  }

 private:
  __device__ __forceinline__ static int rank() { return int(this_block::thread_rank()); }
  template <class T>
  __device__ __forceinline__ static T& there(T& own, int of_block) {
    return *ptx::shared_of_block(&own, unsigned(of_block));
  }

  /// The k-th largest of the greatest keys of groups, or a little less. All blocks find the same.
  __device__ __forceinline__ void find_limit() {
    constexpr int items = most_top_k_groups / block_size, parts = top_k_greatest<word>::parts * block_size;
    const int groups = pass.groups, own_bits = __ffs(groups) - __ffs(blocks), own = 1 << own_bits;
    this_block::sync();
    const unsigned k = shared.row.k;
    word* const of_parts = shared.greatest[0].of;
    for (int group = rank(); group < own; group += block_size) {
      word w = 0;
#pragma unroll 8
      for (int part = group; part < parts; part += own) w = w < of_parts[part] ? of_parts[part] : w;
      of_parts[group] = w;  // where nobody else reads
    }
    ptx::sync_cluster_shared();
    uninitialized_array<word, items> words;
    top_k_ends<word> ends{0, word(~word(0))};
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = i * block_size + rank();
      if (groups > at) words[i] = there(of_parts[at & (own - 1)], at >> own_bits);
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (groups > i * block_size + rank()) ends = join_ends{}(ends, top_k_ends<word>{words[i], words[i]});
    }
    ends = detail::join_block<block_size>(ends, join_ends{});
    const top_k_scale<word> scale{ends.low, ends.high};
    const auto found = detail::block_radix_select<block_size>(
        shared.counters, radix_search<word>::begin(scale.bits(), k, groups), int(k / 4 + 32), [&](const auto& take) {
#pragma unroll
          for (int i = 0; i < items; ++i) {
            if (groups > i * block_size + rank()) take(scale.scale(words[i]));
          }
        });
    if (rank() != 0) return;
    shared.row.lowest = shared.row.limit.word = scale.unscale(found.prefix);
    shared.row.highest = ends.high;
  }

  /// Goes on with a search until it is done: `count(search)` counts the next digit of what the block holds.
  template <class Word, class Count>
  __device__ radix_search<Word> search(radix_search<Word> found, const Count& count) {
    const int own_bits = bits + 1 - __ffs(blocks), own = 1 << own_bits;
#pragma unroll 1
    while (!found.is_done()) {
      shared.counters.clear();
      this_block::sync();
      count(found);
      ptx::sync_cluster_shared();
      // A block adds up the counters of its own bins.
      for (int at = rank(); at < own; at += block_size) {
        unsigned sum = 0;
#pragma unroll 4
        for (int b = 0; b < blocks; ++b) sum += there(shared.counters.of[block * own + at], b);
        shared.totals[at] = sum;
      }
      ptx::sync_cluster_shared();
      found.template take<bits>(detail::block_find_bin<block_size, bins>(
          unsigned(found.wanted), [&](int bin) { return there(shared.totals[bin & (own - 1)], bin >> own_bits); }));
    }
    return found;
  }
  __device__ __forceinline__ void count_bin(int bin) const {
    ptx::count_one(ptx::find_shared_address(&shared.counters.of[bin]));
  }

  /// The limit of the k largest, by digits of all keys.
  __device__ void find_exact_limit() {
    this_block::sync();
    const top_k_scale<word> scale{shared.row.lowest, shared.row.highest};
    const auto words =
        search(radix_search<word>::begin(scale.bits(), shared.row.k, shared.row.n), [&](const radix_search<word>& now) {
          const auto take = [&](const auto& w, std::int64_t, bool is_there) {
            constexpr int items = int(sizeof(w) / sizeof(word));
#pragma unroll
            for (int i = 0; i < items; ++i) {
              const word scaled = scale.scale(w[i]);
              if (is_there && now.concerns(scaled)) count_bin(now.template digit<bits>(scaled));
            }
          };
          held.visit(0, take);
        });
    top_k_limit<word> limit{scale.unscale(words.prefix), every_place};
    if (!keeps_places && !words.takes_all()) limit.place = -1;
    if (keeps_places && !words.takes_all()) {
      using ranks = radix_search<std::uint64_t>;
      const int place_bits = detail::find_bit_width(std::uint64_t(shared.row.n - 1));
      const auto places = search(ranks::begin(place_bits, words.wanted, words.within), [&](const ranks& now) {
        const auto take = [&](const auto& w, std::int64_t place, bool is_there) {
          constexpr int items = int(sizeof(w) / sizeof(word));
#pragma unroll
          for (int i = 0; i < items; ++i) {
            const auto at = detail::rank_of_place(place + i);
            if (is_there && w[i] == limit.word && now.concerns(at)) count_bin(now.template digit<bits>(at));
          }
        };
        held.visit(0, take);
      });
      limit.place = detail::place_of_rank(places.prefix);
    }
    if (rank() != 0) return;
    shared.row.limit = limit;
    if (0 > limit.place) shared.row.equal = unsigned(words.wanted);
  }

  template <class Put>
  __device__ __forceinline__ void take_found(const Put& put) {
    top_k_taker<word, Put> taker{{shared.row.limit}, put};
    held.visit(shared.row.lowest, taker);
  }

  /// Collects what the limit takes, as much of it as a block ranks, and says how much that is in all blocks.
  __device__ unsigned collect() {
    if (rank() == 0) shared.found = 0;
    shared.counters.clear();
    this_block::sync();
    take_found([&](const top_k_entry<word>& found) {
      const unsigned at = atomicAdd(&shared.found, 1u);
      if (most > at) shared.entries[at] = entry::of(found.word, keeps_places ? found.place : 0);
    });
    ptx::sync_cluster_shared();
    if (blocks > rank()) shared.counts[rank()] = there(shared.found, rank());
    this_block::sync();
    return count_found(blocks);
  }
  /// What the first blocks have found.
  __device__ unsigned count_found(int of_blocks) const {
    unsigned all = 0;
#pragma unroll 4
    for (int b = 0; b < of_blocks; ++b) all += shared.counts[b];
    return all;
  }

  /// Writes what the limit takes behind what the blocks before write.
  __device__ void write() {
    const auto& row = shared.row;
    if (rank() == 0) shared.written = count_found(block);
    this_block::sync();
    take_found([&](const top_k_entry<word>& found) {
      pass.put(row.number * pass.k + std::int64_t(atomicAdd(&shared.written, 1u)), row.begin, found.word, found.place);
    });
    if constexpr (!keeps_places) {
      for (unsigned i = unsigned(block * block_size + rank()); i < row.equal; i += unsigned(blocks * block_size)) {
        pass.put(row.number * pass.k + (row.k - 1 - i), row.begin, row.limit.word, 0);
      }
    }
  }

  /// The first block ranks what is found, and writes the first k of it.
  __device__ void write_ranked(unsigned all) {
    constexpr int items = most_block_sorted / block_size;
    const auto& row = shared.row;
    const unsigned count = all + row.equal;
    if (block != 0) return;
    unsigned from[items] = {}, begin = 0;
#pragma unroll 4
    for (int b = 0; b < blocks; ++b) {
      const unsigned own = shared.counts[b];
#pragma unroll
      for (int i = 0; i < items; ++i) {
        const unsigned at = unsigned(i * block_size + rank()) - begin;  // very large for entries of earlier blocks
        if (own > at) from[i] = unsigned(b) * most + at;
      }
      begin += own;
    }
    uninitialized_array<entry, items> found;
#pragma unroll
    for (int i = 0; i < items; ++i) {
      found[i] = entry::of(row.limit.word, 0);
      if (all > unsigned(i * block_size + rank()))
        found[i] = there(shared.entries[from[i] % most], int(from[i] / most));
    }
    word highest = row.highest;
    if (highest == word(~word(0))) {  // as long as no groups were compared
      word high = 0;
#pragma unroll
      for (int i = 0; i < items; ++i) {
        if (count > unsigned(i * block_size + rank()) && high < found[i].word()) high = found[i].word();
      }
      highest = detail::join_block<block_size>(high, maximum<word>{});
    }
    detail::write_in_order(shared.counters, shared.totals, shared.binned, found, count, row.k,
                           {highest, row.limit.word}, [&](unsigned i, const entry& result) {
                             pass.put(row.number * pass.k + i, row.begin, result.word(), result.place());
                           });
  }
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
