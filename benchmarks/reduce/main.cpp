// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide reduce beside CUB and Thrust in one process. `bench_reduce --benchmark_out=reduce.json`;
// scripts/bench_table.py turns the file into tables and the committed results.
#include "session.hpp"

int main(int argc, char** argv) {
  return bench::run_suite(argc, argv, {bench::add_in_graph_rows, bench::add_call_rows, bench::add_value_rows});
}
