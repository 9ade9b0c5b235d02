// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Transpositions of matrices with few rows or few columns. One of the two matrices has short rows without gaps, as an
// array of structs has, and the other a few long rows, as a struct of arrays has.
#include <gpuprim/device/transpose/transpose_kernel.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The matrix that has the short rows.
enum class short_rows { of_input, of_output };

struct thin_pass : transpose_pass {
  int width = 0;              ///< elements of a short row, and long rows
  int line_shift = 0;         ///< log2 of the bytes of a line in shared memory
  unsigned row_words = 0;     ///< words of a long row in a tile at most, two at least
  unsigned word_inverse = 0;  ///< 2^32 over `row_words`, rounded up
};

/// A tile has whole short rows, which lie in shared memory as they do in memory, but for a bank of room behind each
/// line. Elements have `Parts` pieces of `Piece` bytes. Words of 16 bytes are moved, and pieces at the ends of rows.
template <int Piece, int Parts>
struct thin_tile {
  static constexpr int block_size = 256, most_bytes = 16 * 1024;
  static constexpr int bytes = Piece * Parts, parts = Parts, pieces = load_bytes / Piece;  ///< pieces of a word
  static constexpr int bank_bytes = Piece < 4 ? 4 : Piece, banks = load_bytes / bank_bytes, least_line_shift = 7;
  static constexpr int before = (sector_bytes - Piece - 1) / bytes + 1;  ///< rows that may share a sector with the next
  /// Rows beside the tile that have a part of the words of its long rows, at either end.
  static constexpr int beside = (load_bytes - Piece + bytes - 1) / bytes;
  static constexpr int step_unit = sector_bytes / Piece;  ///< rows that are whole sectors of both matrices
  using piece = word<Piece>;
  using bank = word<bank_bytes>;
  bank room[most_bytes / bank_bytes + (most_bytes >> least_line_shift)];

  /// Rows from one tile to the next at most; 0 if they are too long.
  static std::int64_t find_most(std::int64_t width) {
    const std::int64_t rows = (most_bytes - 3 * load_bytes) / (width * bytes) - 2 * beside - before;
    return rows < step_unit ? 0 : rows / step_unit * step_unit;
  }
};

/// A thread of a block that transposes a tile. Byte 0 of the short rows is that of row `first`, and byte 0 of a long
/// row is that of its element in row `first`.
template <class Tile, short_rows Of>
struct thin_worker {
  using piece = typename Tile::piece;
  using bank = typename Tile::bank;
  static constexpr bool is_input = Of == short_rows::of_input;
  static constexpr int block_size = Tile::block_size, bytes = Tile::bytes, pieces = Tile::pieces, parts = Tile::parts;
  static constexpr int piece_bytes = bytes / parts, ahead = 4;  ///< words that a thread has in flight

  const thin_pass& pass;
  Tile& tile_room;
  int rank = int(threadIdx.x), row_bytes = pass.width * bytes;
  std::int64_t first = std::int64_t(blockIdx.x) * pass.step - pass.before;
  matrix_tile tile{pass, is_input ? pass.width : pass.step, is_input ? first : 0, is_input ? 0 : first};
  const unsigned char* from = pass.in + first * (is_input ? row_bytes : bytes);
  unsigned char* to = pass.out + first * (is_input ? bytes : row_bytes);
  int past = detail::bytes_past<load_bytes>(is_input ? from : to);
  /// Bytes of shared memory before byte 0 of the short rows.
  int lead = (Tile::beside * row_bytes + load_bytes - 1) / load_bytes * load_bytes + past;

  __device__ __forceinline__ unsigned char* room_of(int byte) const {
    const unsigned at = unsigned(lead + byte);
    return reinterpret_cast<unsigned char*>(tile_room.room) + at + (at >> pass.line_shift) * Tile::bank_bytes;
  }
  __device__ __forceinline__ piece& short_piece(int i) const {
    return *reinterpret_cast<piece*>(room_of(i * piece_bytes));
  }
  __device__ __forceinline__ piece& long_piece(int row, int i) const {
    const int at = i + Tile::beside * parts;  // not negative
    const int short_row = int(unsigned(at) / parts) - Tile::beside, part = int(unsigned(at) % parts);
    return *reinterpret_cast<piece*>(room_of(short_row * row_bytes + row * bytes + part * piece_bytes));
  }
  /// Calls `action(long row, k)` for pieces `k` of `all` that are in no whole word of `spans`, of each long row.
  template <class Row, class All, class Spans, class Action>
  __device__ __forceinline__ void for_row_ends(const Row& row_at, const All& all, const Spans& spans,
                                               const Action& action) const {
    for (int i = rank; i < pass.width * pieces; i += block_size) {
      const int row = i / pieces;
      const int row_past = detail::bytes_past<load_bytes>(row_at(row));
      detail::for_ragged<load_bytes, piece_bytes, pieces>(all(row), spans(row), row_past, i % pieces,
                                                          [&](int at) { action(row, at); });
    }
  }
  /// The words of a tile that begin before its first row, or end behind its last one, are read too, if they lie in the
  /// matrix.
  __device__ __forceinline__ void load_short() const {
    const byte_span own{tile.top * row_bytes, tile.height * row_bytes};
    const std::int64_t left = (pass.rows - first) * row_bytes;
    const byte_span read{first * row_bytes >= past ? -past : own.begin,
                         left < own.end + load_bytes ? int(left) : own.end + load_bytes};
    const int begin = (past + read.begin + load_bytes - 1) / load_bytes * load_bytes - past;
    const int words = (read.end - begin) / load_bytes;
    for (int i = rank; i < words; i += ahead * block_size) {
      uint4 loaded[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const int wanted = i + k * block_size;
        loaded[k] = reinterpret_cast<const uint4*>(from + begin)[wanted < words ? wanted : words - 1];
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        if (i + k * block_size >= words) continue;
        bank banks[Tile::banks];
        std::memcpy(banks, &loaded[k], load_bytes);
        auto* const room = reinterpret_cast<bank*>(room_of(begin + (i + k * block_size) * load_bytes));
#pragma unroll
        for (int j = 0; j < Tile::banks; ++j) room[j] = banks[j];
      }
    }
    detail::for_ragged<load_bytes, piece_bytes, block_size>(
        own, read, past, rank, [&](int i) { short_piece(i) = reinterpret_cast<const piece*>(from)[i]; });
  }
  __device__ __forceinline__ void store_short() const {
    const byte_span written{0, tile.width * row_bytes};
    const int begin = (past + load_bytes - 1) / load_bytes * load_bytes - past;
#pragma unroll 4
    for (int at = begin + rank * load_bytes; at + load_bytes <= written.end; at += block_size * load_bytes) {
      bank banks[Tile::banks];
      const auto* const room = reinterpret_cast<const bank*>(room_of(at));
#pragma unroll
      for (int j = 0; j < Tile::banks; ++j) banks[j] = room[j];
      uint4 whole;
      std::memcpy(&whole, banks, load_bytes);
      *reinterpret_cast<uint4*>(to + at) = whole;
    }
    detail::for_ragged<load_bytes, piece_bytes, block_size>(
        written, written, past, rank, [&](int i) { reinterpret_cast<piece*>(to)[i] = short_piece(i); });
  }
  /// A word that begins or ends outside the tile is taken too, if it lies in the row: its elements that are not the
  /// tile's come to rows beside it.
  __device__ __forceinline__ void load_long() const {
    const byte_span own{0, tile.width * bytes};
    const std::int64_t left = (pass.columns - first) * bytes;
    const byte_span read{first > 0 ? -load_bytes : 0,
                         left < own.end + load_bytes - 1 ? int(left) : own.end + load_bytes - 1};
    for (unsigned t = unsigned(rank); t < unsigned(pass.width) * pass.row_words; t += ahead * block_size) {
      uint4 loaded[ahead];
      int rows[ahead], at[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const unsigned i = t + unsigned(k * block_size);
        rows[k] = int(__umulhi(i, pass.word_inverse));
        const unsigned char* const row = from + rows[k] * pass.in_stride;
        at[k] = int(i - unsigned(rows[k]) * pass.row_words) * load_bytes - detail::bytes_past<load_bytes>(row);
        if (rows[k] >= pass.width || at[k] < read.begin || at[k] + load_bytes > read.end) rows[k] = -1;
        if (rows[k] >= 0) loaded[k] = *reinterpret_cast<const uint4*>(row + at[k]);
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        if (rows[k] < 0) continue;
        piece packed[pieces];
        std::memcpy(packed, &loaded[k], load_bytes);
#pragma unroll
        for (int j = 0; j < pieces; ++j) long_piece(rows[k], at[k] / piece_bytes + j) = packed[j];
      }
    }
    if (0 > read.begin && left > read.end) return;
    const auto row_at = [&](int row) { return from + row * pass.in_stride; };
    for_row_ends(
        row_at, [&](int) { return own; }, [&](int) { return read; },
        [&](int row, int i) { long_piece(row, i) = reinterpret_cast<const piece*>(row_at(row))[i]; });
  }
  __device__ __forceinline__ void store_long() const {
    const auto row_at = [&](int row) { return to + row * pass.out_stride; };
    for (unsigned t = unsigned(rank); t < unsigned(pass.width) * pass.row_words; t += block_size) {
      const int row = int(__umulhi(t, pass.word_inverse)), word = int(t - unsigned(row) * pass.row_words);
      unsigned char* const row_to = row_at(row);
      const byte_span written = detail::find_written<bytes>(pass, tile, row_to);
      const int row_past = detail::bytes_past<load_bytes>(row_to);
      const int at = ((row_past + written.begin + load_bytes - 1) & -load_bytes) - row_past + word * load_bytes;
      if (at + load_bytes > written.end) continue;
      piece packed[pieces];
#pragma unroll
      for (int k = 0; k < pieces; ++k) packed[k] = long_piece(row, at / piece_bytes + k);
      uint4 whole;
      std::memcpy(&whole, packed, load_bytes);
      *reinterpret_cast<uint4*>(row_to + at) = whole;
    }
    if (tile.top == 0 && !tile.is_last) return;
    const auto written = [&](int row) { return detail::find_written<bytes>(pass, tile, row_at(row)); };
    for_row_ends(row_at, written, written,
                 [&](int row, int i) { reinterpret_cast<piece*>(row_at(row))[i] = long_piece(row, i); });
  }
};

template <class Tile, short_rows Of>
__global__ void __launch_bounds__(Tile::block_size, most_resident_threads / Tile::block_size)
    transpose_thin_kernel(thin_pass pass) {
  GPUPRIM_SHARED(room, Tile);
  ptx::let_next_grid_start();
  const thin_worker<Tile, Of> self{pass, room};
  ptx::wait_for_previous_grid();
  if constexpr (Of == short_rows::of_input) self.load_short();
  else self.load_long();
  this_block::sync();
  if constexpr (Of == short_rows::of_input) self.store_long();
  else self.store_short();
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
