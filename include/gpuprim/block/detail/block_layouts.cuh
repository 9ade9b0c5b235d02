// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/cuda_compiler.cuh>
#include <gpuprim/core/uninitialized.hpp>

// How the values of a block lie in shared memory.
namespace gpuprim::inline v0_2_0::detail {

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

/// Values that threads store and the lanes of one warp load, one warp's values after another's. Long ones are an odd
/// number of 16 bytes apart, so that accesses of 16 bytes have no bank conflicts.
template <class T, int Count>
struct block_columns {
  static constexpr bool are_long = sizeof(T) >= 32 && alignof(T) <= 16;
  static constexpr int stride = are_long ? (int(sizeof(T) + 15) / 16 | 1) * 16 : int(sizeof(T));
  alignas(are_long ? 16 : alignof(T)) unsigned char bytes[Count * stride];

  __device__ T& operator[](unsigned i) { return *reinterpret_cast<T*>(bytes + i * stride); }
};

/// A value of each warp of a block, and one for all threads. Types of their own have static memory of their own, which
/// storage_of gives them.
template <class T, int Warps>
struct joined_values : shared_array<T, Warps> {};
template <class T>
struct broadcast_value : shared_array<T, 1> {};

/// Warps that join the columns. Operators on long values are slow, so that a second warp shortens the critical path:
/// see docs/lab/block_reduce.md, "Figures that stood in the code".
template <int BlockSize, class T>
inline constexpr int column_takers =
    sizeof(T) > 8 && (BlockSize > 2 * warp_size) && BlockSize % (2 * warp_size) == 0 ? 2 : 1;

/// Bytes of shared memory that block_reduce_columns takes.
template <int BlockSize, class T>
inline constexpr int columns_bytes =
    (BlockSize - column_takers<BlockSize, T> * warp_size) * block_columns<T, 1>::stride + 2 * int(sizeof(T));

/// Most bytes of columns: the rest of a block's shared memory is for the values of other blocks (gathered_mail).
inline constexpr int most_columns_bytes = 35968;

}  // namespace gpuprim::detail
