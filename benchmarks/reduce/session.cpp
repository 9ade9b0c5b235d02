// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.hpp"

#include <cstdio>

namespace bench {

session::session(arena& inputs, read_floor& floor) : inputs(inputs), floor(floor) {
  check(cudaMalloc(&out, value_storage_bytes), "allocate the result");
}
session::~session() { (void)cudaFree(out); }

void session::fill_for(const problem& what) {
  if (filled_with_ == what.filled_with) return;
  what.fill(inputs.data(), inputs.bytes());
  filled_with_ = what.filled_with;
}

std::vector<contender> session::contenders(const problem& what, std::int64_t n, const void* in) {
  fill_for(what);
  std::vector<contender> all;
  all.push_back({"gpuprim", what.with_gpuprim(n), {}, {}});
  for (const form_entry& other : form_entries()) {
    if (other.type == what.type && other.op == what.op) all.push_back({other.form, other.with_gpuprim(n), {}, {}});
  }
  for (const cub_entry& cub : cub_entries()) {
    if (cub.type != what.type || cub.op != what.op) continue;
    const bool of_toolkit = cub.cub_version == toolkit_cub_version();
    all.push_back({of_toolkit ? "cub" : "cub_" + std::to_string(cub.cub_version), cub.with_cub(n), {}, {}});
  }
  if (!results_agree(what, all, in, n)) all.clear();
  return all;
}

bool session::results_agree(const problem& what, std::vector<contender>& all, const void* in, std::int64_t n) {
  std::vector<char> first(std::size_t(what.result_bytes)), next(first.size());
  for (contender& c : all) {
    check(cudaMemset(out, 0xff, first.size()), "poison the result");
    check(c.reduce->run(in, n, out, nullptr), c.library.c_str());
    check(cudaMemcpy(next.data(), out, next.size(), cudaMemcpyDeviceToHost), "copy the result");
    if (&c == &all.front()) first = next;
    if (!what.agree(first.data(), next.data())) return false;
  }
  return true;
}

std::string cub_call(const problem& what) {
  for (const cub_entry& cub : cub_entries()) {
    if (cub.type == what.type && cub.op == what.op) return cub.call;
  }
  return "none";
}

const problem& find_problem(std::string_view type, std::string_view op) {
  for (const problem& p : problems()) {
    if (p.type == type && p.op == op) return p;
  }
  std::fprintf(stderr, "no such problem: %s of %s\n", std::string(op).c_str(), std::string(type).c_str());
  std::exit(1);
}

void report(benchmark::State& state, const std::string& library, const samples& us) {
  state.counters[library + "_us"] = us.median();
  state.counters[library + "_q1_us"] = us.quantile(0.25);
  state.counters[library + "_q3_us"] = us.quantile(0.75);
}

}  // namespace bench
