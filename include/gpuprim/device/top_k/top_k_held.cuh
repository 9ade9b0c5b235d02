// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>
#include <gpuprim/device/top_k/top_k_parts.cuh>

#include <cstring>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The greatest words of four parts of a thread's keys. Neighbouring keys are in different parts.
template <class Word>
struct alignas(4 * sizeof(Word)) top_k_greatest {
  static constexpr int parts = 4;
  Word of[parts];

  /// Takes the words of a load into account.
  template <int Items>
  __device__ __forceinline__ void take(const uninitialized_array<Word, Items>& words, int load) {
    if constexpr (sizeof(Word) == 2 && Items == 2 * parts) {
      const auto two = __builtin_bit_cast(uint4, words);
      auto own = __builtin_bit_cast(uint2, *this);
      own.x = ptx::find_greater_halves(own.x, ptx::find_greater_halves(two.x, two.z));
      own.y = ptx::find_greater_halves(own.y, ptx::find_greater_halves(two.y, two.w));
      *this = __builtin_bit_cast(top_k_greatest, own);
    } else {
#pragma unroll
      for (int i = 0; i < Items; ++i) {
        Word& w = of[(Items > 1 ? i : load) % parts];
        w = w < words[i] ? words[i] : w;
      }
    }
  }
  __device__ __forceinline__ void join(const top_k_greatest& other) {
#pragma unroll
    for (int i = 0; i < parts; ++i) of[i] = of[i] < other.of[i] ? other.of[i] : of[i];
  }
  __device__ __forceinline__ Word of_all() const {
    const Word a = of[0] < of[1] ? of[1] : of[0], b = of[2] < of[3] ? of[3] : of[2];
    return a < b ? b : a;
  }
};

/// The keys of a block's part of a row: the warps of all blocks take loads in turn. The words of as many as shared
/// memory holds are kept there, where each thread looks at what it has read itself; further keys are read again.
template <int BlockSize, int Loads, class In, class Ranking>
class top_k_held {
 public:
  using key = input_value<In>;
  using word = typename Ranking::word;
  static constexpr int items = top_k_load_items<In>;
  /// Keys that a block holds.
  static constexpr int block_keys = BlockSize * Loads * items;
  using load = std::conditional_t<(items > 1), uint4, uninitialized_array<key, 1>>;
  using ranked = std::conditional_t<(items > 1), uint4, word>;
  /// Rounds of so many loads of a thread, of which the greatest words are kept.
  static constexpr int most_rounds = 8;
  struct storage {
    ranked words[Loads * BlockSize];
    word highest[most_rounds * BlockSize];
    word edges[2 * load_bytes];  ///< of the keys that no load has
  };

  __device__ top_k_held(storage& kept, const In& in, unsigned n, top_k_part mine, const Ranking& ranks)
      : kept_(kept),
        in_(in),
        ranks_(ranks),
        before_(unsigned(detail::count_before_loads(in, n))),
        loads_((n - before_) / items),
        step_(unsigned(mine.parts) * BlockSize),
        first_((this_block::thread_rank() / warp_size * unsigned(mine.parts) + unsigned(mine.part)) * warp_size +
               ptx::lane()),
        edges_(mine.part == mine.parts - 1 ? n - loads_ * items : 0) {}

  /// Reads the keys that are held. Of those, and of all others if these are looked at too, it finds the greatest words,
  /// in shared memory of the thread's own; 0 of no keys.
  __device__ __forceinline__ void read(bool looks_at_all, top_k_greatest<word>& greatest) {
    greatest = {};
    unsigned at = first_;
    int round = 0;
    if (at < loads_) {
#pragma unroll 1
      do {
        load packed[Loads];
        read(at, packed);
        top_k_greatest<word> now{};
#pragma unroll
        for (int k = 0; k < Loads; ++k) {
          if (!is_there(at, k)) continue;
          const auto words = detail::rank_load<key>(ranks_, packed[k]);
          if (round == 0) kept_.words[k * BlockSize + thread()] = __builtin_bit_cast(ranked, words);
          now.take(words, k);
        }
        if (most_rounds > round) kept_.highest[round * BlockSize + thread()] = now.of_all();
        greatest.join(now);
        at = find_next(at, Loads);
        ++round;
      } while (looks_at_all && at < loads_);
    }
    if (has_edge()) {
      const word w = ranks_.rank(in_[edge()]);
      kept_.edges[thread()] = w;
      greatest.of[0] = greatest.of[0] < w ? w : greatest.of[0];
    }
  }

  /// Has `take` look at the keys, as by visit_input(), but that it is not called by whole warps. Where all keys have
  /// been looked at, those below `least` may be left out.
  template <class Take>
  __device__ __forceinline__ void visit(word least, Take& take) const {
    using words_type = uninitialized_array<word, items>;
    if constexpr (items > 1) {
      uninitialized_array<word, 1> words[1];
      words[0][0] = has_edge() ? kept_.edges[thread()] : word(0);
      detail::take_loads<1>(
          words, [](const auto& one) { return one; }, [&](int, const auto&) { return std::int64_t{edge()}; },
          [&](int) { return has_edge(); }, take);
    }
    unsigned at = first_;
    int slot = 0;
#pragma unroll 1
    while (at < loads_) {
      if (slot % Loads == 0 && most_rounds * Loads > slot &&
          least > kept_.highest[slot / Loads * BlockSize + thread()]) {
        at = find_next(at, Loads);
        slot += Loads;
        continue;
      }
      words_type words[wide];
      if (Loads > slot) {
#pragma unroll
        for (int k = 0; k < wide; ++k) {
          words[k] = __builtin_bit_cast(words_type, kept_.words[(slot + k) * BlockSize + thread()]);
        }
      } else {
        load packed[wide];
        read(at, packed);
#pragma unroll
        for (int k = 0; k < wide; ++k) words[k] = detail::rank_load<key>(ranks_, packed[k]);
      }
      detail::take_loads<items>(
          words, [](const words_type& w) { return w; },
          [&](int k, const words_type&) { return before_ + std::int64_t{at + unsigned(k) * step_} * items; },
          [&](int k) { return is_there(at, k); }, take);
      at = find_next(at, wide);
      slot += wide;
    }
  }

 private:
  static_assert(Loads < 4 || Loads % 4 == 0);
  static constexpr int wide = Loads > 4 ? 4 : Loads;  ///< loads that are looked at together a second time

  /// Whether there is the k-th load of those from one of the row's on.
  __device__ __forceinline__ bool is_there(unsigned at, int k) const { return loads_ - at > unsigned(k) * step_; }
  /// Reads loads from one of the row's on. Those that are not there are set too, or they would be kept from before.
  template <int Count>
  __device__ __forceinline__ void read(unsigned at, load (&packed)[Count]) const {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      if (!is_there(at, k)) {
        std::memset(static_cast<void*>(&packed[k]), 0, sizeof packed[k]);
      } else if constexpr (items > 1) {
        packed[k] = ptx::load_past_l1(reinterpret_cast<const uint4*>(in_ + before_) + (at + unsigned(k) * step_));
      } else {
        packed[k][0] = in_[at + unsigned(k) * step_];
      }
    }
  }
  /// The load that many loads of the thread follow, or the number of all.
  __device__ __forceinline__ unsigned find_next(unsigned at, int loads) const {
    return loads_ - at > unsigned(loads) * step_ ? at + unsigned(loads) * step_ : loads_;
  }
  __device__ __forceinline__ static unsigned thread() { return unsigned(this_block::thread_rank()); }
  __device__ __forceinline__ bool has_edge() const { return items > 1 && edges_ > thread(); }
  __device__ __forceinline__ unsigned edge() const { return before_ > thread() ? thread() : loads_ * items + thread(); }

  storage& kept_;
  In in_;
  Ranking ranks_;
  unsigned before_, loads_, step_, first_;  ///< keys before the first load, loads of the row, and those of the thread
  unsigned edges_;                          ///< keys that no load has, one a thread of the last block
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
