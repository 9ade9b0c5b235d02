// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that describe must read: every element kind, header version and byte order, NaN, extremes; CSV's
// corners.
#include "program_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace describe_test {

std::string npy_with_header(const std::string& header, const std::string& data, int version) {
  std::string file = "\x93NUMPY";
  file += char(version);
  file += '\0';
  const auto length = std::uint32_t(header.size());
  file.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  return file + header + data;
}

std::string npy(const std::string& descr, std::size_t count, const std::string& data, int version) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  while ((header.size() + 11) % 64 != 0) header += ' ';
  return npy_with_header(header + '\n', data, version);
}

namespace {

template <class T>
void expect_values(const setup& with, const std::string& descr, const std::vector<T>& values,
                   const std::string& figures) {
  const scratch folder;
  expect_lines(with, {folder.write("v.npy", npy(descr, values.size(), bytes_of(values)))}, {"v: " + figures});
}

template <class T>
void expect_one(const setup& with, const std::string& descr, T value, const std::string& text, bool is_float) {
  expect_values<T>(with, descr, {value},
                   "n 1, sum " + text + ", mean " + text + ", std nan, min " + text + " at 0, max " + text + " at 0" +
                       (is_float ? ", nan 0" : ""));
}

/// The figures by two plain passes, in an arithmetic with more digits.
std::string two_passes(const std::vector<std::int32_t>& values) {
  std::int64_t sum = 0;
  for (std::int32_t v : values) sum += v;
  const long double mean = static_cast<long double>(sum) / static_cast<long double>(values.size());
  long double squares = 0;
  for (std::int32_t v : values) squares += (v - mean) * (v - mean);
  const auto low = std::min_element(values.begin(), values.end());
  const auto high = std::max_element(values.begin(), values.end());
  char text[300], deviation[40] = "nan";
  if (values.size() > 1) {
    std::snprintf(deviation, sizeof deviation, "%.7Lg",
                  std::sqrt(squares / static_cast<long double>(values.size() - 1)));
  }
  std::snprintf(text, sizeof text, "n %zu, sum %lld, mean %.10Lg, std %s, min %d at %td, max %d at %td", values.size(),
                static_cast<long long>(sum), mean, deviation, *low, low - values.begin(), *high, high - values.begin());
  return text;
}

template <class T>
constexpr T lowest = std::numeric_limits<T>::lowest();
template <class T>
constexpr T highest = std::numeric_limits<T>::max();

void test_integers(const setup& with) {
  using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t,
      std::uint8_t;
  expect_values<int8_t>(with, "|i1", {127, -128, 0, 127, -128},
                        "n 5, sum -2, mean -0.4, std 127.5002, min -128 at 1, max 127 at 0");
  expect_values<uint8_t>(with, "|u1", {1, 255, 0, 255},
                         "n 4, sum 511, mean 127.75, std 146.9362, min 0 at 2, max 255 at 1");
  expect_values<uint8_t>(with, "|b1", {1, 0, 1, 1}, "n 4, sum 3, mean 0.75, std 0.5, min 0 at 1, max 1 at 0");
  expect_values<int16_t>(with, "<i2", {32767, -32768, 5},
                         "n 3, sum 4, mean 1.333333333, std 32767.5, min -32768 at 1, max 32767 at 0");
  expect_values<uint16_t>(with, "<u2", {65535, 65535, 1},
                          "n 3, sum 131071, mean 43690.33333, std 37836.07, min 1 at 2, max 65535 at 0");
  expect_values<int32_t>(
      with, "<i4", {highest<int32_t>, highest<int32_t>, lowest<int32_t>, highest<int32_t>},
      "n 4, sum 4294967293, mean 1073741823, std 2.147484e+09, min -2147483648 at 2, max 2147483647 at 0");
  expect_values<uint32_t>(with, "<u4", {0, highest<uint32_t>, highest<uint32_t>},
                          "n 3, sum 8589934590, mean 2863311530, std 2.479701e+09, min 0 at 0, max 4294967295 at 1");
  // These sums do not fit in 64 bits.
  expect_values<int64_t>(with, "<i8", {highest<int64_t>, lowest<int64_t>, highest<int64_t>, highest<int64_t>},
                         "n 4, sum 18446744073709551613, mean 4.611686018e+18, std 9.223372e+18, "
                         "min -9223372036854775808 at 1, max 9223372036854775807 at 0");
  expect_values<int64_t>(with, "<i8", {lowest<int64_t>, lowest<int64_t>},
                         "n 2, sum -18446744073709551616, mean -9.223372037e+18, std 0, "
                         "min -9223372036854775808 at 0, max -9223372036854775808 at 0");
  // Times in nanoseconds: further from zero than a double has digits.
  expect_values<int64_t>(with, "<i8",
                         {1700000000000000004, 1700000000000000007, 1700000000000000013, 1700000000000000016},
                         "n 4, sum 6800000000000000040, mean 1.7e+18, std 5.477226, min 1700000000000000004 "
                         "at 0, max 1700000000000000016 at 3");
  expect_values<uint64_t>(with, "<u8", {highest<uint64_t>, 7, highest<uint64_t>},
                          "n 3, sum 36893488147419103237, mean 1.229782938e+19, std 1.065023e+19, "
                          "min 7 at 1, max 18446744073709551615 at 0");
  expect_one<int8_t>(with, "|i1", -128, "-128", false);
  expect_one<uint8_t>(with, "|u1", 255, "255", false);
  expect_one<int16_t>(with, "<i2", -3, "-3", false);
  expect_one<uint16_t>(with, "<u2", 65535, "65535", false);
  expect_one<int32_t>(with, "<i4", 12, "12", false);
  expect_one<uint32_t>(with, "<u4", 0, "0", false);
  expect_one<int64_t>(with, "<i8", -1, "-1", false);
  expect_one<uint64_t>(with, "<u8", 1, "1", false);
}

void test_floats(const setup& with) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  expect_values<float>(with, "<f4", {1.5f, std::nanf(""), -2.25f, std::nanf("")},
                       "n 2, sum -0.75, mean -0.375, std 2.65165, min -2.25 at 2, max 1.5 at 0, nan 2");
  expect_values<float>(with, "<f4", {0.1f, highest<float>, -7.25f},
                       "n 3, sum 3.40282346639e+38, mean 1.134274489e+38, std 1.964621e+38, min -7.25 at 2, "
                       "max 3.4028235e+38 at 1, nan 0");
  expect_values<double>(with, "<f8", {nan, nan, nan}, "n 0, sum 0, mean nan, std nan, min none, max none, nan 3");
  expect_values<double>(with, "<f8", {nan, 0.1, nan},
                        "n 1, sum 0.1, mean 0.1, std nan, min 0.1 at 1, max 0.1 at 1, nan 2");
  expect_values<double>(with, "<f8", {1, inf, inf}, "n 3, sum inf, mean inf, std nan, min 1 at 0, max inf at 1, nan 0");
  expect_values<double>(with, "<f8", {inf, -inf},
                        "n 2, sum nan, mean nan, std nan, min -inf at 1, max inf at 0, nan 0");
  expect_values<double>(with, "<f8", {inf}, "n 1, sum inf, mean inf, std nan, min inf at 0, max inf at 0, nan 0");
  expect_values<double>(with, "<f8", {nan, -inf},
                        "n 1, sum -inf, mean -inf, std nan, min -inf at 1, max -inf at 1, nan 1");
  // Plain sums of squares would lose every digit of these deviations.
  expect_values<double>(with, "<f8", {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16},
                        "n 4, sum 4000000040, mean 1000000010, std 5.477226, min 1000000004 at 0, "
                        "max 1000000016 at 3, nan 0");
  expect_values<double>(with, "<f8", std::vector<double>(10000, 0.1),
                        "n 10000, sum 1000, mean 0.1, std 0, min 0.1 at 0, max 0.1 at 0, nan 0");
  // Half: 1, 65504, NaN, the smallest subnormal, -2, infinity.
  expect_values<std::uint16_t>(
      with, "<f2", {0x3c00, 0x7bff, 0x7e00, 0x0001, 0xc000},
      "n 4, sum 65503.0000001, mean 16375.75, std 32752.17, min -2 at 4, max 65504 at 1, nan 1");
  expect_values<std::uint16_t>(with, "<f2", {0x0001, 0x7c00},
                               "n 2, sum inf, mean inf, std nan, min 5.9604645e-08 at 0, max inf at 1, nan 0");
  expect_one<std::uint16_t>(with, "<f2", 0xc000, "-2", true);
  expect_one<float>(with, "<f4", 0.5f, "0.5", true);
  expect_one<double>(with, "<f8", -0.25, "-0.25", true);
}

void test_headers(const setup& with) {
  const scratch folder;
  const std::string data = bytes_of<std::int16_t>({258, -2});
  const std::string line = "n 2, sum 256, mean 128, std 183.8478, min -2 at 1, max 258 at 0";
  for (int version : {1, 2, 3}) {
    expect_lines(with, {folder.write("a.npy", npy("<i2", 2, data, version))}, {"a: " + line});
  }
  // Other orders of the keys, other quotes, a long integer of Python 2, no spaces.
  expect_lines(with,
               {folder.write("b.npy", npy_with_header(R"({"shape":(2L,),"fortran_order":False,"descr":"<i2"})", data))},
               {"b: " + line});
  // Big endian.
  expect_lines(with, {folder.write("c.npy", npy(">i2", 2, std::string("\x01\x02\xff\xfe", 4)))}, {"c: " + line});
  expect_lines(with, {folder.write("d.npy", npy(">f8", 1, std::string("\xbf\xd0\0\0\0\0\0\0", 8)))},
               {"d: n 1, sum -0.25, mean -0.25, std nan, min -0.25 at 0, max -0.25 at 0, nan 0"});
  expect_lines(with, {folder.write("e.npy", npy(">u4", 1, std::string("\x01\x02\x03\x04", 4)))},
               {"e: n 1, sum 16909060, mean 16909060, std nan, min 16909060 at 0, max 16909060 at 0"});
  expect_lines(with, {folder.write("f.npy", npy(">i1", 1, "\x05"))},
               {"f: n 1, sum 5, mean 5, std nan, min 5 at 0, max 5 at 0"});
}

void test_sizes(const setup& with) {
  const scratch folder;
  for (std::size_t n : {1, 2, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 12345, 100003}) {
    std::vector<std::int32_t> values(n);
    // Every value occurs again and again, so the first of equals is put to the test.
    for (std::size_t i = 0; i < n; ++i) values[i] = std::int32_t(i * 7919 % 1000) - 500;
    expect_lines(with, {folder.write("s.npy", npy("<i4", n, bytes_of(values)))}, {"s: " + two_passes(values)});
  }
  std::vector<std::int32_t> flat(50000);
  for (std::size_t i : {12345, 12346, 49999}) flat[i] = -5;
  for (std::size_t i : {333, 44444}) flat[i] = 7;
  expect_lines(with, {folder.write("flat.npy", npy("<i4", flat.size(), bytes_of(flat)))},
               {"flat: " + two_passes(flat)});
}

}  // namespace

void test_kinds(const setup& with) {
  test_integers(with);
  test_floats(with);
  test_headers(with);
  test_sizes(with);
}

void test_csv(const setup& with) {
  const scratch folder;
  const auto expect = [&](const std::string& text, const std::string& column, const std::string& figures) {
    expect_lines(with, {folder.write("t.csv", text), "--column", column}, {column + ": " + figures});
  };
  const std::string line = "n 3, sum 6, mean 2, std 1, min 1 at 0, max 3 at 2";
  expect("a,b\n1,x\n2,y\n3,z\n", "a", line);
  expect("a,b\r\n1,x\r\n2,y\r\n3,z\r\n", "a", line);
  expect("b,a\r\nx,1\r\n\r\ny,2\r\nz,3", "a", line);
  expect(
      "\xEF\xBB\xBF"
      "a\n1\n2\n3\n",
      "a", line);
  expect("note,a\n\"one, \"\"two\"\"\nand three\",1\nx,\"2\"\n\"\", +3 \n", "a", line);
  expect("\"the, \"\"a\"\"\",b\n1,0\n2,0\n3,0\n", "the, \"a\"", line);
  expect("a\n9223372036854775807\n9223372036854775807\n", "a",
         "n 2, sum 18446744073709551614, mean 9.223372037e+18, std 0, min 9223372036854775807 at 0, "
         "max 9223372036854775807 at 0");
  // One cell that is no integer, and the column is one of doubles.
  expect("a\n1\n2.5\n-1e1\n", "a", "n 3, sum -6.5, mean -2.166666667, std 6.825198, min -10 at 2, max 2.5 at 1, nan 0");
  // Missing values.
  expect("a,b\n4,x\n,x\nNA,x\nnan,x\nNaN,x\n2,x\n", "a",
         "n 2, sum 6, mean 3, std 1.414214, min 2 at 5, max 4 at 0, nan 4");
  expect("a\n\"\"\n", "a", "n 0, sum 0, mean nan, std nan, min none, max none, nan 1");
}

}  // namespace describe_test
