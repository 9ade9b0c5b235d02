// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Transpositions of short elements, many of which are moved at once.
#include <gpuprim/device/transpose/transpose_kernel.cuh>

#include <cstdint>
#include <cstring>

namespace gpuprim::inline v0_2_0::detail {

/// A tile of short elements in packets of one load: a thread takes as many rows of a packet as the packet has elements,
/// transposes this square in registers, and puts it to shared memory, which has the tile column by column.
/// Rows begin at multiples of `Unit` bytes.
template <int Element, int Unit, int RowPackets, int ColumnPackets, int LeastBlocks>
struct packet_tile {
  static constexpr int bytes = Element, items = load_bytes / Element;  ///< of a packet
  static constexpr int row_packets = RowPackets, column_packets = ColumnPackets;
  static constexpr int rows = row_packets * items, columns = column_packets * items;
  static constexpr int before = (sector_bytes - Unit) / bytes;  ///< rows that may share a sector with the next
  static constexpr int block_size = row_packets * column_packets, least_blocks = LeastBlocks;
  using packet = word<load_bytes>;
  packet packets[columns * row_packets];
  static constexpr int bytes_in_place = 2 * int(sizeof(packets));  ///< of two tiles

  /// The packets of a column change places, so that those of the columns that lanes write together lie in all banks.
  __device__ __forceinline__ packet& at(int column, int packet) {
    constexpr int bank_line = 128 / load_bytes;
    return packets[column * row_packets + (packet ^ (column / items % bank_line))];
  }
  __device__ __forceinline__ word<Element>& element(int column, int row) {
    return reinterpret_cast<word<Element>*>(&at(column, row / items))[row % items];
  }
};

/// Tiles of packets in words.
template <int Element>
using square_tile = packet_tile < Element,
      load_bytes, Element < 4 ? 8 : 16, Element < 4 ? 8 : 16, Element<4 ? 1 : 4>;
/// Tiles of packets that are joined of two words.
template <int Element>
using shifted_tile = packet_tile<Element, Element, 16, Element == 1 ? 16 : 8, Element == 1 ? 2 : 5>;

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

/// Rows and columns are whole packets, and all rows begin with a word.
template <class Tile>
__global__ void __launch_bounds__(Tile::block_size, Tile::least_blocks) transpose_packets_kernel(transpose_pass pass) {
  using packet = typename Tile::packet;
  constexpr int items = Tile::items;
  ptx::let_next_grid_start();
  const int rank = int(threadIdx.x);
  const auto load = [&](Tile& to, const matrix_tile& tile) {
    const int across = rank % Tile::column_packets, down = rank / Tile::column_packets;
    if (down * items < tile.top || down * items >= tile.height || across * items >= tile.width) return;
    const unsigned char* const from = pass.in + (tile.row + down * items) * pass.in_stride + tile.column * Tile::bytes;
    packet square[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      square[i] = reinterpret_cast<const packet*>(from + i * pass.in_stride)[across];
    }
    detail::transpose_square<Tile::bytes>(square);
#pragma unroll
    for (int i = 0; i < items; ++i) to.at(across * items + i, down) = square[i];
  };
  const auto store = [&](Tile& from, const matrix_tile& tile) {
    unsigned char* const to = pass.out + tile.column * pass.out_stride + tile.row * Tile::bytes;
#pragma unroll
    for (int turn = 0; turn < items; ++turn) {
      const int i = turn * Tile::block_size + rank, column = i / Tile::row_packets, along = i % Tile::row_packets;
      unsigned char* const row = to + column * pass.out_stride;
      const byte_span written = detail::find_written<Tile::bytes>(pass, tile, row);
      if (column < tile.width && along * load_bytes >= written.begin && along * load_bytes < written.end) {
        reinterpret_cast<packet*>(row)[along] = from.at(column, along);
      }
    }
  };
  detail::transpose_tile<Tile>(pass, load, store);
}

/// Rows begin at any element. A packet is joined of the two words that it lies in, both when it is loaded and when it
/// is stored; elements at the ends of rows that are in no whole word are moved one by one.
template <class Tile>
__global__ void __launch_bounds__(Tile::block_size, Tile::least_blocks) transpose_shifted_kernel(transpose_pass pass) {
  using packet = typename Tile::packet;
  using element = word<Tile::bytes>;
  constexpr int items = Tile::items;
  ptx::let_next_grid_start();
  const int rank = int(threadIdx.x);
  const auto load = [&](Tile& to, const matrix_tile& tile) {
    const unsigned char* const from = pass.in + tile.row * pass.in_stride + tile.column * Tile::bytes;
    // What may be read of a row: in place what is the tile's own, else up to a word more at either end.
    const byte_span own{0, tile.width * Tile::bytes};
    byte_span read = own;
    if (!pass.is_in_place()) {
      const std::int64_t left = (pass.columns - tile.column) * Tile::bytes;
      if (tile.column > 0) read.begin -= load_bytes;
      read.end = left < own.end + load_bytes ? int(left) : own.end + load_bytes;
    }
    const int across = rank % Tile::column_packets, down = rank / Tile::column_packets;
    // Rows outside the matrix are the nearest one. A row is found twice, to load its words and to join them: so many
    // addresses would take the registers of loads in flight.
    const auto find_row = [&](int i) {
      const int wanted = down * items + i, row = wanted < tile.height ? wanted : tile.height - 1;
      return from + (row < tile.top ? tile.top : row) * pass.in_stride;
    };
    packet low[items], high[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const unsigned char* const row = find_row(i);
      const int place = across * load_bytes - detail::bytes_past<load_bytes>(row), next = place + load_bytes;
      low[i] = high[i] = packet{};
      if (place >= read.begin && next <= read.end) low[i] = *reinterpret_cast<const packet*>(row + place);
      if (next >= read.begin && next + load_bytes <= read.end) high[i] = *reinterpret_cast<const packet*>(row + next);
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      low[i] = detail::join_words(low[i], high[i], detail::bytes_past<load_bytes>(find_row(i)));
    }
    detail::transpose_square<Tile::bytes>(low);
#pragma unroll
    for (int i = 0; i < items; ++i) to.at(across * items + i, down) = low[i];
    if (read.begin == 0 || own.end + load_bytes > read.end) {
      this_block::sync();
      for (int i = tile.top * items + rank; i < tile.height * items; i += Tile::block_size) {
        const unsigned char* const row = from + i / items * pass.in_stride;
        detail::for_ragged<load_bytes, Tile::bytes, items>(
            own, read, detail::bytes_past<load_bytes>(row), i % items,
            [&](int column) { to.element(column, i / items) = reinterpret_cast<const element*>(row)[column]; });
      }
    }
  };
  const auto store = [&](Tile& from, const matrix_tile& tile) {
    unsigned char* const to = pass.out + tile.column * pass.out_stride + tile.row * Tile::bytes;
#pragma unroll
    for (int turn = 0; turn < items; ++turn) {
      const int i = turn * Tile::block_size + rank, column = i / Tile::row_packets;
      unsigned char* const row = to + column * pass.out_stride;
      const byte_span written = detail::find_written<Tile::bytes>(pass, tile, row);
      const int past = detail::bytes_past<load_bytes>(row);
      const int first = ((past + written.begin + load_bytes - 1) & -load_bytes) - past;
      const int place = first + i % Tile::row_packets * load_bytes;
      // Joined without a condition, so that the reads of several turns are under way together.
      constexpr int last = Tile::row_packets - 1;
      const int wanted = place / load_bytes, at = wanted < last ? wanted : last, next = at < last ? at + 1 : last;
      const packet joined = detail::join_words(from.at(column, at), from.at(column, next), place % load_bytes);
      if (column < tile.width && place + load_bytes <= written.end) *reinterpret_cast<packet*>(row + place) = joined;
    }
    if (pass.before == 0 || tile.top > 0 || tile.is_last) {
      for (int i = rank; i < tile.width * items; i += Tile::block_size) {
        const int column = i / items;
        unsigned char* const row = to + column * pass.out_stride;
        const byte_span written = detail::find_written<Tile::bytes>(pass, tile, row);
        detail::for_ragged<load_bytes, Tile::bytes, items>(
            written, written, detail::bytes_past<load_bytes>(row), i % items,
            [&](int at) { reinterpret_cast<element*>(row)[at] = from.element(column, at); });
      }
    }
  };
  detail::transpose_tile<Tile>(pass, load, store);
}

}  // namespace gpuprim::detail
