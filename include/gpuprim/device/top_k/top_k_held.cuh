// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/top_k/top_k_parts.cuh>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The greatest words of four parts of a thread's keys. Neighbouring keys are in different parts.
template <class Word>
struct alignas(4 * sizeof(Word)) top_k_greatest {
  static constexpr int parts = 4;
  Word of[parts];
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
  struct storage {
    ranked words[Loads * BlockSize];
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

  /// Reads the keys that are held. Of those, and of all others if these are looked at too, it finds the greatest words;
  /// 0 of no keys.
  __device__ __forceinline__ top_k_greatest<word> read(bool looks_at_all) {
    constexpr int parts = top_k_greatest<word>::parts;
    top_k_greatest<word> greatest{};
    if (first_ < loads_) {
      unsigned at = first_;
      bool is_held = true;
#pragma unroll 1
      do {
        load packed[Loads];
        read(at, packed);
#pragma unroll
        for (int k = 0; k < Loads; ++k) {
          if (!is_there(at, k)) continue;
          const auto words = detail::rank_load<key>(ranks_, packed[k]);
          if (is_held) kept_.words[k * BlockSize + this_block::thread_rank()] = __builtin_bit_cast(ranked, words);
#pragma unroll
          for (int i = 0; i < items; ++i) {
            word& w = greatest.of[(items > 1 ? i : k) % parts];
            w = w < words[i] ? words[i] : w;
          }
        }
        at = loads_ - at > Loads * step_ ? at + Loads * step_ : loads_;
        is_held = false;
      } while (looks_at_all && at < loads_);
    }
    if (has_edge()) {  // the other loads are on their way meanwhile
      edge_word_ = ranks_.rank(in_[edge()]);
      greatest.of[0] = greatest.of[0] < edge_word_ ? edge_word_ : greatest.of[0];
    }
    return greatest;
  }

  /// Has `take` look at the keys, as by visit_input(), but that it is not called by whole warps.
  template <class Take>
  __device__ __forceinline__ void visit(Take& take) const {
    constexpr int wide = Loads > 4 ? 4 : Loads;
    using words_type = uninitialized_array<word, items>;
    if constexpr (items > 1) {
      uninitialized_array<word, 1> words[1];
      words[0][0] = edge_word_;
      detail::take_loads<1>(
          words, [](const auto& one) { return one; }, [&](int, const auto&) { return std::int64_t{edge()}; },
          [&](int) { return has_edge(); }, take);
    }
    if (first_ >= loads_) return;
    unsigned at = first_;
    int held = 0;
#pragma unroll 1
    do {
      words_type words[wide];
      if (Loads > held) {
#pragma unroll
        for (int k = 0; k < wide; ++k) {
          const int slot = held + k < Loads ? held + k : 0;
          words[k] = __builtin_bit_cast(words_type, kept_.words[slot * BlockSize + this_block::thread_rank()]);
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
      at = loads_ - at > wide * step_ ? at + wide * step_ : loads_;
      held += wide;
    } while (at < loads_);
  }

 private:
  static_assert(Loads < 4 || Loads % 4 == 0);

  /// Whether there is the k-th load of those from one of the row's on.
  __device__ __forceinline__ bool is_there(unsigned at, int k) const { return loads_ - at > unsigned(k) * step_; }
  /// Reads loads from one of the row's on. Those that are not there are set too, or they would be kept from before.
  template <int Count>
  __device__ __forceinline__ void read(unsigned at, load (&packed)[Count]) const {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      if (!is_there(at, k)) {
        packed[k] = load{};
      } else if constexpr (items > 1) {
        packed[k] = ptx::load_past_l1(reinterpret_cast<const uint4*>(in_ + before_) + (at + unsigned(k) * step_));
      } else {
        packed[k][0] = in_[at + unsigned(k) * step_];
      }
    }
  }
  __device__ __forceinline__ bool has_edge() const { return items > 1 && edges_ > this_block::thread_rank(); }
  __device__ __forceinline__ unsigned edge() const {
    const unsigned rank = this_block::thread_rank();
    return before_ > rank ? rank : loads_ * items + rank;
  }

  storage& kept_;
  In in_;
  Ranking ranks_;
  unsigned before_, loads_, step_, first_;  ///< keys before the first load, loads of the row, and those of the thread
  unsigned edges_;                          ///< keys that no load has, one a thread of the last block
  word edge_word_ = 0;
};

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
