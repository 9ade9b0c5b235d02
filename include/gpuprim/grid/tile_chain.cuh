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

/// What blocks share that take tiles in order. Each tile tells those after it a count, of which they need the sum before
/// them, and the value that it leaves open, which the tile needs that closes it. All of it is zero before a launch and
/// after it. A tile only ever waits for tiles that were handed out before it, so that a block may be alone on the GPU.
///
/// Sums of counts are exact, so a tile starts from whatever sum is known nearest before it (decoupled look-back). Open
/// values are joined by the tile that closes them alone, in a shape that depends on the two places: the same bits in every
/// run, whatever the timing.
template <element Mail>
struct tile_chain {
  unsigned* next;          ///< tile to be handed out
  unsigned* finished;      ///< blocks
  std::uint64_t* counts;   ///< of each tile: 0, or a count and what it is of
  mailbox<Mail>* open;     ///< of each tile; the note says that the tile has a boundary

  static constexpr std::uint64_t of_tile = std::uint64_t{1} << 62, of_all = std::uint64_t{1} << 63;
  static constexpr int rows = 4;  ///< of 32 tiles that a look back takes in

  static constexpr std::int64_t bytes(std::int64_t tiles) {
    return 64 + tiles * std::int64_t(sizeof(std::uint64_t) + sizeof(mailbox<Mail>));
  }
  static tile_chain lay_over(void* buffer, std::int64_t tiles) {
    auto* head = static_cast<unsigned*>(buffer);
    auto* words = reinterpret_cast<std::uint64_t*>(static_cast<char*>(buffer) + 64);
    return {head, head + 1, words, reinterpret_cast<mailbox<Mail>*>(words + tiles)};
  }

  __device__ unsigned take_tile() const { return atomicAdd(next, 1u); }

  __device__ void tell_count(std::int64_t tile, std::uint64_t count) const {
    ptx::store_relaxed(&counts[tile], of_tile | count);
  }
  __device__ void tell_sum(std::int64_t tile, std::uint64_t sum) const {
    ptx::store_relaxed(&counts[tile], of_all | sum);
  }

  /// The sum of the counts of all tiles before `tile`. A whole warp asks.
  __device__ std::uint64_t sum_before(std::int64_t tile) const {
    const int lane = int(ptx::lane());
    unsigned sum = 0;  // of tiles that are not done, which are not more than blocks
    std::uint64_t sum_before = 0;
    bool done = false;
    int next_rows = 1;  // the nearest tiles are waited for alone: more words under way would be in the way of those
    for (std::int64_t at = tile - 1 - lane; !done;) {
      const int asked = next_rows;
      std::uint64_t words[rows];
#pragma unroll
      for (int row = 0; row < rows; ++row) {
        const std::int64_t i = at - row * warp_size;
        if (row < asked) words[row] = i >= 0 ? ptx::load_relaxed(&counts[i]) : of_all;
      }
      bool all_known = true;
#pragma unroll
      for (int row = 0; row < rows; ++row) {  // without a way out, which would keep the words in memory
        if (row < asked && all_known && !done) {
          const unsigned known = __ballot_sync(0xffffffffu, words[row] != 0);
          const unsigned sums = __ballot_sync(0xffffffffu, words[row] >= of_all);
          const unsigned needed = sums != 0 ? sums ^ (sums - 1) : 0xffffffffu;  // the nearest sum, and after it
          all_known = (known & needed) == needed;
          if (all_known) {
            if ((needed & ~sums) >> lane & 1) sum += unsigned(words[row]);
            done = sums != 0;
            if (done) sum_before = shuffle(warp_tile<warp_size>{}, words[row], __ffs(int(sums)) - 1) - of_all;
            at -= warp_size;
            next_rows = rows;
          }
        }
      }
    }
    return sum_before + warp_all_reduce(warp_tile<warp_size>{}, sum, plus<unsigned>{});
  }

  /// What the 32 tiles before `end` leave open; it does not wait for more of them than that takes. A whole warp asks.
  template <class T, class Op>
  __device__ open_part<T> open_in_warp(std::int64_t end, const Op& op) const {
    const int lane = int(ptx::lane());
    const std::int64_t at = end - warp_size + lane;
    mailbox<Mail> got{};
    unsigned arrived, boundaries, needed;
    do {
      if (at >= 0 && !got.is_complete()) got = open[at].look();
      arrived = __ballot_sync(0xffffffffu, got.is_complete());
      boundaries = __ballot_sync(0xffffffffu, got.is_complete() && got.has_note());
      needed = boundaries != 0 ? 0xffffffffu << (warp_size - 1 - __clz(int(boundaries))) : 0xffffffffu;
    } while ((arrived & needed) != needed);
    maybe<T> value;
    if (needed >> lane & 1) value = maybe<T>(static_cast<T>(got.value()));
    return {warp_all_reduce(warp_tile<warp_size>{}, value, monoid<T, Op, false>{op}), boundaries != 0};
  }

  /// What all tiles before `end` leave open, the first of which has a boundary. A whole block asks; rank 0 gets it.
  template <int BlockSize, class T, class Op>
  __device__ open_part<T> open_in_block(std::int64_t end, open_part<T> after, const Op& op) const {
    constexpr int run = sizeof(Mail) <= 8 ? 8 : 1;
    GPUPRIM_SHARED(closed, bool);
    const this_block block;
    const int rank = int(block.thread_rank());
    const join_open_parts<T, Op> join{op};
    do {
      const std::int64_t first = end - std::int64_t(BlockSize - rank) * run;
      mailbox<Mail> got[run] = {};
      bool missing;
      do {
        missing = false;
#pragma unroll
        for (int k = 0; k < run; ++k) {
          if (first + k >= 0 && !got[k].is_complete()) got[k] = open[first + k].look();
          missing |= first + k >= 0 && !got[k].is_complete();
        }
      } while (__any_sync(0xffffffffu, missing));
      open_part<T> part{};
#pragma unroll
      for (int k = 0; k < run; ++k) {
        if (first + k < 0) continue;
        part = join(part, open_part<T>{maybe<T>(static_cast<T>(got[k].value())), got[k].has_note()});
      }
      part = block_reduce<BlockSize>(block, part, join);
      after = join(part, after);
      if (rank == 0) closed = after.closed;
      block.sync();
      end -= BlockSize * run;
    } while (!closed);
    return after;
  }

  /// Called by every block when it takes no more tiles: the last one leaves all as it was.
  __device__ void leave(std::int64_t tiles) const {
    GPUPRIM_SHARED(is_last, bool);
    const this_block block;
    block.sync();
    if (block.thread_rank() == 0) {
      __threadfence();  // what the block told and looked at, before the count
      is_last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
      __threadfence();
      if (is_last) *next = 0;
    }
    block.sync();
    if (!is_last) return;
    const std::int64_t words = tiles * (1 + mailbox<Mail>::words);
    for (std::int64_t i = block.thread_rank(); i < words; i += block.size()) ptx::store_relaxed(&counts[i], 0);
  }
};

}  // namespace gpuprim::detail
