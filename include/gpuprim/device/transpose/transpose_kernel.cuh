// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Transpositions of matrices whose elements are no more than bytes: a kernel serves all types of one size.
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/common/packets.cuh>
#include <gpuprim/ptx/sm_90.cuh>

#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// A transposition by tiles. `in` and `out` are the same where it is in place.
struct transpose_pass {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t rows, columns;          ///< of the input
  std::int64_t in_stride, out_stride;  ///< bytes from row to row
  int step = 0;                        ///< rows of the input from one tile to the next
  int before = 0;                      ///< rows that a tile has in common with the tile before
  unsigned tile_rows = 0;
  unsigned band = 0, band_tiles = 0;  ///< rows of tiles that blocks go along together, and the tiles in them

  __host__ __device__ bool is_in_place() const { return in == out; }
  __host__ __device__ int rows_of_tile() const { return step + before; }
};

/// A tile of the input, by its first row and column. The first tiles begin `pass.before` rows before the matrix.
struct matrix_tile {
  std::int64_t row, column;
  int top, height, width;  ///< rows from `top` to before `height`, and columns before `width`, are in the matrix
  bool is_last;            ///< of its columns

  __device__ __forceinline__ matrix_tile(const transpose_pass& pass, int columns, std::int64_t first_row,
                                         std::int64_t first_column)
      : row(first_row), column(first_column) {
    const std::int64_t rows_left = pass.rows - row, columns_left = pass.columns - column;
    is_last = rows_left <= pass.rows_of_tile();
    top = row < 0 ? int(-row) : 0;
    height = is_last ? int(rows_left) : pass.rows_of_tile();
    width = columns_left < columns ? int(columns_left) : columns;
  }
};

/// Transposes the tile of the block, and in place the one that it trades places with, too: `load` brings a tile to
/// shared memory and `store` takes it out. Blocks go down the rows of a band, then to the next column of tiles.
template <class Buffer, class Load, class Store>
__device__ __forceinline__ void transpose_tile(const transpose_pass& pass, const Load& load, const Store& store) {
  auto* const bytes = gpuprim::dynamic_shared<unsigned char>();
  Buffer& own = *reinterpret_cast<Buffer*>(bytes);
  Buffer& other = *reinterpret_cast<Buffer*>(bytes + Buffer::bytes_in_place / 2);
  const unsigned band = blockIdx.x / pass.band_tiles, in_band = blockIdx.x % pass.band_tiles;
  const unsigned first = band * pass.band, left = pass.tile_rows - first, height = left < pass.band ? left : pass.band;
  const std::int64_t row = std::int64_t(first + in_band % height) * pass.step - pass.before;
  const std::int64_t column = std::int64_t(in_band / height) * Buffer::columns;
  ptx::wait_for_previous_grid();
  const bool trades = pass.is_in_place() && row != column;
  if (trades && row > column) return;  // another block has both tiles
  const matrix_tile tile(pass, Buffer::columns, row, column);
  load(own, tile);
  if (trades) load(other, matrix_tile(pass, Buffer::columns, column, row));
  this_block::sync();
  store(own, tile);
  if (trades) store(other, matrix_tile(pass, Buffer::columns, column, row));
}

/// What memory writes at once. To write a part of a sector it has to read the sector first.
inline constexpr int sector_bytes = 32;

/// Bytes of a row, counted from where the row of a tile begins.
struct byte_span {
  int begin, end;
};

/// Bytes from a boundary of so many bytes to a place.
template <int Bytes>
__device__ __forceinline__ int bytes_past(const unsigned char* place) {
  return int(reinterpret_cast<std::uintptr_t>(place) % Bytes);
}

/// What a tile writes of a row of the output: whole sectors, but at the ends of the row, and in place. The bytes of the
/// last sector that it has no rows for belong to the next tile, which has these rows too.
template <int Element>
__device__ __forceinline__ byte_span find_written(const transpose_pass& pass, const matrix_tile& tile,
                                                  const unsigned char* to) {
  const int past = detail::bytes_past<sector_bytes>(to);
  const auto round_down = [&](int rows) { return ((past + rows * Element) & -sector_bytes) - past; };
  return {pass.before > 0 && tile.top == 0 ? round_down(pass.before) : tile.top * Element,
          pass.before > 0 && !tile.is_last ? round_down(tile.height) : tile.height * Element};
}

/// Calls `action` with every `Step`-th element, from the `first`-th on, of those that are in `all` but in none of the
/// whole words of `spans`, of which byte 0 lies `past` bytes from a boundary of words.
template <int Word, int Element, int Step, class Action>
__device__ __forceinline__ void for_ragged(byte_span all, byte_span spans, int past, int first, const Action& action) {
  const auto bound = [](int place, int least, int most) { return place < least ? least : place < most ? place : most; };
  const int begin = bound(((past + spans.begin + Word - 1) & -Word) - past, all.begin, all.end);
  const int end = bound(((past + spans.end) & -Word) - past, begin, all.end);
  const int head = (begin - all.begin) / Element, count = head + (all.end - end) / Element;
  for (int k = first; k < count; k += Step) action(k < head ? all.begin / Element + k : end / Element + k - head);
}

/// Elements of any size, moved one by one in `Parts` words of `Word` bytes. A warp takes every eighth row. There are
/// twice as many rows as columns, so that fewer of them are read twice, and in place two tiles fit where else one does.
template <int Word, int Parts>
struct element_tile {
  static constexpr int block_size = 256, warps = block_size / warp_size, bytes = Word * Parts;
  static constexpr int least_blocks = Parts < 3 ? 4 : 3;  ///< that registers leave room for
  static constexpr int most_bytes = 34 * 1024;
  static constexpr int find_columns() {
    int columns = bytes < 8 ? 64 : 32;
    while (columns > 1 && 2 * columns * (columns + 1) * bytes > most_bytes) columns /= 2;
    return columns;
  }
  static constexpr int columns = find_columns(), rows = 2 * columns;
  static constexpr int before = (sector_bytes - Word - 1) / bytes + 1;  ///< rows that may share a sector with the next
  static_assert(before < rows);
  /// Rows in shared memory are longer by an element, so that a column lies in all banks.
  static constexpr int row_words = columns * Parts, pitch = row_words + Parts;
  using type = word<Word>;
  type words[rows * pitch];
  static constexpr int bytes_in_place = int(sizeof(words));  ///< of two tiles of as many rows as columns
};

template <class Tile>
__global__ void __launch_bounds__(Tile::block_size, Tile::least_blocks) transpose_elements_kernel(transpose_pass pass) {
  using type = typename Tile::type;
  constexpr int word_bytes = int(sizeof(type)), warps = Tile::warps, parts = Tile::row_words / Tile::columns;
  constexpr int across = (Tile::row_words + warp_size - 1) / warp_size;
  constexpr int written_across = (Tile::rows * parts + warp_size - 1) / warp_size;
  constexpr int words_ahead = 24;  // loads that a thread has in flight at most, if a row does not take more
  constexpr int fitting = across < words_ahead ? words_ahead / across : 1, ahead = fitting < 8 ? fitting : 8;
  [[maybe_unused]] constexpr int columns_ahead = written_across < 8 ? 4 : 1;
  ptx::let_next_grid_start();
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
  // Lanes behind the end read the last word, and rows outside the matrix are the nearest one: a load with a condition
  // of its own needs a predicate until its word is stored, and there are not enough for so many loads in flight.
  const auto load = [&](Tile& to, const matrix_tile& tile) {
    const unsigned char* const from = pass.in + tile.row * pass.in_stride + tile.column * Tile::bytes;
    const int last_word = tile.width * parts - 1;
#pragma unroll 1
    for (int first = warp; first < tile.height; first += ahead * warps) {
      type loaded[ahead][across];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const int wanted = first + k * warps, high = wanted > tile.top ? wanted : tile.top;
        const int row = high < tile.height ? high : tile.height - 1;
        const auto* const words = reinterpret_cast<const type*>(from + row * pass.in_stride);
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const int i = j * warp_size + lane;
          loaded[k][j] = words[i < last_word ? i : last_word];
        }
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const int row = first + k * warps, i = j * warp_size + lane;
          if (row < tile.height && i < Tile::row_words) to.words[row * Tile::pitch + i] = loaded[k][j];
        }
      }
    }
  };
  const auto store = [&](const Tile& from, const matrix_tile& tile) {
    unsigned char* to = pass.out + (tile.column + warp) * pass.out_stride + tile.row * Tile::bytes;
#pragma unroll columns_ahead
    for (int column = warp; column < tile.width; column += warps) {
      const byte_span written = detail::find_written<Tile::bytes>(pass, tile, to);
      const int begin = written.begin / word_bytes + lane, end = written.end / word_bytes;
#pragma unroll
      for (int j = 0; j < written_across; ++j) {
        const int i = begin + j * warp_size;
        if (i < end) {
          reinterpret_cast<type*>(to)[i] = from.words[i / parts * Tile::pitch + column * parts + i % parts];
        }
      }
      to += warps * pass.out_stride;
    }
  };
  detail::transpose_tile<Tile>(pass, load, store);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
