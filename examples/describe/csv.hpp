// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads one column of numbers from comma-separated text (RFC 4180) with the columns' names in line 1.
#pragma once

#include "column.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace describe {

/// Splits text into records, which end in LF or CRLF. Blank lines are skipped. A quoted field may hold
/// commas, line ends and doubled quotes.
class csv_records {
 public:
  explicit csv_records(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  /// Puts the next record's fields into `fields`; false at the end.
  bool next(std::vector<std::string>& fields) {
    while (accept_line_end()) continue;
    line_ = next_line_;
    if (rest_.empty()) return false;
    fields.clear();
    do {
      fields.push_back(rest_.starts_with('"') ? quoted_field() : plain_field());
    } while (accept(','));
    if (!accept_line_end() && !rest_.empty()) fail("text follows a closing quote");
    return true;
  }

  /// Refuses the last record; names the line that it began in.
  [[noreturn]] void fail(const std::string& fault) const {
    throw input_error("line " + std::to_string(line_) + ": " + fault);
  }

 private:
  bool accept(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  bool accept_line_end() {
    if (!accept("\r\n") && !accept('\n')) return false;
    ++next_line_;
    return true;
  }

  std::string plain_field() {
    const std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
    std::size_t length = end;
    if (length > 0 && rest_[length - 1] == '\r' && (end == rest_.size() || rest_[end] == '\n')) --length;
    const std::string field(rest_.substr(0, length));
    rest_.remove_prefix(end < rest_.size() && rest_[end] == '\n' ? length : end);
    return field;
  }

  std::string quoted_field() {
    std::string field;
    rest_.remove_prefix(1);
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == rest_.npos) fail("a quoted field is not closed");
      field += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!accept('"')) break;
      field += '"';
    }
    for (char c : field) next_line_ += c == '\n';
    return field;
  }

  std::string_view rest_;
  std::int64_t line_ = 1, next_line_ = 1;
};

/// Collects cells: as 64-bit integers while every one is such, otherwise as doubles. A missing value (an
/// empty cell, NA or NaN) is a NaN.
class csv_cells {
 public:
  void add(std::string_view cell, const csv_records& records) {
    const std::string_view text = trimmed(cell);
    if (text.empty() || text == "NA") {
      integral_ = false;
      doubles_.push_back(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const std::string_view digits = text.starts_with('+') && !text.starts_with("+-") ? text.substr(1) : text;
    double value = 0;
    const std::errc fault = parse(digits, value);
    if (fault == std::errc::result_out_of_range) records.fail(in_quotes(text) + " is beyond the range of a double");
    if (fault != std::errc{}) records.fail(in_quotes(text) + " is not a number");
    doubles_.push_back(value);
    std::int64_t integer = 0;
    if (integral_ && parse(digits, integer) == std::errc{}) integers_.push_back(integer);
    else integral_ = false;
  }

  column take() const {
    if (doubles_.empty()) throw input_error("no rows follow the line of column names");
    column result{"", element_kind::f8, std::int64_t(doubles_.size()), std::vector<char>(doubles_.size() * 8)};
    if (integral_) result.kind = element_kind::i8;
    const void* from = integral_ ? static_cast<const void*>(integers_.data()) : doubles_.data();
    std::memcpy(result.bytes.data(), from, result.bytes.size());
    return result;
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
  }
  template <class T>
  static std::errc parse(std::string_view text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end != text.data() + text.size() ? std::errc::invalid_argument : error;
  }

  bool integral_ = true;
  std::vector<std::int64_t> integers_;
  std::vector<double> doubles_;
};

/// Reads the column called `name`; anything wrong with the file is an input_error.
inline column read_csv(std::string_view text, const std::string& name) {
  if (text.empty()) throw input_error("the file is empty");
  csv_records records(text);
  std::vector<std::string> names, fields;
  if (!records.next(names)) throw input_error("the file holds blank lines only");
  std::size_t at = names.size();
  std::string listed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name && at < names.size()) throw input_error("two columns are called " + in_quotes(name));
    if (names[i] == name) at = i;
    listed += (i ? ", " : "") + in_quotes(names[i]);
  }
  if (at == names.size()) throw input_error("there is no column " + in_quotes(name) + "; the columns are " + listed);

  csv_cells cells;
  while (records.next(fields)) {
    if (fields.size() != names.size()) {
      records.fail("there are " + std::to_string(fields.size()) + " fields, but line 1 names " +
                   std::to_string(names.size()));
    }
    cells.add(fields[at], records);
  }
  column result = cells.take();
  result.name = name;
  return result;
}

}  // namespace describe
