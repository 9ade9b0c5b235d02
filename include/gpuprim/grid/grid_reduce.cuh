// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/grid/gathered_mail.cuh>
#include <gpuprim/grid/grid_arrival.cuh>
#include <gpuprim/grid/mailbox.cuh>

namespace gpuprim {

/// What the blocks of one grid share: a counter of the blocks that have arrived, and a mailbox for each block's value;
/// in a grid of groups, behind those, a mailbox and then a counter for each group. All of it must be zero before the
/// first use, and is zero again after each; concurrent grids need a state each.
template <class T>
struct grid_reduce_state {
  unsigned* arrivals;
  detail::mailbox<T>* mailboxes;
};

namespace detail {

/// The blocks of a grid as groups of neighbours, all of one size but the last: a block of each joins the values of its
/// group while the grid still runs, and one block those of the groups. A grid of few blocks is one group.
struct grid_groups {
  static constexpr int most_blocks_of_one = 1024, blocks_of_many = 256;
  int blocks, count, size;

  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_groups(std::int64_t blocks) {
    return blocks <= most_blocks_of_one ? 1 : (blocks + blocks_of_many - 1) / blocks_of_many;
  }
  __device__ grid_groups()
      : blocks(int(gridDim.x)), count(int(count_groups(blocks))), size(count == 1 ? blocks : blocks_of_many) {}
  __device__ int own() const { return count == 1 ? 0 : int(blockIdx.x) / blocks_of_many; }
  __device__ int blocks_of(int group) const { return group < count - 1 ? size : blocks - group * size; }
  /// Counts the blocks of a group that have arrived.
  template <class T>
  __device__ unsigned* arrivals(const grid_reduce_state<T>& state, int group) const {
    return count == 1 ? state.arrivals : reinterpret_cast<unsigned*>(state.mailboxes + blocks + count) + group;
  }
};

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
  constexpr std::int64_t mail = sizeof(detail::mailbox<T>), counter = sizeof(unsigned);
  const std::int64_t groups = detail::grid_groups::count_groups(blocks);
  return 64 + blocks * mail + (groups > 1 ? groups * (mail + counter) : 0);
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
  const detail::grid_groups groups;
  const int group = groups.own();
  grid_arrival own;
  if (groups.blocks > 1) {
    own.blocks_before = atomicInc(groups.arrivals(state, group), unsigned(groups.blocks_of(group)) - 1);
  }
  return own;
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

/// Joins the values that the blocks' rank 0 bring, for a kernel that needs no shared memory any more. The block that
/// arrived last in the grid joins all.
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_join_blocks(const Block& block, const T& value, const Op& op,
                                                 const grid_reduce_state<T>& state, Finish finish,
                                                 grid_arrival arrival) {
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
    else if (!gathers_mail<T>) own_mail = mailbox<T>::with(value);
  }
  block.sync();
  if (!joins) return;
  T total = value;
  if constexpr (gathers_mail<T>) {
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
    total = detail::join_boxes<BlockSize, join_memory::all_left>(block, total, state.mailboxes, blocks, own_index,
                                                                 own_mail, op);
  }
  if (rank == 0) finish(total);
}

/// Joins the values that the blocks' rank 0 bring, group by group; see grid_reduce.
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_join_groups(const Block& block, T value, const Op& op,
                                                 const grid_reduce_state<T>& state, Finish finish,
                                                 grid_arrival arrival) {
  const grid_groups groups;
  const int rank = int(block.thread_rank()), group = groups.own();
  GPUPRIM_SHARED(joins, bool);
  GPUPRIM_SHARED(own_mail, mailbox<T>);  // the joining block keeps its value: sending it would cost a round trip
  // First the blocks of the group, of which the last to arrive joins them all, then likewise the groups.
  mailbox<T>* boxes = state.mailboxes + group * groups.size;
  int own = int(blockIdx.x) - group * groups.size, count = groups.blocks_of(group);
#pragma unroll 1
  for (bool is_top = groups.count == 1; groups.blocks > 1; is_top = true) {
    if constexpr (BlockSize == warp_size) block.sync();  // block_reduce has none: the last values have been read
    if (rank == 0) {
      joins = arrival.blocks_before == unsigned(count) - 1;
      if (!joins) boxes[own].send(value);
      else own_mail = mailbox<T>::with(value);
      // The answer is there when the group has been joined.
      if (joins && !is_top) arrival.blocks_before = atomicInc(state.arrivals, unsigned(groups.count) - 1);
    }
    block.sync();
    if (!joins) return;
    value = detail::join_boxes<BlockSize, join_memory::little>(block, value, boxes, count, own, own_mail, op);
    if (is_top) break;
    boxes = state.mailboxes + groups.blocks;
    own = group;
    count = groups.count;
  }
  if (rank == 0) finish(value);
}

}  // namespace detail

/// Reduces the values of all threads of a grid in one launch: every block mails its value to the block that arrived
/// last, which joins them in block order and calls `finish(total)` in exactly one thread of the grid. Where there are
/// many blocks, the last to arrive of each group of neighbours joins the group first.
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
///        gridDim.x mailboxes, or beyond 1024 blocks those of its group, of 256 blocks, and then one of each group.
/// @return nothing; `finish` gets op over the values of all threads.
/// @source Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016 (flags that travel
///         with the value).
/// @example examples/03_grid.cu
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish, grid_arrival arrival,
                                            detail::call_site here = detail::call_site::current()) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  static_assert(BlockSize > 0 && BlockSize % warp_size == 0,
                "gpuprim::grid_reduce: BlockSize must be a multiple of 32");
  detail::expects(gridDim.y == 1 && gridDim.z == 1, "gpuprim::grid_reduce: the grid must have one dimension",
                  here);
  value = gpuprim::block_reduce<BlockSize>(block, value, op, here);
  detail::grid_join_groups<BlockSize>(block, value, op, state, finish, arrival);
}

/// Counts the block in at once, then reduces. See the overload with an arrival.
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish,
                                            detail::call_site here = detail::call_site::current()) {
  grid_arrival arrival;
  if (block.thread_rank() == 0) arrival = gpuprim::arrive(state);
  gpuprim::grid_reduce<BlockSize>(block, value, op, state, finish, arrival, here);
}

}  // namespace gpuprim
