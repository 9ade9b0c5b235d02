// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a one-dimensional array of numbers from a NumPy file, format versions 1.0, 2.0 and 3.0.
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "npy_header.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace describe {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

struct npy_type {
  element_kind kind;
  std::size_t bytes;
  bool swapped;  ///< big endian
};

/// Translates a NumPy type such as `<i2`: the byte order, a letter, the size in bytes.
inline npy_type parse_npy_type(std::string_view descr) {
  const auto refuse = [&](const std::string& why) { throw input_error("type " + in_quotes(descr) + " " + why); };
  const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  const std::string_view kind = descr.substr(has_order);
  const bool swapped = descr.starts_with('>') && !kind.ends_with('1');
  struct row {
    std::string_view name;
    npy_type type;
  };
  using enum element_kind;
  // A bool is a byte that is 0 or 1, so its sum counts the true ones.
  constexpr row rows[] = {{"b1", {u1, 1, false}}, {"i1", {i1, 1, false}}, {"i2", {i2, 2, false}},
                          {"i4", {i4, 4, false}}, {"i8", {i8, 8, false}}, {"u1", {u1, 1, false}},
                          {"u2", {u2, 2, false}}, {"u4", {u4, 4, false}}, {"u8", {u8, 8, false}},
                          {"f2", {f2, 2, false}}, {"f4", {f4, 4, false}}, {"f8", {f8, 8, false}}};
  for (const row& r : rows) {
    if (kind != r.name) continue;
    if (r.type.bytes > 1 && !descr.starts_with('<') && !swapped) refuse("does not say its byte order");
    return {r.type.kind, r.type.bytes, swapped};
  }
  const char letter = kind.empty() ? '?' : kind[0];
  if (letter == 'O') refuse("holds Python objects, not numbers");
  if (letter == 'S' || letter == 'a' || letter == 'U') refuse("holds text, not numbers");
  if (letter == 'M' || letter == 'm') refuse("holds dates or durations, not numbers");
  if (letter == 'c') refuse("holds complex numbers, which have no order");
  if (letter == 'V') refuse("holds raw bytes or records, not numbers");
  refuse("is not supported: only bool, integers of 1 to 8 bytes, and floats of 2, 4 or 8 bytes are");
  return {};
}

/// Whether an array may have no elements, as a shard of a column may.
enum class empty_array { refused, allowed };

/// Elements in the array, once its shape is known to be one that is handled.
inline std::size_t checked_count(const npy_header& header, std::size_t element_bytes, empty_array empty) {
  if (header.shape.size() != 1) {
    throw input_error("shape " + header.shape_text() + " has " + std::to_string(header.shape.size()) +
                      " dimensions; only one-dimensional arrays are handled");
  }
  if (header.fortran_order) throw input_error("the array is in Fortran order; only C order is handled");
  const std::uint64_t count = header.shape[0];
  if (count == 0 && empty == empty_array::refused) {
    throw input_error("the array is empty: shape " + header.shape_text());
  }
  if (count > std::uint64_t(std::numeric_limits<std::int64_t>::max()) / element_bytes) {
    throw input_error("shape " + header.shape_text() + " is larger than any file");
  }
  return std::size_t(count);
}

inline void swap_bytes(std::vector<char>& bytes, std::size_t element_bytes) {
  for (auto at = bytes.begin(); at != bytes.end(); at += std::ptrdiff_t(element_bytes)) {
    std::reverse(at, at + std::ptrdiff_t(element_bytes));
  }
}

/// Reads the array that the file holds; anything wrong with it is an input_error.
inline column read_npy(std::FILE* file, empty_array empty = empty_array::refused) {
  static_assert(std::endian::native == std::endian::little, "the elements are handed on as they stand in the file");
  const std::vector<char> start = read_bytes(file, 8);
  const std::string_view magic(start.data(), std::min(start.size(), npy_magic.size()));
  if (start.empty()) throw input_error("the file is empty");
  if (!npy_magic.starts_with(magic)) throw input_error("not a NumPy file: it does not begin with \\x93NUMPY");
  if (start.size() < 8) throw input_error("truncated: the file ends inside its NumPy magic string");
  const int major = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw input_error("NumPy format version " + std::to_string(major) + "." + std::to_string(minor) +
                      " is not supported; 1.0, 2.0 and 3.0 are");
  }

  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::vector<char> length_text = read_bytes(file, length_bytes);
  if (length_text.size() < length_bytes) {
    throw input_error("truncated: the file ends before its NumPy header");
  }
  std::uint32_t length = 0;
  std::memcpy(&length, length_text.data(), length_bytes);
  const std::vector<char> text = read_bytes(file, length);
  if (text.size() < length) {
    throw input_error("truncated: the NumPy header has " + std::to_string(text.size()) + " of its " +
                      std::to_string(length) + " bytes");
  }

  const npy_header header = npy_header_parser({text.data(), text.size()}).parse();
  const npy_type type = parse_npy_type(header.descr);
  const std::size_t count = checked_count(header, type.bytes, empty);
  const std::size_t size = count * type.bytes;
  column result{"", type.kind, std::int64_t(count), read_bytes(file, size)};
  if (result.bytes.size() < size) {
    throw input_error("truncated: " + std::to_string(count) + " values take " + std::to_string(size) + " bytes, but " +
                      std::to_string(result.bytes.size()) + " follow the header");
  }
  if (std::fgetc(file) != EOF) {
    throw input_error("bytes follow the last value: the header and the data disagree");
  }
  if (type.swapped) swap_bytes(result.bytes, type.bytes);
  return result;
}

}  // namespace describe
