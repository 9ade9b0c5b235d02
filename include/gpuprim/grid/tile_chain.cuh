// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/monoid.hpp>
#include <gpuprim/grid/mailbox.cuh>

namespace gpuprim::detail {

/// What a row of tiles leaves open at its end: the value since the last boundary, and whether it has a boundary at all.
template <class T>
struct open_part {
  maybe<T> value;
  bool closed;
};

/// Joins what two neighbouring rows leave open: nothing goes across a boundary.
template <class T, class Op>
struct join_open_parts {
  Op op;
  __device__ open_part<T> operator()(const open_part<T>& a, const open_part<T>& b) const {
    if (b.closed) return b;
    return {monoid<T, Op, false>{op}(a.value, b.value), a.closed};
  }
};

/// What blocks share that take tiles in order. Each tile tells those after it a count, of which they need the sum
/// before them, and the value that it leaves open, which the tile needs that closes it. All of it is zero before a
/// launch and after it. A tile only ever waits for tiles that were handed out before it, so that a block may be alone
/// on the GPU.
///
/// A block adds up the counts between its last tile and its next one, as many as there are blocks, all of them at once:
/// no sum goes from tile to tile. Open values are joined by the tile that closes them alone, in a shape that depends on
/// the two places: the same bits in every run, whatever the timing.
template <element Mail>
struct tile_chain {
  unsigned* next;         ///< tile to be handed out
  unsigned* finished;     ///< blocks
  std::uint32_t* counts;  ///< of each tile, and one more; 0 until it is told
  mailbox<Mail>* open;    ///< of each tile; the note says that the tile has a boundary

  static constexpr std::int64_t count_bytes(std::int64_t tiles) { return (tiles + 1) / 2 * 8; }
  static constexpr std::int64_t bytes(std::int64_t tiles) {
    return 64 + count_bytes(tiles) + tiles * std::int64_t(sizeof(mailbox<Mail>));
  }
  static tile_chain lay_over(void* buffer, std::int64_t tiles) {
    auto* head = static_cast<unsigned*>(buffer);
    char* counts = static_cast<char*>(buffer) + 64;
    return {head, head + 1, reinterpret_cast<std::uint32_t*>(counts),
            reinterpret_cast<mailbox<Mail>*>(counts + count_bytes(tiles))};
  }

  __device__ unsigned take_tile() const { return ptx::count_one_relaxed(next); }

  __device__ void tell_count(std::int64_t tile, unsigned count) const { ptx::store_relaxed(&counts[tile], count + 1); }

  /// A thread's share of the counts of tiles `first` to before `end`, so far as they are asked for ahead.
  template <int BlockSize>
  struct asked_counts {
    static constexpr int words = 3;
    std::uint32_t got[words];
  };
  template <int BlockSize>
  __device__ asked_counts<BlockSize> ask_counts(int first, int end) const {
    asked_counts<BlockSize> asked;
#pragma unroll
    for (int k = 0; k < asked.words; ++k) {
      const int i = first + k * BlockSize + int(this_block::thread_rank());
      asked.got[k] = i < end ? ptx::load_relaxed(&counts[i]) : 1;
    }
    return asked;
  }
  /// Waits for them. The sum of a warp's shares, in all of its lanes.
  template <int BlockSize>
  __device__ std::uint64_t sum_counts(asked_counts<BlockSize> asked, int first, int end) const {
    first += int(this_block::thread_rank());
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int k = 0; k < asked.words; ++k) {
        if (asked.got[k] == 0) asked.got[k] = ptx::load_relaxed(&counts[first + k * BlockSize]);
        missing |= asked.got[k] == 0;
      }
    } while (__any_sync(0xffffffffu, missing));
    std::uint64_t sum = 0;
#pragma unroll
    for (int k = 0; k < asked.words; ++k) sum += asked.got[k] - 1;
    for (int i = first + asked.words * BlockSize; i < end; i += BlockSize) {  // a block that came late
      std::uint32_t count;
      do {
        count = ptx::load_relaxed(&counts[i]);
      } while (count == 0);
      sum += count - 1;
    }
    return warp_all_reduce(warp_tile<warp_size>{}, sum, plus<std::uint64_t>{});
  }

  /// Each lane looks at what one of the 32 tiles before `end` leaves open.
  __device__ mailbox<Mail> look_before(std::int64_t end) const {
    const std::int64_t at = end - warp_size + int(ptx::lane());
    return at >= 0 ? open[at].look() : mailbox<Mail>{};
  }
  /// What those tiles leave open, of which some have been looked at; it does not wait for more of them than that takes.
  /// A whole warp asks.
  template <class T, class Op>
  __device__ open_part<T> open_in_warp(mailbox<Mail> got, std::int64_t end, const Op& op) const {
    const int lane = int(ptx::lane());
    const std::int64_t at = end - warp_size + lane;
    unsigned boundaries, needed;
    while (true) {
      const unsigned arrived = __ballot_sync(0xffffffffu, got.is_complete());
      boundaries = __ballot_sync(0xffffffffu, got.is_complete() && got.has_note());
      needed = boundaries != 0 ? 0xffffffffu << (warp_size - 1 - __clz(int(boundaries))) : 0xffffffffu;
      if ((arrived & needed) == needed) break;
      if (at >= 0 && !got.is_complete()) got = open[at].look();
    }
    maybe<T> value;
    if (needed >> lane & 1) value = maybe<T>(static_cast<T>(got.value()));
    if (needed != 1u << (warp_size - 1))
      value = warp_all_reduce(warp_tile<warp_size>{}, value, monoid<T, Op, false>{op});
    else value = shuffle(warp_tile<warp_size>{}, value, warp_size - 1);  // mostly the tile just before is enough
    return {value, boundaries != 0};
  }

  /// What all tiles before `end` leave open, the first of which has a boundary. A whole block asks; rank 0 gets it. It
  /// looks at twice as many tiles each time, so that a run over most of the input takes few turns.
  template <int BlockSize, class T, class Op>
  __device__ open_part<T> open_in_block(std::int64_t end, open_part<T> after, const Op& op) const {
    constexpr int at_once = sizeof(Mail) <= 8 ? 8 : 1;
    GPUPRIM_SHARED(closed, bool);
    const this_block block;
    const int rank = int(block.thread_rank());
    const join_open_parts<T, Op> join{op};
    std::int64_t run = at_once;  // of neighbouring tiles, a thread
    do {
      const std::int64_t run_end = end - (BlockSize - 1 - rank) * run;
      open_part<T> part{};
      for (std::int64_t first = run_end - run; first < run_end; first += at_once) {
        mailbox<Mail> got[at_once];
        bool missing;
        do {  // all are asked for before one is looked at; before the first tile, for that one once more
          missing = false;
#pragma unroll
          for (int k = 0; k < at_once; ++k) got[k] = open[first + k > 0 ? first + k : 0].look();
#pragma unroll
          for (int k = 0; k < at_once; ++k) missing |= !got[k].is_complete();
        } while (__any_sync(0xffffffffu, missing));
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          if (first + k < 0) continue;
          part = join(part, open_part<T>{maybe<T>(static_cast<T>(got[k].value())), got[k].has_note()});
        }
      }
      part = block_reduce<BlockSize>(block, part, join);
      after = join(part, after);
      if (rank == 0) closed = after.closed;
      block.sync();
      end -= BlockSize * run;
      const std::int64_t left = (end / BlockSize / at_once + 1) * at_once;
      run = 2 * run < left ? 2 * run : left;
    } while (!closed);
    return after;
  }

  /// Called by a thread of every block when the block has told and looked at all that it ever will, and has met since.
  /// True for the last one, whose block then clears all.
  __device__ bool leave() const {
    __threadfence();  // what the block told and looked at, before the count
    const bool is_last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
    return is_last;
  }
  __device__ void clear(std::int64_t tiles) const {
    const this_block block;
    if (block.thread_rank() == 0) *next = 0;
    const std::int64_t mail_words = tiles * mailbox<Mail>::words;
    auto* const mail = open->packets;
    for (std::int64_t i = block.thread_rank(); i < mail_words; i += block.size()) ptx::store_relaxed(&mail[i], 0);
    for (std::int64_t i = block.thread_rank(); i < tiles; i += block.size()) ptx::store_relaxed(&counts[i], 0);
  }
};

}  // namespace gpuprim::detail
