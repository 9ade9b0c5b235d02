// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes in a CUDA graph, by device events.
#include "../support/timing.hpp"
#include "session.hpp"

namespace bench {

namespace {

/// Where an input begins, and how long it is.
enum class base { aligned, misaligned, odd };

struct in_graph_row {
  const problem* what;
  std::int64_t n;
  base begins;
  memory where;

  std::int64_t bytes() const { return n * what->element_bytes; }
  /// By one element.
  std::int64_t offset() const { return begins == base::misaligned ? what->element_bytes : 0; }
  slices input(const arena& whole) const { return {whole, bytes(), offset(), where}; }
  std::string name() const {
    const char* begin = begins == base::aligned ? "aligned" : begins == base::misaligned ? "misaligned" : "odd";
    return "in_graph/" + what->op + "/" + what->type + "/" + begin + "/" + name_of(where) + "/" + std::to_string(n);
  }
};

void add(session& all, const in_graph_row& row) {
  if (row.n < 1 || !row.input(all.inputs).fits()) return;
  // Long passes differ less from time to time.
  const int rounds = row.bytes() < 256 * MiB ? 15 : 9;
  const auto run = [&all, row](benchmark::State& state) {
    run_in_graph(state, all, *row.what, row.n, row.input(all.inputs), row.where);
  };
  benchmark::RegisterBenchmark(row.name().c_str(), run)
      ->Iterations(rounds)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

void run_in_graph(benchmark::State& state, session& all, const problem& what, std::int64_t n, const slices& input,
                  memory where) {
  std::vector<contender> contenders = all.contenders(what, n, input[0]);
  if (contenders.empty()) return state.SkipWithError("results differ");

  const std::int64_t bytes = n * what.element_bytes;
  const double floor_us = all.floor.us(bytes, where);
  constexpr double slow_us = 2000;
  const std::int64_t passes = floor_us < slow_us ? input.passes() : 4;
  std::vector<std::unique_ptr<graph_timer>> timers;
  for (contender& c : contenders) {
    timers.push_back(std::make_unique<graph_timer>(
        passes, [&](std::int64_t i, cudaStream_t s) { return c.reduce->run(input[i], n, all.out, s); }));
  }
  int round = 0;
  for (auto _ : state) {
    take_turns(round++, int(contenders.size()), [&](int i) {
      const double us = timers[std::size_t(i)]->us_per_pass();
      contenders[std::size_t(i)].us.add(us);
      if (i == 0) state.SetIterationTime(us * 1e-6);
    });
  }
  for (const contender& c : contenders) report(state, c.library, c.us);
  state.counters["n"] = double(n);
  state.counters["bytes"] = double(bytes);
  state.counters["passes"] = double(passes);
  state.counters["floor_us"] = floor_us;
  state.counters["percent_of_floor"] = 100 * floor_us / contenders[0].us.median();
  state.SetLabel(cub_call(what));
}

void add_in_graph_rows(session& all) {
  for (const problem& what : problems()) {
    const std::int64_t size = what.element_bytes;
    for (int exponent = 8; exponent <= 32; ++exponent) {
      const std::int64_t bytes = std::int64_t(1) << exponent;
      add(all, {&what, bytes / size, base::aligned, usual_memory(bytes)});
    }
    if (what.op != "plus") continue;
    for (int exponent : {13, 16, 18, 20, 22, 24, 27, 30}) {
      const std::int64_t bytes = std::int64_t(1) << exponent;
      add(all, {&what, bytes / size, base::misaligned, usual_memory(bytes)});
      const std::int64_t odd = bytes / 4 * 3 / size + 3;
      add(all, {&what, odd, base::odd, usual_memory(odd * size)});
    }
  }
  // Between the cache and DRAM lie these: the rows above take them from DRAM, these from the cache.
  const problem& floats = find_problem("f32", "plus");
  for (int exponent = both_kinds_first; exponent <= both_kinds_last; ++exponent) {
    add(all, {&floats, (std::int64_t(1) << exponent) / 4, base::aligned, memory::l2});
  }
}

}  // namespace bench
