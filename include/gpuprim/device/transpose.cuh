// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/transpose/transpose_call.cuh>

namespace gpuprim::inline v0_2_0 {

/// Writes the element of row r and column c of a row-major matrix to row c and column r of another.
///
/// @pre   `in`: a pointer to `rows` rows of `columns` elements of any trivially copyable type that the device can read.
///        `out`: room for `columns` rows of `rows` elements, apart from the input; or the input itself, if the matrix
///        is square. `strides`: elements from row to row of both, where rows do not follow each other directly. What
///        lies between the rows is neither read nor written.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order none.
/// @cost  one launch and no workspace; each element is written once. Where a matrix has at most 32 rows or columns, and
///        no gaps between its short rows, memory is read and written in words of 16 bytes. Else elements of 1, 2, 4 and
///        8 bytes move in such words if all rows of both matrices begin at multiples of 16 bytes and hold whole words,
///        those of 1 and 2 bytes in any case, and others one by one. Memory is written in whole sectors of 32 bytes;
///        if rows of the output do not begin at sectors, some rows are read twice, the second time from the L2 cache
///        as a rule. In place, rows that do not begin at sectors take longer.
/// @return cudaSuccess, or what went wrong; the output is untouched then. cudaErrorInvalidValue: null pointer,
///        misaligned array, negative size, stride shorter than a row, sizes that overflow, an output that overlaps the
///        input but is not the same square matrix.
/// @source Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA", 2009.
/// @example examples/library/93_transpose.cu
template <class T>
[[nodiscard]] cudaError_t transpose(const T* in, std::int64_t rows, std::int64_t columns, T* out, row_strides strides,
                                    const options& how = {}) {
  static_assert(element<T>, "gpuprim::transpose: the element type must be trivially copyable and assignable");
  static_assert(sizeof(T) <= 256, "gpuprim::transpose: elements have at most 256 bytes");
  return detail::run_transpose<tuned_transpose_policy>(in, rows, columns, out, strides, how).report();
}

/// Of matrices whose rows follow each other.
template <class T>
[[nodiscard]] cudaError_t transpose(const T* in, std::int64_t rows, std::int64_t columns, T* out,
                                    const options& how = {}) {
  return gpuprim::transpose(in, rows, columns, out, row_strides{columns, rows}, how);
}

}  // namespace gpuprim
