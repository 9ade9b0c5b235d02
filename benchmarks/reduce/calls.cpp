// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls on the host: to the end of the stream's work, and until the call returns.
#include "../support/timing.hpp"
#include "session.hpp"

namespace bench {

namespace {

constexpr int call_rounds = 301, value_rounds = 101, warm_up_rounds = 20, largest_exponent = 24;

struct call_row {
  const problem* what;
  std::int64_t n;
  memory where;

  std::int64_t bytes() const { return n * what->element_bytes; }
  slices input(const arena& whole) const { return {whole, bytes(), 0, where}; }
  std::string name(const char* mode) const {
    return std::string(mode) + "/" + what->op + "/" + what->type + "/" + name_of(where) + "/" + std::to_string(n);
  }
};

/// The floor of every call: an empty kernel and the wait for it.
double empty_call_us(cudaStream_t s) {
  const auto begin = std::chrono::steady_clock::now();
  check(launch_empty(s), "launch");
  check(cudaStreamSynchronize(s), "synchronise");
  return us_since(begin);
}

void describe(benchmark::State& state, const call_row& row, const samples& floor) {
  state.counters["n"] = double(row.n);
  state.counters["bytes"] = double(row.bytes());
  report(state, "launch_and_sync", floor);
}

/// Every call takes the next slice, so that no library finds in the cache what another has just read.
void call_and_sync(benchmark::State& state, session& all, const call_row& row) {
  const slices input = row.input(all.inputs);
  std::vector<contender> contenders = all.contenders(*row.what, row.n, input[0]);
  if (contenders.empty()) return state.SkipWithError("results differ");
  const int count = int(contenders.size());
  stream s;
  samples floor;
  std::int64_t slice = 0;
  auto measure = [&](int i) {
    if (i == count) return floor.add(empty_call_us(s));
    contender& c = contenders[std::size_t(i)];
    const void* in = input[slice++];
    const auto begin = std::chrono::steady_clock::now();
    check(c.reduce->run(in, row.n, all.out, s), c.library.c_str());
    const double host_us = us_since(begin);
    check(cudaStreamSynchronize(s), "synchronise");
    const double us = us_since(begin);
    c.us.add(us);
    c.host_ns.add(host_us * 1e3);
    if (i == 0) state.SetIterationTime(us * 1e-6);
  };
  int round = 0;
  for (; round < warm_up_rounds; ++round) take_turns(round, count + 1, measure);
  for (contender& c : contenders) c.us = c.host_ns = {};
  floor = {};
  for (auto _ : state) take_turns(round++, count + 1, measure);
  for (const contender& c : contenders) {
    report(state, c.library, c.us);
    state.counters[c.library + "_host_ns"] = c.host_ns.median();
  }
  describe(state, row, floor);
  state.SetLabel(cub_call(*row.what));
}

void value(benchmark::State& state, session& all, const call_row& row) {
  const slices input = row.input(all.inputs);
  all.fill_for(*row.what);
  std::vector<value_entry>& libraries = value_entries();
  const int count = int(libraries.size());
  std::vector<samples> us(libraries.size());
  stream s;
  samples floor;
  std::int64_t slice = 0;
  auto call = [&](int i, std::int64_t at) {
    return libraries[std::size_t(i)].run(static_cast<const float*>(input[at]), row.n, all.out, s);
  };
  for (int i = 1; i < count; ++i) {
    const float one = call(0, 0), other = call(i, 0);
    if (!row.what->agree(&one, &other)) return state.SkipWithError("results differ");
  }
  auto measure = [&](int i) {
    if (i == count) return floor.add(empty_call_us(s));
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(call(i, slice++));
    const double taken = us_since(begin);
    us[std::size_t(i)].add(taken);
    if (i == 0) state.SetIterationTime(taken * 1e-6);
  };
  int round = 0;
  for (; round < warm_up_rounds; ++round) take_turns(round, count + 1, measure);
  for (samples& u : us) u = {};
  floor = {};
  for (auto _ : state) take_turns(round++, count + 1, measure);
  for (int i = 0; i < count; ++i) report(state, libraries[std::size_t(i)].library, us[std::size_t(i)]);
  describe(state, row, floor);
  state.SetLabel(libraries.back().call);
}

using run_row = void (*)(benchmark::State&, session&, const call_row&);

void add(session& all, const char* mode, run_row run, int rounds, const call_row& row) {
  benchmark::RegisterBenchmark(row.name(mode).c_str(),
                               [&all, run, row](benchmark::State& state) { run(state, all, row); })
      ->Iterations(rounds)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void add_sizes(session& all, const char* mode, run_row run, int rounds, const problem& what) {
  for (int exponent = 8; exponent <= largest_exponent; ++exponent) {
    const std::int64_t bytes = std::int64_t(1) << exponent;
    add(all, mode, run, rounds, {&what, bytes / what.element_bytes, usual_memory(bytes)});
  }
}

}  // namespace

void add_call_rows(session& all) {
  for (const char* type : {"f32", "i32", "f64"}) {
    const problem& what = find_problem(type, "plus");
    add_sizes(all, "call_and_sync", &call_and_sync, call_rounds, what);
    // As in graphs: the rows above take these from DRAM, these from the cache.
    for (int exponent = both_kinds_first; exponent <= both_kinds_last; ++exponent) {
      const std::int64_t n = (std::int64_t(1) << exponent) / what.element_bytes;
      add(all, "call_and_sync", &call_and_sync, call_rounds, {&what, n, memory::l2});
    }
  }
}

void add_value_rows(session& all) { add_sizes(all, "value", &value, value_rounds, find_problem("f32", "plus")); }

}  // namespace bench
