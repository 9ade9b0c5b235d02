// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/common/arguments.cuh>
#include <gpuprim/device/common/overlap.cuh>
#include <gpuprim/device/transform/transpose_kernel.cuh>
#include <gpuprim/launch/chosen_launch.cuh>

#include <limits>

namespace gpuprim::inline v0_1_0 {

/// Elements from one row of a matrix to the next, of the input of a transposition and of its output.
struct row_strides {
  std::int64_t in;   ///< of the input
  std::int64_t out;  ///< of the output
};

namespace detail {

template <class Tile>
struct transpose_launch {
  static constexpr int block_size = Tile::block_size;
  static constexpr int thread_bytes = int(sizeof(Tile)) / block_size;

  /// Does `action` with the launch of a kernel for the pass.
  template <auto Kernel, class Launch, transpose_policy Policy, class Action>
  static outcome choose(transpose_pass pass, const Action& action) {
    constexpr std::int64_t most = (std::numeric_limits<int>::max)();
    const std::int64_t rows = (pass.rows - 1) / Tile::width + 1, columns = (pass.columns - 1) / Tile::width + 1;
    if (rows > most / columns) return {cudaErrorInvalidValue, "the matrix is too large"};
    pass.tile_rows = unsigned(rows);
    pass.band = rows < Policy.band_tiles ? unsigned(rows) : unsigned(Policy.band_tiles);
    pass.band_tiles = pass.band * unsigned(columns);
    // In place a block has two tiles.
    constexpr int bytes = int(sizeof(Tile));
    kernel_fit fit;
    const cudaError_t error = pass.is_in_place() ? detail::find_kernel_fit<Kernel, 0, 2 * bytes>(block_size, fit)
                                                 : detail::find_kernel_fit<Kernel, 0, bytes>(block_size, fit);
    if (error != cudaSuccess) return {error};
    if (fit.blocks_per_multiprocessor < 1) return {no_room_for_block};
    return action(Launch{}, pass, detail::make_shape(fit, rows * columns, block_size, fit.reserved_bytes));
  }
  template <auto Kernel>
  static outcome start(const transpose_pass& pass, const found_shape& found, const options& how) {
    return {gpuprim::launch(found.when, Kernel, found.grid, how.stream, pass)};
  }
};

/// Moves elements one by one.
template <int Word, int Parts>
struct element_transposition : transpose_launch<element_tile<Word, Parts>> {
  template <class Pass>
  static constexpr auto find_kernel() { return &transpose_elements_kernel<Word, Parts>; }
  static outcome run(const transpose_pass& pass, const found_shape& found, const options& how) {
    return element_transposition::template start<&transpose_elements_kernel<Word, Parts>>(pass, found, how);
  }
  template <transpose_policy Policy, class Action>
  static outcome go(const transpose_pass& pass, const Action& action) {
    return element_transposition::template choose<&transpose_elements_kernel<Word, Parts>, element_transposition,
                                                  Policy>(pass, action);
  }
};

/// Moves packets of elements.
template <int Element, int Word>
struct packet_transposition : transpose_launch<packet_tile<Element, Word>> {
  template <class Pass>
  static constexpr auto find_kernel() { return &transpose_packets_kernel<Element, Word>; }
  static outcome run(const transpose_pass& pass, const found_shape& found, const options& how) {
    return packet_transposition::template start<&transpose_packets_kernel<Element, Word>>(pass, found, how);
  }
  template <transpose_policy Policy, class Action>
  static outcome go(const transpose_pass& pass, const Action& action) {
    return packet_transposition::template choose<&transpose_packets_kernel<Element, Word>, packet_transposition,
                                                 Policy>(pass, action);
  }
};

/// Whether all rows are whole words of so many bytes.
template <int Element, int Word>
bool has_whole_words(const transpose_pass& pass) {
  const auto all = detail::address_of(pass.in) | detail::address_of(pass.out) | std::uintptr_t(pass.in_stride) |
                   std::uintptr_t(pass.out_stride) | std::uintptr_t(pass.rows * Element) |
                   std::uintptr_t(pass.columns * Element);
  return all % Word == 0;
}

template <int Size, int Alignment, transpose_policy Policy, class Action>
outcome choose_transpose(const transpose_pass& pass, const Action& action) {
  if constexpr (Size == 1 || Size == 2 || Size == 4 || Size == 8) {
    if (detail::has_whole_words<Size, 16>(pass)) {
      return packet_transposition<Size, 16>::template go<Policy>(pass, action);
    }
  }
  if constexpr (Size < 3) {
    if (detail::has_whole_words<Size, 4>(pass)) return packet_transposition<Size, 4>::template go<Policy>(pass, action);
  }
  constexpr int power = find_word_bytes(Size), word_bytes = power < Alignment ? power : Alignment;
  return element_transposition<word_bytes, Size / word_bytes>::template go<Policy>(pass, action);
}

/// Checks the arguments of a transposition, and does `action` with the launch for it.
template <transpose_policy Policy = tuned_transpose_policy, class T, class Action>
outcome run_transpose(const T* in, std::int64_t rows, std::int64_t columns, T* out, const row_strides& strides,
                      const Action& action) {
  if (rows < 0 || columns < 0) return {cudaErrorInvalidValue, "the number of rows or columns is negative"};
  if (strides.in < columns || strides.out < rows) return {cudaErrorInvalidValue, "a row stride is less than a row"};
  if (rows == 0 || columns == 0) return {};
  constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)() / std::int64_t(2 * sizeof(T));
  if (strides.in > most / rows || strides.out > most / columns) {
    return {cudaErrorInvalidValue, "the matrix is too large: its size in bytes overflows 64 bits"};
  }
  const std::int64_t in_count = (rows - 1) * strides.in + columns, out_count = (columns - 1) * strides.out + rows;
  if (const outcome bad = detail::check_input(in, in_count); bad.failed()) return bad;
  if (!detail::is_writable(out)) {
    return {cudaErrorInvalidValue, "the output is a null pointer or in host memory, but the count is not 0"};
  }
  if (detail::address_of(out) % alignof(T) != 0) {
    return {cudaErrorInvalidValue, "the output is not aligned to its element type"};
  }
  const bool is_in_place = out == in && rows == columns && strides.in == strides.out;
  if (!is_in_place && detail::overlap(out, out_count, in, in_count)) {
    return {cudaErrorInvalidValue, "the output overlaps the input, and is not the same square matrix"};
  }
  constexpr auto size = std::int64_t(sizeof(T));
  const transpose_pass pass{reinterpret_cast<const unsigned char*>(in), reinterpret_cast<unsigned char*>(out),
                            rows, columns, strides.in * size, strides.out * size, 0, 0, 0};
  return detail::choose_transpose<int(sizeof(T)), int(alignof(T)), Policy>(pass, action);
}

}  // namespace detail

}  // namespace gpuprim
