// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/grid/open_part.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

namespace gpuprim::detail {

/// What blocks share that take tiles in order. Each tile tells those after it how many boundaries it has, of which they
/// need the sum before them, and the value that it leaves open, which the tile needs that closes it. All of it is zero
/// before a launch and after it. A tile waits only for tiles that come before it.
///
/// No sum goes from tile to tile: a block adds up counts of many tiles, all of them at once. Open values are joined by
/// the tile that closes them, first those of its group of 32 neighbours, then those of whole groups, which the last
/// tile of each has joined by then. The shape of that depends on the two places alone: the same bits in every run,
/// whatever the timing.
template <element Mail>
struct tile_chain {
  using box = mailbox<Mail>;
  static constexpr std::int64_t most_tiles = std::int64_t{1} << 30;

  unsigned* next;         ///< tile to be handed out
  unsigned* finished;     ///< blocks
  std::uint32_t* counts;  ///< of each tile, and one more; 0 until it is told
  box* open;              ///< of each tile; the note is its count
  box* groups;            ///< of each 32 tiles; the note says whether there is a boundary

  static constexpr std::int64_t count_bytes(std::int64_t tiles) { return (tiles + 1) / 2 * 8; }
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_groups(std::int64_t tiles) { return tiles / warp_size; }
  static constexpr std::int64_t bytes(std::int64_t tiles) {
    return 64 + count_bytes(tiles) + (tiles + count_groups(tiles)) * std::int64_t(sizeof(box));
  }
  static tile_chain lay_over(void* buffer, std::int64_t tiles) {
    auto* const head = static_cast<unsigned*>(buffer);
    char* const counts = static_cast<char*>(buffer) + 64;
    auto* const open = reinterpret_cast<box*>(counts + count_bytes(tiles));
    return {head, head + 1, reinterpret_cast<std::uint32_t*>(counts), open, open + tiles};
  }

  __device__ unsigned take_tile() const { return ptx::count_one_relaxed(next); }

  __device__ void tell_count(int tile, unsigned count) const { ptx::store_relaxed(&counts[tile], count + 1); }

  /// A thread's share of the counts of tiles `first` to before `end`, so far as they are asked for ahead.
  struct asked_counts {
    static constexpr int words = 3;
    std::uint32_t got[words];
  };
  template <int BlockSize>
  __device__ asked_counts ask_counts(int first, int end) const {
    asked_counts asked;
#pragma unroll
    for (int k = 0; k < asked.words; ++k) {
      const int i = first + k * BlockSize + int(this_block::thread_rank());
      asked.got[k] = i < end ? ptx::load_relaxed(&counts[i]) : 1;
    }
    return asked;
  }
  /// Waits for them. The sum of a warp's shares, in all of its lanes.
  template <int BlockSize>
  __device__ std::uint64_t sum_counts(asked_counts asked, int tile, int end) const {
    const int first = tile + int(this_block::thread_rank());
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int k = 0; k < asked.words; ++k) {
        if (asked.got[k] == 0) asked.got[k] = ptx::load_relaxed(&counts[first + k * BlockSize]);
        missing |= asked.got[k] == 0;
      }
    } while (__any_sync(0xffffffffu, missing));
    const warp_tile<warp_size> warp;
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < asked.words; ++k) sum += asked.got[k] - 1;
    sum = gpuprim::warp_all_reduce(warp, sum, plus<std::uint32_t>{});
    if (end - tile <= asked.words * BlockSize) return sum;
    std::uint64_t more = 0;  // of a block that came late
    for (int i = first + asked.words * BlockSize; i < end; i += BlockSize) {
      std::uint32_t count;
      do {
        count = ptx::load_relaxed(&counts[i]);
      } while (count == 0);
      more += count - 1;
    }
    return sum + gpuprim::warp_all_reduce(warp, more, plus<std::uint64_t>{});
  }

  __device__ void tell_open(int tile, const Mail& value, unsigned count) const {
    open[tile].send(value, count);
    if (count > 0 && (tile + 1) % warp_size == 0) groups[tile / warp_size].send(value, count);
  }
  /// The same of the group whose last tile this is, if that has no boundary.
  template <class T>
  __device__ void tell_group(int tile, const open_part<T>& part) const {
    groups[tile / warp_size].send(static_cast<Mail>(part.value.value), part.boundaries);
  }

  /// The group that the tile before `end` is in, so far as it lies before `end`: each lane looks at one tile.
  static __device__ int group_of(int end) { return (end - 1) / warp_size; }
  __device__ box look_in_group(int end) const {
    const int at = group_of(end) * warp_size + int(ptx::lane());
    return at < end ? open[at].look() : box{};
  }
  /// What those tiles leave open, of which some have been looked at; it does not wait for more of them than that takes.
  /// A whole warp asks.
  template <class T, class Op>
  __device__ open_part<T> open_in_group(box got, int end, const Op& op) const {
    const int lane = int(ptx::lane()), last = (end - 1) % warp_size;
    unsigned boundaries, needed;
    while (true) {
      const bool complete = got.is_complete();
      const unsigned arrived = __ballot_sync(0xffffffffu, complete);
      boundaries = __ballot_sync(0xffffffffu, complete && got.note() != 0);
      needed = 0xffffffffu >> (warp_size - 1 - last);
      if (boundaries != 0) needed &= 0xffffffffu << (warp_size - 1 - __clz(int(boundaries)));
      if ((arrived & needed) == needed) break;
      if (!complete) got = look_in_group(end);
    }
    const warp_tile<warp_size> warp;
    maybe<T> value;
    if (needed >> lane & 1) value = maybe<T>(static_cast<T>(got.value()));
    if (needed == 1u << last) value = detail::shuffle(warp, value, last);  // mostly the tile just before is enough
    else value = gpuprim::warp_all_reduce(warp, value, maybe_monoid<T, Op>{op});
    return {value, boundaries != 0 ? 1u : 0u};
  }
  /// The same of all tiles before `end`, the first of which has a boundary; `part` is what those of the group leave.
  template <class T, class Op>
  __device__ open_part<T> join_groups_before(open_part<T> part, int end, const Op& op) const {
    constexpr int share = sizeof(Mail) <= 8 ? 8 : 1;  // neighbouring groups a lane
    const join_open_parts<T, Op> join{op};
    for (int groups_end = group_of(end); part.boundaries == 0; groups_end -= warp_size * share) {
      const int first = groups_end - (warp_size - int(ptx::lane())) * share;
      const auto row = join_groups<share, T>(first, groups_end, op);
      part = join(gpuprim::warp_all_reduce(warp_tile<warp_size>{}, row, join), part);
    }
    return part;
  }

  /// Called by a thread of every block when the block has told and looked at all that it ever will, and has met since.
  /// True for the last one, whose block then clears all.
  __device__ bool leave() const { return ptx::arrive_in_order(finished, gridDim.x - 1) == gridDim.x - 1; }
  __device__ void clear(int tiles) const {
    const this_block block;
    const int rank = int(block.thread_rank()), threads = int(block.size());
    if (rank == 0) *next = 0;
    const std::int64_t packets = (tiles + count_groups(tiles)) * box::words;
    for (std::int64_t i = rank; i < packets; i += threads) ptx::store_relaxed(&open->packets[i], 0);
    for (int i = rank; i < tiles; i += threads) ptx::store_relaxed(&counts[i], 0);
  }

 private:
  /// What Count neighbouring groups from `first` on leave open, of which those from 0 to before `end` exist: joined by
  /// a thread, which waits for them, and asks for all before it looks at one. All lanes of a warp call it together.
  template <int Count, class T, class Op>
  __device__ open_part<T> join_groups(int first, int end, const Op& op) const {
    const join_open_parts<T, Op> join{op};
    box got[Count] = {};
    box::look_at_all(
        got, [&](int i) -> const box& { return groups[first + i]; },
        [&](int i) { return first + i >= 0 && first + i < end; });
    open_part<T> part{};
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      if (got[i].is_complete()) part = join(part, open_part<T>::from(got[i]));
    }
    return part;
  }
};

}  // namespace gpuprim::detail
