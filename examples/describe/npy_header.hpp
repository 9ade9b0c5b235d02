// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of a NumPy file: {'descr': '<i2', 'fortran_order': False, 'shape': (200000,), }
#pragma once

#include "column.hpp"

#include <charconv>

namespace describe {

struct npy_header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;

  std::string shape_text() const {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
  }
};

/// Parses the Python dictionary literal that NumPy writes: three keys, each once, in any order.
class npy_header_parser {
 public:
  explicit npy_header_parser(std::string_view text) : rest_(text) {}

  npy_header parse() {
    npy_header header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        header.descr = parse_descr();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran_order = parse_bool();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = parse_shape();
      } else {
        fail();
      }
      if (!accept(',') && peek() != '}') fail();
    }
    skip_space();
    if (!rest_.empty() || !has_descr || !has_order || !has_shape) fail();
    return header;
  }

 private:
  [[noreturn]] static void fail() {
    throw input_error("the NumPy header is malformed: it must be a dictionary of 'descr', 'fortran_order' and 'shape'");
  }

  void skip_space() {
    const std::size_t start = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(start == rest_.npos ? rest_.size() : start);
  }
  char peek() {
    skip_space();
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }

  std::string parse_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    const std::size_t end = rest_.find(quote, 1);
    if (end == rest_.npos) fail();
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string parse_descr() {
    if (peek() == '[' || peek() == '(') {
      throw input_error("the array holds records of several fields, not numbers");
    }
    return parse_string();
  }

  bool parse_bool() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail();
  }

  std::vector<std::uint64_t> parse_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!accept(')')) {
      std::uint64_t extent = 0;
      skip_space();
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc{}) fail();
      rest_.remove_prefix(std::size_t(end - rest_.data()));
      accept('L');  // Python 2 wrote long integers so
      shape.push_back(extent);
      if (!accept(',') && peek() != ')') fail();
    }
    return shape;
  }

  std::string_view rest_;
};

}  // namespace describe
