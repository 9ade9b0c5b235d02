// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/thread/thread_reduce.cuh>
#include <gpuprim/warp/warp_reduce.cuh>

// The reduce of a block of whole warps, where every thread has a value: most put theirs into shared memory, and the
// first warp or two add up. One warp shuffles instead of all, and a shared load carries 16 bytes. Small values come in
// rows, which keep the order, or in columns; long ones in columns.
namespace gpuprim::detail {

/// Whether the caller is in the first warps: true for all of a warp, or for none of it. The vote makes that known to
/// the compiler, which would otherwise add code for diverged warps.
template <int Warps = 1, class Block>
__device__ __forceinline__ bool is_in_first_warps(const Block& block) {
  return __all_sync(0xffffffffu, block.thread_rank() < unsigned(Warps * warp_size));
}

/// Values of a block in rank order, one chunk for each lane of the first warp. A row of chunks ends in 16 unused bytes,
/// so that neither the stores of threads nor the loads of lanes have bank conflicts.
template <class T, int Warps>
struct block_rows {
  static constexpr int chunk_bytes = Warps * int(sizeof(T));
  static constexpr int lowest_bit = chunk_bytes & -chunk_bytes;
  static constexpr int load_bytes = lowest_bit < 16 ? lowest_bit : 16;
  static constexpr int chunks_in_row = chunk_bytes < 128 ? 128 / chunk_bytes : 1;
  static constexpr int row_bytes = chunks_in_row * chunk_bytes + 16;
  static constexpr int rows = (warp_size + chunks_in_row - 1) / chunks_in_row;

  struct alignas(load_bytes) chunk {
    uninitialized_array<T, Warps> values;
  };

  alignas(16) unsigned char bytes[rows * row_bytes];

  __device__ T& of_thread(unsigned rank) {
    constexpr unsigned threads = chunks_in_row * Warps;
    return *reinterpret_cast<T*>(bytes + rank / threads * row_bytes + rank % threads * unsigned(sizeof(T)));
  }
  __device__ const chunk& of_lane(unsigned lane) const {
    return *reinterpret_cast<const chunk*>(bytes + lane / chunks_in_row * row_bytes +
                                           lane % chunks_in_row * chunk_bytes);
  }
};

/// Keeps the order: a lane adds up the values of neighbouring threads.
template <int BlockSize, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce_rows(const Block& block, T value, const Op& op) {
  using rows = block_rows<T, BlockSize / warp_size>;
  GPUPRIM_SHARED(shared, rows);
  const unsigned rank = unsigned(block.thread_rank());
  bool first = is_in_first_warps(block);
  shared.of_thread(rank) = value;
  block.sync();
  T total = ptx::unspecified(value);
  if (first) {
    const auto mine = shared.of_lane(rank);
    total = gpuprim::thread_reduce(mine.values, op);
  }
  block.sync();  // here the other warps go on while the first one shuffles
  // In a small block the compiler would move a shuffle that is one instruction ahead of that barrier; a vote holds it.
  if constexpr (BlockSize <= 128 && warp_uses_redux<warp_tile<warp_size>, T, Op>) first = is_in_first_warps(block);
  if (first) total = gpuprim::warp_reduce(warp_tile<warp_size>{}, total, op);
  return total;
}

/// Values that threads store and the lanes of one warp load, one warp's values after another's. Long ones are an odd
/// number of 16 bytes apart, so that accesses of 16 bytes have no bank conflicts.
template <class T, int Count>
struct block_columns {
  static constexpr bool are_long = sizeof(T) >= 32 && alignof(T) <= 16;
  static constexpr int stride = are_long ? (int(sizeof(T) + 15) / 16 | 1) * 16 : int(sizeof(T));
  alignas(are_long ? 16 : alignof(T)) unsigned char bytes[Count * stride];

  __device__ T& operator[](unsigned i) { return *reinterpret_cast<T*>(bytes + i * stride); }
};

/// Warps that join the columns. Operators on long values are slow, so that a second warp shortens the critical path:
/// see docs/lab/block_reduce.md, "Figures that stood in the code".
template <int BlockSize, class T>
inline constexpr int column_takers =
    sizeof(T) > 8 && BlockSize > 2 * warp_size && BlockSize % (2 * warp_size) == 0 ? 2 : 1;

/// Bytes of shared memory that block_reduce_columns takes.
template <int BlockSize, class T>
inline constexpr int columns_bytes =
    (BlockSize - column_takers<BlockSize, T> * warp_size) * block_columns<T, 1>::stride + 2 * int(sizeof(T));

/// Most bytes of columns: the rest of a block's shared memory is for the values of other blocks (gathered_mail).
inline constexpr int most_columns_bytes = 35968;

/// Whether a block with room in shared memory joins its values in columns. Long ones are: the cost of a shuffle grows
/// with the words of a value, and two warps then shuffle in place of all.
/// See docs/lab/block_reduce.md, "Figures that stood in the code".
template <int BlockSize, class T, class Op>
inline constexpr bool joins_columns = is_commutative<Op, T> && has_identity<Op, T> && BlockSize > warp_size &&
                                      sizeof(T) > 8 && columns_bytes<BlockSize, T> <= most_columns_bytes;

/// Does not keep the order, but stores and loads less: the first warps keep their values, and a lane adds to its own
/// those of the same lane of other warps.
template <int BlockSize, class Block, class T, class Op>
__device__ __forceinline__ T block_reduce_columns(const Block& block, T value, const Op& op) {
  constexpr int takers = column_takers<BlockSize, T>;
  constexpr unsigned taken = takers * warp_size;
  using columns = block_columns<T, BlockSize - taken>;
  GPUPRIM_SHARED(shared, columns);
  GPUPRIM_SHARED(totals, shared_array<T, takers>);
  const unsigned rank = unsigned(block.thread_rank());
  const bool takes = is_in_first_warps<takers>(block);
  if (!takes) shared[rank - taken] = value;
  block.sync();
  if (takes) {
#pragma unroll
    for (unsigned first = 0; first < BlockSize - taken; first += taken) value = op(value, shared[first + rank]);
    value = gpuprim::warp_reduce(warp_tile<warp_size>{}, value, op);
    if (takers > 1 && rank % warp_size == 0) totals[rank / warp_size] = value;
  }
  block.sync();
  if (takers > 1 && rank == 0) value = op(value, totals[1]);
  return value;
}

/// Whether values that are small enough for rows are joined in columns: those of two words, and those whose chunk would
/// be at most one load, unless the last step is one instruction. See docs/lab/block_reduce.md.
template <int BlockSize, class T, class Op>
inline constexpr bool reduces_columns =
    BlockSize > warp_size && BlockSize % warp_size == 0 && sizeof(T) <= 8 && is_commutative<Op, T> &&
    !warp_uses_redux<warp_tile<warp_size>, T, Op> && (sizeof(T) > 4 || BlockSize <= 128);

/// A chunk fits in 32 registers: more could not be held by each of 1024 threads.
template <int BlockSize, class T>
inline constexpr bool reduces_rows =
    BlockSize > warp_size && BlockSize % warp_size == 0 && sizeof(T) <= 8 && BlockSize / warp_size * sizeof(T) <= 128;

}  // namespace gpuprim::detail
