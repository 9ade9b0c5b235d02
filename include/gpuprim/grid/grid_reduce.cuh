// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/grid/grid_arrival.cuh>
#include <gpuprim/grid/mailbox.cuh>

#include <bit>

namespace gpuprim::detail {

/// Long values of other blocks, gathered in shared memory by the block that joins them. Neighbouring threads load
/// neighbouring words, which is coalesced; threads that loaded whole values would each touch cache lines of their own.
/// One warp then joins the values, because most warps would shuffle all words of no value.
template <class T>
struct gathered_mail {
  using box = mailbox<T>;
  using columns = block_columns<T, 1>;
  // Shared memory that columns leave, less what the kernel itself has.
  static constexpr int room_bytes = most_static_shared_bytes - most_columns_bytes - 128;
  static constexpr int room = room_bytes / columns::stride, most = room < 1 ? 1 : room < 160 ? room : 160;
  static constexpr unsigned padded_words = std::bit_ceil(unsigned(box::words));

  block_columns<T, most> values;

  /// Takes what `count` blocks have mailed, but for the one of number `own`. All threads of a block call it, which has
  /// a barrier before it reads the values. All senders must be running or done.
  template <int BlockSize>
  __device__ __forceinline__ void receive(box* boxes, unsigned count, unsigned own, unsigned rank) {
    // A power of two that divides the block, so that no word is taken twice.
    constexpr unsigned divisor = BlockSize & -BlockSize, lanes = padded_words < divisor ? padded_words : divisor;
    constexpr unsigned step = BlockSize / lanes;
    constexpr int batch = 8;  // that are on their way at once
    for (unsigned word = rank % lanes; __any_sync(0xffffffffu, word < box::words); word += lanes) {
      for (unsigned at = rank / lanes; __any_sync(0xffffffffu, at < count); at += batch * step) {
        typename box::word_box got[batch] = {};
        bool is_wanted[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
          const unsigned i = at + k * step;
          is_wanted[k] = word < box::words && i < count && i != own;
        }
        const auto box_at = [&](int k) -> auto& { return boxes[at + k * step].of_word(word); };
        box::word_box::look_at_all(got, box_at, [&](int k) { return is_wanted[k]; });
#pragma unroll
        for (int k = 0; k < batch; ++k) {
          if (!is_wanted[k]) continue;
          const std::uint32_t own_word = got[k].value();
          std::memcpy(values.bytes + (at + k * step) * columns::stride + 4 * word, &own_word, 4);
          box_at(k).empty();
        }
      }
    }
  }

  /// Joins the first `count` values in their order. All lanes of a warp call it; lane 0 gets the result.
  template <class Op>
  __device__ __forceinline__ T join(unsigned lane, unsigned count, const Op& op) {
    const unsigned run = (count + warp_size - 1) / warp_size, begin = lane * run;
    T total = values[begin < count ? begin : 0];
    for (unsigned i = begin + 1; i < begin + run; ++i) {
      if (i < count) total = op(total, values[i]);
    }
    return warp_reduce_first<warp_size>(warp_tile<warp_size>{}, total, op, int((count + run - 1) / run));
  }
};

}  // namespace gpuprim::detail

namespace gpuprim {

/// What the blocks of one grid share: a counter of the blocks that have arrived, and a mailbox for each block's value.
/// All of it must be zero before the first use, and is zero again after each; concurrent grids need a state each.
template <class T>
struct grid_reduce_state {
  unsigned* arrivals;
  detail::mailbox<T>* mailboxes;
};

/// Bytes behind a `grid_reduce_state<T>` for a grid of up to `blocks` blocks.
template <class T>
GPUPRIM_HOST_DEVICE constexpr std::int64_t grid_reduce_bytes(std::int64_t blocks) {
  return 64 + blocks * std::int64_t(sizeof(detail::mailbox<T>));
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
  grid_arrival own;
  if (gridDim.x > 1) own.blocks_before = atomicInc(state.arrivals, gridDim.x - 1);
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

/// Joins the values that the blocks' rank 0 bring; see grid_reduce.
template <int BlockSize, join_memory Memory = join_memory::little, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_join_blocks(const Block& block, const T& value, const Op& op,
                                                 const grid_reduce_state<T>& state, Finish finish,
                                                 grid_arrival arrival) {
  constexpr bool has_room = Memory == join_memory::all_left;
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
    else if (!has_room || !gathers_mail<T>) own_mail = mailbox<T>::with(value);
  }
  block.sync();
  if (!joins) return;
  T total = value;
  if constexpr (has_room && gathers_mail<T>) {
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
    // Each thread joins a run of neighbouring blocks, then the block joins the runs: the order is kept throughout.
    const int run = (blocks + BlockSize - 1) / BlockSize;
    if constexpr (has_identity<Op, T>) total = static_cast<T>(identity_element<Op, T>::value());
    for (int k = 0; k < run; ++k) {
      const int i = rank * run + k;
      // A choice between mails: nvcc 12.4 never ends where 128-bit integers are chosen between.
      mailbox<T> mail[1] = {};
      if (i == own_index) mail[0] = own_mail;
      mailbox<T>::look_at_all(mail, [&](int) -> auto& { return state.mailboxes[i]; }, [&](int) { return i < blocks; });
      if (i < blocks && i != own_index) state.mailboxes[i].empty();
      const T next = mail[0].value();
      if (i < blocks) total = has_identity<Op, T> || k > 0 ? op(total, next) : next;
    }
    if constexpr (has_room && joins_columns<BlockSize, T, Op>) {
      total = detail::block_reduce_columns<BlockSize>(block, total, op);
    } else if constexpr (has_identity<Op, T>) {
      total = gpuprim::block_reduce<BlockSize>(block, total, op);
    } else {
      total = gpuprim::block_reduce<BlockSize>(block, total, op, (blocks + run - 1) / run);
    }
  }
  if (rank == 0) finish(total);
}

}  // namespace detail

/// Reduces the values of all threads of a grid in one launch: every block mails its value to the block that arrived
/// last, which joins them in block order and calls `finish(total)` in exactly one thread of the grid.
///
/// The last block to arrive knows that all others have started, so that waiting for them cannot deadlock, however few
/// blocks fit on the GPU at once.
///
/// @pre   Called by all threads of all blocks of a one-dimensional grid, once a launch for a state; `arrival`,
///        what `arrive(state)` gave, counts in rank 0 of each block; a block has BlockSize threads, a multiple of 32.
///        No cooperative launch is needed.
/// @sync  block barriers. Nothing but the values passes between blocks: other writes of a block are not ordered.
/// @order kept: blocks by blockIdx.x, threads by rank. The result does not depend on which block is last.
/// @cost  block_reduce, one atomic and one 8-byte store for each 4 bytes of T a block; the last block reads and clears
///        gridDim.x mailboxes.
/// @return nothing; `finish` gets op over the values of all threads.
/// @source Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016 (flags that travel
///         with the value).
/// @example examples/03_grid.cu
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish, grid_arrival arrival) {
  detail::check_block_arguments<BlockSize, Block, T, Op>();
  static_assert(BlockSize > 0 && BlockSize % warp_size == 0,
                "gpuprim::grid_reduce: BlockSize must be a multiple of 32");
  detail::expects(gridDim.y == 1 && gridDim.z == 1, "gpuprim::grid_reduce: the grid must have one dimension");
  value = gpuprim::block_reduce<BlockSize>(block, value, op);
  detail::grid_join_blocks<BlockSize>(block, value, op, state, finish, arrival);
}

/// Counts the block in at once, then reduces. See the overload with an arrival.
template <int BlockSize, class Block, class T, class Op, class Finish>
__device__ __forceinline__ void grid_reduce(const Block& block, T value, const Op& op, grid_reduce_state<T> state,
                                            Finish finish) {
  grid_arrival arrival;
  if (block.thread_rank() == 0) arrival = gpuprim::arrive(state);
  gpuprim::grid_reduce<BlockSize>(block, value, op, state, finish, arrival);
}

}  // namespace gpuprim
