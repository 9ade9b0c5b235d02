// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Usage: describe_test DESCRIBE DATA_FOLDER simt|cuda CASE
#include "program_test.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace describe_test {

namespace {

int failures = 0;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string joined(const std::vector<std::string>& arguments) {
  std::string text = "describe";
  for (const std::string& argument : arguments) text += " " + argument;
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// `  6.1 us, 65.6 GB/s, 1.41 % of the read limit`
bool is_timing_line(const std::string& line) {
  double us = 0, rate = 0, percent = 0;
  int end = 0;
  const int read =
      std::sscanf(line.c_str(), "  %lf us, %lf GB/s, %lf %% of the read limit%n", &us, &rate, &percent, &end);
  return read == 3 && std::size_t(end) == line.size() && us > 0 && rate > 0 && percent > 0;
}

}  // namespace

void report_failure(const std::string& text) {
  std::fprintf(stderr, "FAILED: %s\n", text.c_str());
  ++failures;
}

scratch::scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "describe-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
}
scratch::~scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}
std::string scratch::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

outcome run_describe(const setup& with, const std::vector<std::string>& arguments) {
  const scratch folder;
  const std::string output = folder.path("output"), errors = folder.path("errors");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    std::vector<char*> argv{const_cast<char*>(with.program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (std::freopen(output.c_str(), "wb", stdout) && std::freopen(errors.c_str(), "wb", stderr)) {
      execv(argv[0], argv.data());
    }
    _exit(125);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), content_of(output), content_of(errors)};
}

void expect_lines(const setup& with, const std::vector<std::string>& arguments, const std::vector<std::string>& lines) {
  const outcome got = run_describe(with, arguments);
  const auto fail = [&](const std::string& why) {
    report_failure(joined(arguments) + ": " + why + "\n  status " + std::to_string(got.status) + "\n" + got.output +
                   got.errors);
  };
  if (got.status != 0 || !got.errors.empty()) return fail("it must succeed and say nothing on stderr");
  const std::vector<std::string> printed = lines_of(got.output);
  const std::size_t lines_each = with.device == "cuda" ? 2 : 1;
  if (printed.size() != lines.size() * lines_each + 1) return fail("the number of lines is wrong");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (printed[i * lines_each] != lines[i]) fail("expected this line:\n  " + lines[i]);
    if (lines_each == 2 && !is_timing_line(printed[i * lines_each + 1])) fail("a line of timings is missing");
  }
  const std::string& last = printed.back();
  if (with.device == "cuda") {
    if (!last.starts_with("Ran on ") || last.find(" GB/s: measured") == last.npos) fail("no read limit");
  } else if (last !=
             "Ran on the host SIMT device because there is no GPU; times would say nothing and are left "
             "out.") {
    fail("the last line must say where it ran");
  }
}

void expect_refusal(const setup& with, const std::vector<std::string>& arguments, const std::string& file,
                    const std::string& fault) {
  const outcome got = run_describe(with, arguments);
  const std::string message = "describe: " + file + ": " + fault + "\n";
  if (got.status == 2 && got.output.empty() && got.errors == message) return;
  report_failure(joined(arguments) + ": expected status 2, no output, and\n  " + message + "got status " +
                 std::to_string(got.status) + ", output '" + got.output + "' and\n  " + got.errors);
}

namespace {

using test_case = void (*)(const setup&);

const std::map<std::string, test_case> cases{
    {"delay",
     [](const setup& with) {
       expect_lines(with, {with.data + "/flights/delay.npy"},
                    {"delay: n 200000, sum 1500159, mean 7.500795, std 31.98378, min -86 at 166523, max 1444 "
                     "at 199991"});
     }},
    {"distance",
     [](const setup& with) {
       expect_lines(with, {with.data + "/flights/distance.npy"},
                    {"distance: n 200000, sum 145847125, mean 729.235625, std 572.1136, min 30 at 141145, "
                     "max 4962 at 33028"});
     }},
    {"time",
     [](const setup& with) {
       expect_lines(with, {with.data + "/flights/time.npy"},
                    {"time: n 200000, sum 2755170.16624, mean 13.77585083, std 4.89748, min 0 at 0, "
                     "max 23.983334 at 199974, nan 0"});
     }},
    {"weather",
     [](const setup& with) {
       expect_lines(with,
                    {with.data + "/seattle-weather.csv", "--column", "precipitation", "--column", "temp_max",
                     "--column=temp_min", "--column", "wind", with.data + "/flights/delay.npy"},
                    {"precipitation: n 1461, sum 4426, mean 3.029431896, std 6.680194, min 0 at 0, max 55.9 at 1169, "
                     "nan 0",
                     "temp_max: n 1461, sum 24017.5, mean 16.43908282, std 7.349758, min -1.6 at 767, max 35.6 at "
                     "953, nan 0",
                     "temp_min: n 1461, sum 12031, mean 8.234770705, std 5.023004, min -7.1 at 706, max 18.3 at 228, "
                     "nan 0",
                     "wind: n 1461, sum 4735.3, mean 3.241136208, std 1.437825, min 0.4 at 661, max 9.5 at 351, nan 0",
                     "delay: n 200000, sum 1500159, mean 7.500795, std 31.98378, min -86 at 166523, max 1444 at "
                     "199991"});
     }},
    {"no_gpu",
     [](const setup& with) {
       const outcome got = run_describe(with, {with.data + "/flights/delay.npy"});
       if (got.status != 3 || !got.output.empty() ||
           !got.errors.starts_with("describe: this build needs a GPU, and there is none: ")) {
         report_failure("without a GPU: status " + std::to_string(got.status) + "\n" + got.output + got.errors);
       }
     }},
    {"kinds", test_kinds},
    {"csv", test_csv},
    {"errors", test_errors},
};

}  // namespace

}  // namespace describe_test

int main(int count, char** arguments) {
  const auto chosen = count == 5 ? describe_test::cases.find(arguments[4]) : describe_test::cases.end();
  if (chosen == describe_test::cases.end()) {
    std::fprintf(stderr, "usage: describe_test DESCRIBE DATA_FOLDER simt|cuda CASE\n");
    return 2;
  }
  chosen->second({arguments[1], arguments[2], arguments[3]});
  return describe_test::failures == 0 ? 0 : 1;
}
