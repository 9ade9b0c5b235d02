// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One column of numbers in host memory, and what the two readers share.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace describe {

/// The element kinds, with NumPy's names: a letter and the size in bytes.
enum class element_kind { i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8 };

struct column {
  std::string name;
  element_kind kind;
  std::int64_t count;
  std::vector<char> bytes;  ///< count elements, little endian
};

/// What is wrong with an input, without the name of the file.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Text from a file as it may stand in a message: short, and nothing that a terminal would act on.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  for (char c : text.substr(0, longest)) result += c < 0x20 || c == 0x7f ? '?' : c;
  return result + (text.size() > longest ? "...'" : "'");
}

/// The first `size` bytes of an open file, or all of it where it is shorter. A chunk at a time, so that a
/// header that promises too much is found out before memory is taken for it.
inline std::vector<char> read_bytes(std::FILE* file, std::size_t size) {
  constexpr std::size_t chunk = std::size_t{1} << 24;
  std::vector<char> bytes;
  while (bytes.size() < size) {
    const std::size_t had = bytes.size();
    bytes.resize(had + (size - had < chunk ? size - had : chunk));
    const std::size_t got = std::fread(bytes.data() + had, 1, bytes.size() - had, file);
    if (std::ferror(file)) throw input_error(std::string("cannot be read: ") + std::strerror(errno));
    if (had + got < bytes.size()) {
      bytes.resize(had + got);
      break;
    }
  }
  return bytes;
}

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

inline file_handle open_file(const std::string& path) {
  file_handle file(std::fopen(path.c_str(), "rb"));
  if (!file) throw input_error(std::string("cannot be opened: ") + std::strerror(errno));
  return file;
}

}  // namespace describe
