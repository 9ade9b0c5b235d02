// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/arrays.cuh>
#include <gpuprim/device/arguments/checks.cuh>
#include <gpuprim/device/transpose/transpose_packets.cuh>
#include <gpuprim/device/transpose/transpose_thin.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/policy/transform_policy.hpp>

#include <bit>
#include <limits>

namespace gpuprim::inline v0_2_0 {

/// Elements from one row of a matrix to the next, of the input of a transposition and of its output.
struct row_strides {
  std::int64_t in;   ///< of the input
  std::int64_t out;  ///< of the output
};

namespace detail {

/// Whether all rows of a matrix begin at multiples of so many bytes.
inline bool has_rows_at(const void* first, std::int64_t stride, int bytes) {
  return (detail::address_of(first) | std::uintptr_t(stride)) % unsigned(bytes) == 0;
}

/// A kernel with its tile.
template <class Tile, auto Kernel>
struct transposition {
  static constexpr int block_size = Tile::block_size;
  static constexpr int thread_bytes = int(sizeof(Tile)) / block_size;

  template <transpose_policy Policy>
  static outcome launch(transpose_pass pass, const options& how) {
    const bool are_sectors =
        Tile::rows * Tile::bytes % sector_bytes == 0 && detail::has_rows_at(pass.out, pass.out_stride, sector_bytes);
    if (!pass.is_in_place() && !are_sectors) pass.before = Tile::before;
    pass.step = (pass.is_in_place() ? Tile::columns : Tile::rows) - pass.before;
    constexpr std::int64_t most = (std::numeric_limits<int>::max)();
    const std::int64_t rows = (pass.rows - 1) / pass.step + 1, columns = (pass.columns - 1) / Tile::columns + 1;
    if (rows > most / columns) return {cudaErrorInvalidValue, "the matrix is too large"};
    pass.tile_rows = unsigned(rows);
    pass.band = rows < Policy.band_tiles ? unsigned(rows) : unsigned(Policy.band_tiles);
    pass.band_tiles = pass.band * unsigned(columns);
    const found_shape found = pass.is_in_place() ? detail::find_shape<Kernel, 0, Tile::bytes_in_place>(1, block_size)
                                                 : detail::find_shape<Kernel, 0, int(sizeof(Tile))>(1, block_size);
    return detail::launch_main(found.with_blocks(rows * columns), Kernel, thread_bytes, how, pass);
  }
};

template <class Tile>
using element_transposition = transposition<Tile, &transpose_elements_kernel<Tile>>;
template <class Tile>
using packet_transposition = transposition<Tile, &transpose_packets_kernel<Tile>>;
template <class Tile>
using shifted_transposition = transposition<Tile, &transpose_shifted_kernel<Tile>>;

/// A kernel for thin matrices with its tile. The short rows are those `Of` the input or of the output.
template <class Tile, short_rows Of>
struct thin_transposition {
  static constexpr int block_size = Tile::block_size, thread_bytes = Tile::most_bytes / block_size;
  static constexpr auto kernel = &transpose_thin_kernel<Tile, Of>;
  static constexpr bool is_input = Of == short_rows::of_input;

  /// Whether a tile has short rows enough, and no gap is between them.
  template <transpose_policy Policy>
  static bool takes(const transpose_pass& pass) {
    const std::int64_t width = is_input ? pass.columns : pass.rows;
    return Policy.most_thin >= width && width * Tile::bytes == (is_input ? pass.in_stride : pass.out_stride) &&
           Tile::find_most(width) > 0;
  }
  static outcome launch(const transpose_pass& any, const options& how) {
    thin_pass pass{any};
    pass.width = int(is_input ? pass.columns : pass.rows);
    if (is_input && !detail::has_rows_at(pass.out, pass.out_stride, sector_bytes)) pass.before = Tile::before;
    const found_shape found = detail::find_shape<kernel>(1, block_size);
    if (found.error != cudaSuccess) return {found.error};
    // Every multiprocessor has a part of what is less than a tile for each.
    const std::int64_t count = is_input ? pass.rows : pass.columns, share = (count - 1) / (2 * found.multiprocessors);
    const std::int64_t most = Tile::find_most(pass.width), unit = Tile::step_unit;
    pass.step = int(share < most ? (share / unit + 1) * unit : most);
    const std::int64_t tiles = (count - 1) / pass.step + 1;
    if (tiles > (std::numeric_limits<int>::max)()) return {cudaErrorInvalidValue, "the matrix is too large"};
    pass.row_words = unsigned((pass.step + pass.before) * Tile::bytes / load_bytes + 1);
    if (2 > pass.row_words) pass.row_words = 2;
    pass.word_inverse = ~0u / pass.row_words + 1;
    // The words of a long row that neighbouring lanes take then begin in different banks.
    pass.line_shift = std::countr_zero(unsigned(load_bytes * pass.width));
    if (Tile::least_line_shift > pass.line_shift) pass.line_shift = Tile::least_line_shift;
    return detail::launch_main(found.with_blocks(tiles), kernel, thread_bytes, how, pass);
  }
};

/// Whether all rows are whole words of so many bytes.
template <int Element, int Word>
bool has_whole_words(const transpose_pass& pass) {
  return detail::has_rows_at(pass.in, pass.in_stride, Word) && detail::has_rows_at(pass.out, pass.out_stride, Word) &&
         pass.rows * Element % Word == 0 && pass.columns * Element % Word == 0;
}

template <int Size, int Alignment, transpose_policy Policy>
outcome choose_transpose(const transpose_pass& pass, const options& how) {
  constexpr int power = find_word_bytes(Size), word_bytes = power < Alignment ? power : Alignment;
  if (!pass.is_in_place()) {
    using thin = thin_tile<word_bytes, Size / word_bytes>;
    using thin_input = thin_transposition<thin, short_rows::of_input>;
    using thin_output = thin_transposition<thin, short_rows::of_output>;
    if (thin_input::template takes<Policy>(pass)) return thin_input::launch(pass, how);
    if (thin_output::template takes<Policy>(pass)) return thin_output::launch(pass, how);
  }
  if constexpr (Size == 1 || Size == 2 || Size == 4 || Size == 8) {
    if (detail::has_whole_words<Size, load_bytes>(pass)) {
      return packet_transposition<square_tile<Size>>::template launch<Policy>(pass, how);
    }
  }
  if constexpr (Size < 3 && Alignment == Size) {
    return shifted_transposition<shifted_tile<Size>>::template launch<Policy>(pass, how);
  } else {
    return element_transposition<element_tile<word_bytes, Size / word_bytes>>::template launch<Policy>(pass, how);
  }
}

/// Checks the arguments of a transposition, and does `action` with the launch for it.
template <transpose_policy Policy, class T>
outcome run_transpose(const T* in, std::int64_t rows, std::int64_t columns, T* out, const row_strides& strides,
                      const options& how) {
  if (rows < 0 || columns < 0) return {cudaErrorInvalidValue, "the number of rows or columns is negative"};
  if (columns > strides.in || rows > strides.out) return {cudaErrorInvalidValue, "a row stride is less than a row"};
  if (rows == 0 || columns == 0) return {};
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)() / std::int64_t(2 * sizeof(T));
  if (strides.in > most / rows || strides.out > most / columns) {
    return {cudaErrorInvalidValue, "the matrix is too large: its size in bytes overflows 64 bits"};
  }
  const std::int64_t in_count = (rows - 1) * strides.in + columns, out_count = (columns - 1) * strides.out + rows;
  if (const outcome bad = detail::check_input(in, in_count); bad.failed()) return bad;
  if (const outcome bad = detail::check_results(out, out_count); bad.failed()) return bad;
  const bool is_in_place = out == in && rows == columns && strides.in == strides.out;
  if (!is_in_place && detail::overlap(out, out_count, in, in_count)) {
    return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same square matrix"};
  }
  constexpr auto size = std::int64_t(sizeof(T));
  const transpose_pass pass{reinterpret_cast<const unsigned char*>(in),
                            reinterpret_cast<unsigned char*>(out),
                            rows,
                            columns,
                            strides.in * size,
                            strides.out * size};
  return detail::choose_transpose<int(sizeof(T)), int(alignof(T)), Policy>(pass, how);
}

}  // namespace detail

}  // namespace gpuprim
