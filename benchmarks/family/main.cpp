// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction family beside CUB in one process: family --benchmark_out=family.json. Rows are
// in_graph/<op>/<type>/aligned/<memory>/<n>; the time of "plus" is that of one output for those of several.
#include "../reduce/session.hpp"

namespace {

void add_family_rows(bench::session& all) {
  for (const bench::problem& what : bench::problems()) {
    for (int exponent : {16, 20, 24, 27, 30, 32}) {
      const std::int64_t bytes = std::int64_t{1} << exponent, n = bytes / what.element_bytes;
      const bench::memory where = bench::usual_memory(bytes);
      if (!bench::slices(all.inputs, bytes, 0, where).fits()) continue;
      const std::string name =
          "in_graph/" + what.op + "/" + what.type + "/aligned/" + bench::name_of(where) + "/" + std::to_string(n);
      const auto run = [&all, &what, n, bytes, where](benchmark::State& state) {
        bench::run_in_graph(state, all, what, n, bench::slices(all.inputs, bytes, 0, where), where);
      };
      benchmark::RegisterBenchmark(name.c_str(), run)->Iterations(9)->UseManualTime()->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return bench::run_suite(argc, argv, {add_family_rows}); }
