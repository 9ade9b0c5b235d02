// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What describe must refuse: exit status 2, nothing on the output, a message that names the file and the
// fault.
#include "program_test.hpp"

#include <cstdint>
#include <filesystem>

namespace describe_test {

namespace {

const std::string malformed =
    "the NumPy header is malformed: it must be a dictionary of 'descr', 'fortran_order' and 'shape'";

std::string header(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

void test_npy_refusals(const setup& with) {
  const scratch folder;
  const auto refuse = [&](const std::string& content, const std::string& fault) {
    const std::string path = folder.write("bad.npy", content);
    expect_refusal(with, {path}, path, fault);
  };
  const std::string data = bytes_of<std::int16_t>({1, 2, 3});
  const std::string good = npy("<i2", 3, data);

  // Cut at every place that matters.
  refuse("", "the file is empty");
  refuse(good.substr(0, 3), "truncated: the file ends inside its NumPy magic string");
  refuse(good.substr(0, 7), "truncated: the file ends inside its NumPy magic string");
  refuse(good.substr(0, 9), "truncated: the file ends before its NumPy header");
  refuse(good.substr(0, 40), "truncated: the NumPy header has 30 of its 118 bytes");
  refuse(good.substr(0, good.size() - 1), "truncated: 3 values take 6 bytes, but 5 follow the header");
  refuse(npy("<i2", 3, ""), "truncated: 3 values take 6 bytes, but 0 follow the header");
  refuse(npy("<i8", std::size_t{1} << 59, data),
         "truncated: 576460752303423488 values take 4611686018427387904 bytes, but 6 follow the header");
  refuse(good + "x", "bytes follow the last value: the header and the data disagree");

  // Something else, or a version of another day.
  refuse("PK\x03\x04 a zip file", "not a NumPy file: it does not begin with \\x93NUMPY");
  refuse("a,b\n1,2\n", "not a NumPy file: it does not begin with \\x93NUMPY");
  refuse(npy("<i2", 3, data, 4), "NumPy format version 4.0 is not supported; 1.0, 2.0 and 3.0 are");
  refuse(npy("<i2", 3, data, 0), "NumPy format version 0.0 is not supported; 1.0, 2.0 and 3.0 are");

  // Shapes.
  const auto with_shape = [&](const std::string& shape) {
    return npy_with_header(header("'<i2'", "False", shape), data);
  };
  refuse(with_shape("(0,)"), "the array is empty: shape (0,)");
  refuse(with_shape("()"), "shape () has 0 dimensions; only one-dimensional arrays are handled");
  refuse(with_shape("(3, 1)"), "shape (3, 1) has 2 dimensions; only one-dimensional arrays are handled");
  refuse(with_shape("(1, 3, 1)"), "shape (1, 3, 1) has 3 dimensions; only one-dimensional arrays are handled");
  refuse(with_shape("(18446744073709551615,)"), "shape (18446744073709551615,) is larger than any file");
  refuse(npy_with_header(header("'<i2'", "True", "(3,)"), data),
         "the array is in Fortran order; only C order is handled");
  refuse(npy_with_header(header("'<i2'", "True", "(3, 1)"), data),
         "shape (3, 1) has 2 dimensions; only one-dimensional arrays are handled");

  // Types.
  const auto with_type = [&](const std::string& descr) {
    return npy_with_header(header(descr, "False", "(3,)"), data);
  };
  refuse(with_type("'|O'"), "type '|O' holds Python objects, not numbers");
  refuse(with_type("'|S5'"), "type '|S5' holds text, not numbers");
  refuse(with_type("'<U5'"), "type '<U5' holds text, not numbers");
  refuse(with_type("'<M8[ns]'"), "type '<M8[ns]' holds dates or durations, not numbers");
  refuse(with_type("'<m8[s]'"), "type '<m8[s]' holds dates or durations, not numbers");
  refuse(with_type("'<c16'"), "type '<c16' holds complex numbers, which have no order");
  refuse(with_type("'|V3'"), "type '|V3' holds raw bytes or records, not numbers");
  refuse(with_type("[('x', '<i2'), ('y', '<i2')]"), "the array holds records of several fields, not numbers");
  refuse(with_type("'|i2'"), "type '|i2' does not say its byte order");
  for (const std::string type : {"<f16", "<i16", "<i3", "<", "", "i22", "\x1b[2Jx"}) {
    const std::string shown = type[0] == '\x1b' ? "?[2Jx" : type;
    refuse(with_type("'" + type + "'"),
           "type '" + shown +
               "' is not supported: only bool, integers of 1 to 8 bytes, and floats of 2, 4 or 8 bytes are");
  }

  // Headers that are no dictionary of the three keys.
  for (const std::string text :
       {"", "{}", "[1, 2]", "{'descr': '<i2', 'fortran_order': False}", "{'descr': '<i2', 'shape': (3,)}",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '<i2', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<i2', 'descr': '<i2', 'fortran_order': False, 'shape': (3,)}", "{'descr': '<i2",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (3",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr' '<i2', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999,)}"}) {
    refuse(npy_with_header(text, data), malformed);
  }
}

void test_csv_refusals(const setup& with) {
  const scratch folder;
  const auto refuse = [&](const std::string& content, const std::string& column, const std::string& fault) {
    const std::string path = folder.write("bad.csv", content);
    expect_refusal(with, {path, "--column", column}, path, fault);
  };
  refuse("", "a", "the file is empty");
  refuse("\n\r\n", "a", "the file holds blank lines only");
  refuse("a,b\n", "a", "no rows follow the line of column names");
  refuse("a,b\n1,2\n", "c", "there is no column 'c'; the columns are 'a', 'b'");
  refuse("a,b\n1,2\n", "A", "there is no column 'A'; the columns are 'a', 'b'");
  refuse("a,a\n1,2\n", "a", "two columns are called 'a'");
  refuse("a,b\n1,2\n3,drizzle\n", "b", "line 3: 'drizzle' is not a number");
  refuse("a,b\n1,2\n\n3,4 5\n", "b", "line 4: '4 5' is not a number");
  refuse("n,a\n\"two\nlines\",1\nx,0x10\n", "a", "line 4: '0x10' is not a number");
  refuse("a\n+-1\n", "a", "line 2: '+-1' is not a number");
  refuse("a\n+\n", "a", "line 2: '+' is not a number");
  refuse("a\n1e999\n", "a", "line 2: '1e999' is beyond the range of a double");
  refuse("a,b\n1,2\n3\n", "a", "line 3: there are 1 fields, but line 1 names 2");
  refuse("a,b\n1,2,3\n", "a", "line 2: there are 3 fields, but line 1 names 2");
  refuse("a,b\n\"1,2\n", "a", "line 2: a quoted field is not closed");
  refuse("a,b\n\"1\"2,3\n", "a", "line 2: text follows a closing quote");
  refuse("\x93NUMPY\x01", "a", "this is a NumPy file; its name must end in .npy");
  const std::string weather = with.data + "/seattle-weather.csv";
  expect_refusal(with, {weather, "--column", "weather"}, weather, "line 2: 'drizzle' is not a number");
  expect_refusal(with, {weather, "--column", "date"}, weather, "line 2: '2012-01-01' is not a number");
  expect_refusal(with, {weather}, weather, "this is not a .npy file; for comma-separated text, add --column NAME");
}

void test_file_refusals(const setup& with) {
  const scratch folder;
  const std::string missing = folder.path("missing.npy"), delay = with.data + "/flights/delay.npy";
  expect_refusal(with, {missing}, missing, "cannot be opened: No such file or directory");
  // A good file before the bad one must not be printed.
  expect_refusal(with, {delay, missing}, missing, "cannot be opened: No such file or directory");
  std::filesystem::create_directory(folder.path("folder.npy"));
  expect_refusal(with, {folder.path("folder.npy")}, folder.path("folder.npy"), "cannot be read: Is a directory");
  expect_refusal(with, {delay, "--column", "x"}, delay, "a NumPy array has no columns; leave --column out");
}

void test_usage(const setup& with) {
  const auto refuse = [&](const std::vector<std::string>& arguments, const std::string& fault) {
    const outcome got = run_describe(with, arguments);
    if (got.status != 2 || !got.output.empty() ||
        !got.errors.starts_with("describe: " + fault + "\nusage: describe FILE ")) {
      report_failure("expected '" + fault + "', got status " + std::to_string(got.status) + "\n" + got.errors);
    }
  };
  refuse({}, "no file is given");
  refuse({"--column", "x"}, "--column needs a file before it");
  refuse({"a.csv", "--column"}, "--column needs a name");
  refuse({"--columns", "x"}, "unknown option '--columns'");
  const outcome help = run_describe(with, {"--help"});
  if (help.status != 0 || !help.output.starts_with("usage: describe FILE ") || !help.errors.empty()) {
    report_failure("--help must print the usage");
  }
}

}  // namespace

void test_errors(const setup& with) {
  test_npy_refusals(with);
  test_csv_refusals(with);
  test_file_refusals(with);
  test_usage(with);
}

}  // namespace describe_test
