// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs describe as a user would and compares status, output and messages.
#pragma once

#include <cstring>
#include <string>
#include <vector>

namespace describe_test {

struct outcome {
  int status;  ///< exit status, or 128 + the signal
  std::string output, errors;
};

/// What the test program was told: the program under test, the data, the tree's device.
struct setup {
  std::string program, data, device;
};

outcome run_describe(const setup& with, const std::vector<std::string>& arguments);

/// Checks that the lines, and only those, are printed for these arguments, with what belongs to the device
/// around them.
void expect_lines(const setup& with, const std::vector<std::string>& arguments, const std::vector<std::string>& lines);

/// Checks for exit status 2, nothing on the output, and exactly this message about this file.
void expect_refusal(const setup& with, const std::vector<std::string>& arguments, const std::string& file,
                    const std::string& fault);

void report_failure(const std::string& text);

/// A folder for the files that a test writes; gone with the object.
class scratch {
 public:
  scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch();
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string folder_;
};

/// The values as they stand in memory.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A NumPy file of one dimension, or with a header's text of its own.
std::string npy_with_header(const std::string& header, const std::string& data, int version = 1);
std::string npy(const std::string& descr, std::size_t count, const std::string& data, int version = 1);

void test_kinds(const setup& with);
void test_csv(const setup& with);
void test_errors(const setup& with);

}  // namespace describe_test
