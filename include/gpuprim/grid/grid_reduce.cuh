// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/config.hpp>
#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/grid/gathered_mail.cuh>
#include <gpuprim/grid/mailbox.cuh>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// How many blocks of a grid, or of a group of its blocks, came before this one. The atomic operation may still be in
/// flight: only what uses its result waits for it.
struct grid_arrival {
  /// The number of blocks.
  unsigned blocks_before = 0;

  /// Of the grid.
  __device__ bool is_last() const { return blocks_before == gridDim.x - 1; }
};

/// What the blocks of one grid share: a counter of the blocks that have arrived, and a mailbox for each block's value;
/// in a grid of many blocks, behind those, the levels of a tree. All of it must be zero before the first use, and is
/// zero again after each; concurrent grids need a state each.
template <class T>
struct grid_reduce_state {
  /// The counter.
  unsigned* arrivals;
  /// The mailboxes and the tree.
  detail::mailbox<T>* mailboxes;
};

namespace detail {

/// The level of a tree over a grid of many blocks: those that join their values there are at the lowest level the
/// blocks, and above it groups of a warp's number of neighbours of the level below. Behind the mailboxes of a level are
/// the counters of its groups, each in the room of a mailbox, and then the next level.
template <class T>
struct grid_level {
  const grid_reduce_state<T>& state;
  mailbox<T>* boxes = state.mailboxes;
  int count = int(gridDim.x), own = int(blockIdx.x);

  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_groups(std::int64_t count) {
    return (count + warp_size - 1) / warp_size;
  }
  __device__ bool is_top() const { return count <= warp_size; }
  __device__ int group() const { return own / warp_size; }
  __device__ int first_of_group() const { return group() * warp_size; }
  __device__ int group_size() const {
    return count - first_of_group() < warp_size ? count - first_of_group() : warp_size;
  }
  /// Counts one in, among those of its group.
  __device__ unsigned arrive() const {
    unsigned* const arrivals = is_top() ? state.arrivals : reinterpret_cast<unsigned*>(boxes + count + group());
    return atomicInc(arrivals, unsigned(group_size()) - 1);
  }
  __device__ void rise() {
    own = group();
    boxes += count + count_groups(count);
    count = int(count_groups(count));
  }
};

/// Most blocks of a grid of which the last joins all values. More would keep it longer than a tree does; see
/// docs/lab/cases.md.
inline constexpr int most_blocks_of_one_level = 256;

/// Counts the calling block in, among all of the grid.
template <class T>
__device__ __forceinline__ grid_arrival arrive_in_grid(const grid_reduce_state<T>& state) {
  grid_arrival own;
  if (gridDim.x > 1) own.blocks_before = atomicInc(state.arrivals, gridDim.x - 1);
  return own;
}

}  // namespace detail

/// Bytes behind a `grid_reduce_state<T>` for a grid of up to `blocks` blocks.
template <class T>
GPUPRIM_HOST_DEVICE constexpr std::int64_t grid_reduce_bytes(std::int64_t blocks) {
  std::int64_t mailboxes = blocks;
  if (blocks > detail::most_blocks_of_one_level) {
    for (std::int64_t count = blocks; count > warp_size;) {
      count = detail::grid_level<T>::count_groups(count);
      mailboxes += 2 * count;
    }
  }
  return 64 + mailboxes * std::int64_t(sizeof(detail::mailbox<T>));
}

/// Lays a state over a zeroed buffer of `grid_reduce_bytes<T>(blocks)` bytes, aligned to 8 bytes.
template <class T>
GPUPRIM_HOST_DEVICE grid_reduce_state<T> make_grid_reduce_state(void* buffer) {
  return {static_cast<unsigned*>(buffer), reinterpret_cast<detail::mailbox<T>*>(static_cast<char*>(buffer) + 64)};
}

/// Counts the calling block in. To be called once a block, by rank 0, as early as possible: `grid_reduce` then has the
/// answer without waiting.
template <class T>
__device__ __forceinline__ grid_arrival arrive(const grid_reduce_state<T>& state) {
  if (gridDim.x <= unsigned(detail::most_blocks_of_one_level)) return detail::arrive_in_grid(state);
  return {detail::grid_level<T>{state}.arrive()};
}

namespace detail {

/// Whether a block with room in shared memory gathers the mail of others before it joins them: coalesced reads of long
/// values gain more than the extra trip through shared memory costs. See docs/lab/reduce.md, "Figures that stood in the
/// code".
template <class T>
inline constexpr bool gathers_mail = sizeof(T) >= 64;

/// How much shared memory the join of a grid's blocks may take.
enum class join_memory {
  little,    ///< the kernel needs shared memory itself
  all_left,  ///< the block has no other use for it
};

/// Joins `count` values in their order: those of mailboxes, which it empties, and in the place of number `own` the
/// block's own mail. Rank 0 gets the result. All senders must be running or done.
template <int BlockSize, join_memory Memory, class Block, class T, class Op>
__device__ __forceinline__ T join_boxes(const Block& block, T total, mailbox<T>* boxes, int count, int own,
                                        const mailbox<T>& own_mail, const Op& op) {
  // Each thread joins a run of neighbours, then the block joins the runs: the order is kept throughout.
  const int rank = int(block.thread_rank()), run = (count + BlockSize - 1) / BlockSize;
  if constexpr (has_identity<Op, T>) total = static_cast<T>(identity_element<Op, T>::value());
  for (int k = 0; k < run; ++k) {
    const int i = rank * run + k;
    // A choice between mails: nvcc 12.4 never ends where 128-bit integers are chosen between.
    mailbox<T> mail[1] = {};
    if (i == own) mail[0] = own_mail;
    mailbox<T>::look_at_all(mail, [&](int) -> auto& { return boxes[i]; }, [&](int) { return i < count; });
    if (i < count && i != own) boxes[i].empty();
    const T next = mail[0].value();
    if (i < count) total = has_identity<Op, T> || k > 0 ? op(total, next) : next;
  }
  if constexpr (Memory == join_memory::all_left && joins_columns<BlockSize, T, Op>) {
    return detail::block_reduce_columns<BlockSize>(block, total, op);
  } else if constexpr (has_identity<Op, T>) {
    return gpuprim::block_reduce<BlockSize>(block, total, op);
  } else {
    return gpuprim::block_reduce<BlockSize>(block, total, op, (count + run - 1) / run);
  }
}

/// Joins the values that the blocks' rank 0 bring. The block that arrived last in the grid joins all.
template <int BlockSize, join_memory Memory = join_memory::all_left, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_join_blocks(const Block& block, const T& value, const Op& op,
                                                 const grid_reduce_state<T>& state, Finish finish,
                                                 grid_arrival arrival) {
  constexpr bool gathers = Memory == join_memory::all_left && gathers_mail<T>;
  const int rank = int(block.thread_rank()), blocks = int(gridDim.x), own_index = int(blockIdx.x);
  if (blocks == 1) {
    if (rank == 0) finish(value);
    return;
  }
  GPUPRIM_SHARED(joins, bool);
  // The joining block keeps its value: sending it would cost a round trip.
  GPUPRIM_SHARED(own_mail, mailbox<T>);
  if constexpr (BlockSize == warp_size) block.sync();  // block_reduce has none: the last call's values have been read
  if (rank == 0) {
    joins = arrival.is_last();
    if (!arrival.is_last()) state.mailboxes[own_index].send(value);
    else if (!gathers) own_mail = mailbox<T>::with(value);
  }
  block.sync();
  if (!joins) return;
  T total = value;
  if constexpr (gathers) {
    GPUPRIM_SHARED(mail, gathered_mail<T>);
    for (int first = 0; first < blocks; first += mail.most) {
      const int count = blocks - first < mail.most ? blocks - first : mail.most, own = own_index - first;
      if (rank == 0 && 0 <= own && own < count) mail.values[own] = value;
      mail.template receive<BlockSize>(state.mailboxes + first, count, own, rank);
      block.sync();
      if (is_in_first_warps(block)) {
        const T part = mail.join(rank, count, op);
        if (first == 0) total = part;
        else total = op(total, part);
      }
      block.sync();
    }
  } else {
    total = detail::join_boxes<BlockSize, Memory>(block, total, state.mailboxes, blocks, own_index, own_mail, op);
  }
  if (rank == 0) finish(total);
}

/// Joins the values that the blocks' rank 0 bring, level by level: in each group, the one that arrived last joins all.
/// The first warp of each block calls it: no barrier is needed, and the other warps may end.
template <class T, class Op, class Finish>
__device__ __forceinline__ void grid_join_levels(T value, const Op& op, const grid_reduce_state<T>& state,
                                                 Finish finish, grid_arrival arrival) {
  const warp_tile<warp_size> warp;
  const int lane = int(warp.thread_rank());
  grid_level<T> level{state};
  for (bool is_top = false; !is_top;) {
    const int size = level.group_size(), own = level.own - level.first_of_group();
    mailbox<T>* const boxes = level.boxes + level.first_of_group();
    if (detail::shuffle(warp, arrival.blocks_before, 0) != unsigned(size) - 1) {
      if (lane == 0) boxes[own].send(value);
      return;
    }
    is_top = level.is_top();
    level.rise();
    // The answer is there when the group has been joined.
    if (!is_top && lane == 0) arrival.blocks_before = level.arrive();
    // The joining warp keeps its value: sending it would cost a round trip.
    const bool is_sent = lane < size && lane != own;
    const T own_value = detail::shuffle(warp, value, 0);
    value = boxes[is_sent ? lane : own].receive(is_sent);
    if (lane == own) value = own_value;
    value = detail::warp_reduce_first<warp_size>(warp, value, op, size);
  }
  if (lane == 0) finish(value);
}

}  // namespace detail

/// Reduces the values of all threads of a grid in one launch: every block mails its value to the block that arrived
/// last, which joins them in block order and calls `finish(total)` in exactly one thread of the grid. In a grid of more
/// than 256 blocks, the last to arrive of each 32 neighbours joins these, and so on up a tree.
///
/// The last block to arrive knows that all others have started, so that waiting for them cannot deadlock, however few
/// blocks fit on the GPU at once. Any grid works. As many blocks as fit at once, of threads that each take several
/// values in a loop, suit best: fewer values have to be mailed.
///
/// @pre   Called by all threads of all blocks of a one-dimensional grid, once a launch for a state; `arrival`,
///        what `arrive(state)` gave, counts in rank 0 of each block; a block has BlockSize threads, a multiple of 32.
///        No cooperative launch is needed.
/// @sync  block barriers. Nothing but the values passes between blocks: other writes of a block are not ordered.
/// @order kept: blocks by blockIdx.x, threads by rank. The result does not depend on which block is last.
/// @cost  block_reduce, one atomic and one 8-byte store for each 4 bytes of T a block; the last block reads and clears
///        gridDim.x mailboxes, or beyond 256 blocks 32 at each level of the tree.
/// @source Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016 (flags that travel
///         with the value).
/// @example examples/library/03_grid.cu
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish, grid_arrival arrival,
                                            detail::call_site here = detail::call_site::current()) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  static_assert(BlockSize > 0 && BlockSize % warp_size == 0,
                "gpuprim::grid_reduce: BlockSize must be a multiple of 32");
  detail::expects(gridDim.y == 1 && gridDim.z == 1, "gpuprim::grid_reduce: the grid must have one dimension", here);
  value = gpuprim::block_reduce<BlockSize>(block, value, op, here);
  if (gridDim.x <= unsigned(detail::most_blocks_of_one_level)) {
    detail::grid_join_blocks<BlockSize, detail::join_memory::little>(block, value, op, state, finish, arrival);
  } else if (detail::is_in_first_warps(block)) {
    detail::grid_join_levels(value, op, state, finish, arrival);
  }
}

/// Counts the block in at once, then reduces. See the overload with an arrival.
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish, detail::call_site here = detail::call_site::current()) {
  grid_arrival arrival;
  if (block.thread_rank() == 0) arrival = gpuprim::arrive(state);
  gpuprim::grid_reduce<BlockSize>(block, value, op, state, finish, arrival, here);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
