// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Count, sum, mean, standard deviation, minimum and maximum of files of numbers, each column in one pass on
// the device.
#include "csv.hpp"
#include "device.cuh"
#include "element_types.cuh"
#include "figures.cuh"
#include "npy.hpp"
#include "pivot.hpp"
#include "report.cuh"
#ifndef SIMT_DEVICE
#include "timing.cuh"
#endif

#include <cstdio>
#include <filesystem>

namespace describe {

constexpr const char* usage =
    "usage: describe FILE [--column NAME]... [FILE [--column NAME]...]...\n"
    "  FILE  a one-dimensional NumPy array (.npy), or comma-separated text with names in its first line, of "
    "which\n"
    "        each NAME is a column\n";

struct request {
  std::string path;
  std::vector<std::string> columns;
};

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<request> parse_arguments(int count, char** arguments) {
  std::vector<request> requests;
  for (int i = 1; i < count; ++i) {
    std::string argument = arguments[i];
    const bool joined = argument.starts_with("--column=");
    if (joined || argument == "--column") {
      if (requests.empty()) throw usage_error("--column needs a file before it");
      if (!joined && ++i == count) throw usage_error("--column needs a name");
      requests.back().columns.push_back(joined ? argument.substr(argument.find('=') + 1) : arguments[i]);
    } else if (argument.starts_with("-")) {
      throw usage_error("unknown option " + in_quotes(argument));
    } else {
      requests.push_back({std::move(argument), {}});
    }
  }
  if (requests.empty()) throw usage_error("no file is given");
  return requests;
}

std::vector<column> read_columns(const request& asked) {
  const file_handle file = open_file(asked.path);
  const bool is_npy = asked.path.ends_with(".npy");
  if (is_npy && !asked.columns.empty()) throw input_error("a NumPy array has no columns; leave --column out");
  if (is_npy) {
    column whole = read_npy(file.get());
    whole.name = std::filesystem::path(asked.path).stem().string();
    return {std::move(whole)};
  }
  const std::vector<char> text = read_bytes(file.get(), SIZE_MAX);
  if (std::string_view(text.data(), text.size()).starts_with(npy_magic)) {
    throw input_error("this is a NumPy file; its name must end in .npy");
  }
  if (asked.columns.empty()) throw input_error("this is not a .npy file; for comma-separated text, add --column NAME");
  std::vector<column> columns;
  for (const std::string& name : asked.columns) columns.push_back(read_csv({text.data(), text.size()}, name));
  return columns;
}

/// The whole pass: one gpuprim::reduce_into.
template <class T>
std::string describe_elements(const column& values) {
  const device_memory memory(values.bytes.size()), out(sizeof(summary<T>));
  check(cudaMemcpy(memory.as<void>(), values.bytes.data(), values.bytes.size(), cudaMemcpyHostToDevice),
        "copying the column to the device");
  const auto pivot = find_pivot<number<T>>(values.count, [&](std::int64_t i) {
    T element;
    std::memcpy(&element, values.bytes.data() + i * std::int64_t(sizeof(T)), sizeof(T));
    return number<T>(element);
  });
  const auto query = figures<T>(pivot);
  gpuprim::workspace ws(gpuprim::reduce_into_workspace_bytes<T>(values.count, query));
  const auto pass = [&] {
    return gpuprim::reduce_into(memory.as<const T>(), values.count, places(out.as<summary<T>>()), query,
                                {.workspace = &ws});
  };
  check(pass(), "the pass over the column");
  summary<T> all;
  check(cudaMemcpy(&all, out.as<void>(), sizeof all, cudaMemcpyDeviceToHost), "the pass over the column");
  all.pivot = pivot;
  std::string lines = report_line(values.name, all, values.count) + "\n";
#ifndef SIMT_DEVICE
  lines += timing_line(std::int64_t(values.bytes.size()), pass) + "\n";
#endif
  return lines;
}

std::string describe_column(const column& values) {
  return with_element_type(values.kind, [&]<class T>() { return describe_elements<T>(values); });
}

std::string closing_sentence() {
#ifdef SIMT_DEVICE
  return "Ran on the host SIMT device because there is no GPU; times would say nothing and are left out.\n";
#else
  return known_read_limit().sentence + "\n";
#endif
}

/// All files are read before anything is computed, and nothing is printed before all of it is known.
int run(const std::vector<request>& requests) {
  std::vector<column> columns;
  for (const request& asked : requests) {
    try {
      for (column& values : read_columns(asked)) columns.push_back(std::move(values));
    } catch (const input_error& fault) {
      std::fprintf(stderr, "describe: %s: %s\n", asked.path.c_str(), fault.what());
      return 2;
    }
  }
  require_device();
  std::string text;
  for (const column& values : columns) text += describe_column(values);
  text += closing_sentence();
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    std::fprintf(stderr, "describe: the result cannot be written\n");
    return 1;
  }
  return 0;
}

}  // namespace describe

int main(int count, char** arguments) try {
  if (count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(describe::usage, stdout);
    return 0;
  }
  return describe::run(describe::parse_arguments(count, arguments));
} catch (const describe::usage_error& fault) {
  std::fprintf(stderr, "describe: %s\n%s", fault.what(), describe::usage);
  return 2;
} catch (const std::exception& fault) {  // device_error, gpuprim::cuda_error, and memory that ran out
  std::fprintf(stderr, "describe: %s\n", fault.what());
  return 3;
}
