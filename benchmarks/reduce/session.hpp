// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../support/floor.hpp"
#include "../support/samples.hpp"
#include "passes.hpp"

#include <benchmark/benchmark.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// One library's part in a row.
struct contender {
  std::string library;  ///< "gpuprim", one of its other forms, "cub" (the toolkit's), or "cub_<version>"
  std::unique_ptr<pass> reduce;
  samples us, host_ns;
};

/// What all rows share.
class session {
 public:
  session(arena& inputs, read_floor& floor);
  ~session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  arena& inputs;
  read_floor& floor;
  void* out = nullptr;  ///< room for one result, and for what a value on the host needs

  /// Fills the inputs for a problem, if they are not so already.
  void fill_for(const problem& what);
  /// Fills the inputs and makes gpuprim's part, that of its other forms and that of every CUB that has the problem;
  /// none if their results over `in` differ.
  std::vector<contender> contenders(const problem& what, std::int64_t n, const void* in);

 private:
  bool results_agree(const problem& what, std::vector<contender>& all, const void* in, std::int64_t n);

  std::string filled_with_;
};

/// CUB's call for a problem, in words.
std::string cub_call(const problem& what);
const problem& find_problem(std::string_view type, std::string_view op);

/// Enters median and quartiles as counters `<library>_us`, `<library>_q1_us`, `<library>_q3_us`.
void report(benchmark::State& state, const std::string& library, const samples& us);

// Each enters its rows: `in_graph/<op>/<type>/<base>/<memory>/<n>`, `call_and_sync/<op>/<type>/<memory>/<n>`,
// `value/<op>/<type>/<memory>/<n>`.
void add_in_graph_rows(session& all);
void add_call_rows(session& all);
void add_value_rows(session& all);

/// Times all contenders of a problem in a graph of passes over the slices, in turn.
void run_in_graph(benchmark::State& state, session& all, const problem& what, std::int64_t n, const slices& input,
                  memory where);

/// The whole of a benchmark program: describes the device, adds the rows, runs those that the arguments ask for.
int run_suite(int argc, char** argv, std::initializer_list<void (*)(session&)> add_rows);

}  // namespace bench
