// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Transpositions of matrices whose elements are no more than bytes: a kernel serves all types of one size.
#include <gpuprim/core/groups.cuh>
#include <gpuprim/core/shared.cuh>
#include <gpuprim/device/transform/packets.cuh>
#include <gpuprim/policy/transform_policy.hpp>
#include <gpuprim/ptx/sm_90.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_1_0::detail {

/// A transposition by tiles of tile x tile elements. `in` and `out` are the same where it is in place.
struct transpose_pass {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t rows, columns;          ///< of the input
  std::int64_t in_stride, out_stride;  ///< bytes from row to row
  unsigned tile_rows;
  unsigned band, band_tiles;  ///< rows of tiles that blocks go along together, and the tiles in them

  bool is_in_place() const { return in == out; }
};

/// A tile, by its first row and column.
struct tile_corner {
  std::int64_t row, column;
};

/// The tile of the calling block: down the rows of a band, then to the next column of tiles.
__device__ __forceinline__ tile_corner find_tile(const transpose_pass& pass, int tile) {
  const unsigned band = blockIdx.x / pass.band_tiles, in_band = blockIdx.x % pass.band_tiles;
  const unsigned first = band * pass.band, left = pass.tile_rows - first, height = left < pass.band ? left : pass.band;
  return {std::int64_t(first + in_band % height) * tile, std::int64_t(in_band / height) * tile};
}

/// Transposes the tile of the block, and in place the one that it trades places with, too: `load` brings a tile to
/// shared memory and `store` takes it out.
template <class Buffer, class Load, class Store>
__device__ __forceinline__ void transpose_tile(const transpose_pass& pass, int tile, const Load& load,
                                               const Store& store) {
  auto* const buffers = gpuprim::dynamic_shared<Buffer>();
  const tile_corner at = find_tile(pass, tile), across{at.column, at.row};
  ptx::wait_for_previous_grid();
  const bool trades = pass.in == pass.out && at.row != at.column;
  if (trades && at.row > at.column) return;  // another block has both tiles
  load(buffers[0], at);
  if (trades) load(buffers[1], across);
  this_block::sync();
  store(buffers[0], across);
  if (trades) store(buffers[1], at);
}

/// Elements of any size, moved one by one in `Parts` words of `Word` bytes. A warp takes every eighth row.
template <int Word, int Parts>
struct element_tile {
  static constexpr int block_size = 256, warps = block_size / warp_size, bytes = Word * Parts;
  static constexpr int most_bytes = 34 * 1024;
  static constexpr int find_width() {
    int width = bytes == 1 ? 128 : bytes <= 4 ? 64 : 32;
    while (width > 1 && width * (width + 1) * bytes > most_bytes) width /= 2;
    return width;
  }
  /// Rows and columns. Rows in shared memory are longer by an element, so that a column lies in all banks.
  static constexpr int width = find_width();
  static constexpr int row_words = width * Parts, pitch = row_words + Parts;
  static constexpr int words_of_lane = (row_words + warp_size - 1) / warp_size;
  static constexpr int rows_of_warp = (width + warps - 1) / warps;
  using type = word<Word>;
  type words[width * pitch];
};

/// Rows of a tile, and words of a row.
struct tile_extent {
  int height, length;
};
template <class Tile>
__device__ __forceinline__ tile_extent find_extent(std::int64_t rows, std::int64_t columns) {
  const int height = rows < Tile::width ? int(rows) : Tile::width;
  const int width = columns < Tile::width ? int(columns) : Tile::width;
  return {height, width * (Tile::row_words / Tile::width)};
}

template <int Word, int Parts>
__global__ void __launch_bounds__(element_tile<Word, Parts>::block_size)
    transpose_elements_kernel(transpose_pass pass) {
  using buffer = element_tile<Word, Parts>;
  using type = typename buffer::type;
  constexpr int warps = buffer::warps, across = buffer::words_of_lane, down = buffer::rows_of_warp;
  constexpr int words_ahead = 16;  // loads that a thread has in flight, if a row does not take more
  constexpr int fitting = across < words_ahead ? words_ahead / across : 1, ahead = fitting < down ? fitting : down;
  ptx::let_next_grid_start();
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
  const auto load = [&](buffer& to, const tile_corner& at) {
    const auto [height, length] = detail::find_extent<buffer>(pass.rows - at.row, pass.columns - at.column);
    const unsigned char* from = pass.in + (at.row + warp) * pass.in_stride + at.column * buffer::bytes;
#pragma unroll 1
    for (int first = warp; first < buffer::width; first += ahead * warps) {
      type loaded[ahead][across];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const int i = j * warp_size + lane;
          if (first + k * warps < height && i < length) loaded[k][j] = reinterpret_cast<const type*>(from)[i];
        }
        from += warps * pass.in_stride;
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
#pragma unroll
        for (int j = 0; j < across; ++j) {
          const int row = first + k * warps, i = j * warp_size + lane;
          if (row < height && i < length) to.words[row * buffer::pitch + i] = loaded[k][j];
        }
      }
    }
  };
  const auto store = [&](const buffer& from, const tile_corner& at) {
    const auto [height, length] = detail::find_extent<buffer>(pass.columns - at.row, pass.rows - at.column);
    unsigned char* to = pass.out + (at.row + warp) * pass.out_stride + at.column * buffer::bytes;
#pragma unroll 4
    for (int row = warp; row < height; row += warps) {
#pragma unroll
      for (int j = 0; j < across; ++j) {
        const int i = j * warp_size + lane;
        if (i < length) {
          reinterpret_cast<type*>(to)[i] = from.words[i / Parts * buffer::pitch + row * Parts + i % Parts];
        }
      }
      to += warps * pass.out_stride;
    }
  };
  detail::transpose_tile<buffer>(pass, buffer::width, load, store);
}

/// Short elements in packets of one word: a thread takes as many rows of packets as a packet has elements, and
/// transposes them in registers.
template <int Element, int Word>
struct packet_tile {
  static constexpr int items = Word / Element;  ///< of a packet
  static constexpr int width_packets = Word == 16 && Element > 2 ? 16 : 128 / Word;
  static constexpr int width = width_packets * items;
  static constexpr int squares = width_packets * width_packets;  ///< of items x items elements
  static constexpr int block_size = squares < 256 ? squares : 256;
  static constexpr int least_blocks = squares < 256 ? 1 : Word == 4 ? 3 : 4;  ///< that registers leave room for
  using type = word<Word>;
  type words[width * width_packets];

  /// The packets of a row change places, so that those of the rows that lanes write together lie in all banks.
  __device__ __forceinline__ type& at(int row, int packet) {
    constexpr int bank_line = 128 / Word;
    return words[row * width_packets + (packet ^ (row / items % bank_line))];
  }
};

/// Transposes a square of Items x Items elements, a packet a row.
template <int Element, class Packet, int Items>
__device__ __forceinline__ void transpose_square(Packet (&rows)[Items]) {
  constexpr int words = int(sizeof(Packet)) / 4;
  std::uint32_t from[Items][words], to[Items][words];
  std::memcpy(from, rows, sizeof from);
  if constexpr (Element >= 4) {
    constexpr int parts = Element / 4;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
#pragma unroll
      for (int j = 0; j < words; ++j) to[i][j] = from[j / parts][i * parts + j % parts];
    }
  } else if constexpr (Element == 2) {
#pragma unroll
    for (int i = 0; i < Items; i += 2) {
#pragma unroll
      for (int j = 0; j < words; ++j) {
        to[i][j] = __byte_perm(from[2 * j][i / 2], from[2 * j + 1][i / 2], 0x5410);
        to[i + 1][j] = __byte_perm(from[2 * j][i / 2], from[2 * j + 1][i / 2], 0x7632);
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < Items; i += 4) {
#pragma unroll
      for (int j = 0; j < words; ++j) {
        const std::uint32_t a = from[4 * j][i / 4], b = from[4 * j + 1][i / 4], c = from[4 * j + 2][i / 4],
                            d = from[4 * j + 3][i / 4];
        const std::uint32_t ab_low = __byte_perm(a, b, 0x5140), ab_high = __byte_perm(a, b, 0x7362);
        const std::uint32_t cd_low = __byte_perm(c, d, 0x5140), cd_high = __byte_perm(c, d, 0x7362);
        to[i][j] = __byte_perm(ab_low, cd_low, 0x5410);
        to[i + 1][j] = __byte_perm(ab_low, cd_low, 0x7632);
        to[i + 2][j] = __byte_perm(ab_high, cd_high, 0x5410);
        to[i + 3][j] = __byte_perm(ab_high, cd_high, 0x7632);
      }
    }
  }
  std::memcpy(rows, to, sizeof to);
}

/// Rows and columns are multiples of the elements of a packet, and all rows begin with a word.
template <int Element, int Word>
__global__ void __launch_bounds__(packet_tile<Element, Word>::block_size, packet_tile<Element, Word>::least_blocks)
    transpose_packets_kernel(transpose_pass pass) {
  using buffer = packet_tile<Element, Word>;
  using type = typename buffer::type;
  constexpr int items = buffer::items, turns = buffer::squares / buffer::block_size;
  ptx::let_next_grid_start();
  const int rank = int(threadIdx.x);
  const auto load = [&](buffer& to, const tile_corner& at) {
    const std::int64_t rows = pass.rows - at.row, columns = pass.columns - at.column;
    const unsigned char* const from = pass.in + at.row * pass.in_stride + at.column * Element;
    type squares[turns][items];
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const int square = turn * buffer::block_size + rank, packet = square % buffer::width_packets;
      const int row = square / buffer::width_packets * items;
      if (row < rows && packet * items < columns) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
          squares[turn][i] = reinterpret_cast<const type*>(from + (row + i) * pass.in_stride)[packet];
        }
      }
    }
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const int square = turn * buffer::block_size + rank, packet = square % buffer::width_packets;
      const int row = square / buffer::width_packets;
      if (row * items < rows && packet * items < columns) {
        detail::transpose_square<Element>(squares[turn]);
#pragma unroll
        for (int i = 0; i < items; ++i) to.at(packet * items + i, row) = squares[turn][i];
      }
    }
  };
  const auto store = [&](buffer& from, const tile_corner& at) {
    const std::int64_t rows = pass.columns - at.row, columns = pass.rows - at.column;
    unsigned char* const to = pass.out + at.row * pass.out_stride + at.column * Element;
    constexpr int words = buffer::width * buffer::width_packets;
#pragma unroll
    for (int turn = 0; turn < words / buffer::block_size; ++turn) {
      const int i = turn * buffer::block_size + rank;
      const int row = i / buffer::width_packets, packet = i % buffer::width_packets;
      if (row < rows && packet * items < columns) {
        reinterpret_cast<type*>(to + row * pass.out_stride)[packet] = from.at(row, packet);
      }
    }
  };
  detail::transpose_tile<buffer>(pass, buffer::width, load, store);
}

}  // namespace gpuprim::detail
