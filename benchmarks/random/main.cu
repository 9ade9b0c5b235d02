// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls beside CUB's, to find what is slow where nobody looked: `random [seconds [seed [results.csv]]]`. Each
// is timed among others of its kind in a CUDA graph, both libraries in turns. Prints, for each kind, how many there
// were, the least, the 5th percentile and the median of CUB's time over gpuprim's, and the worst call. Results are not
// compared: tests/device/random_calls.cu looks for wrong ones.
#include "../support/results.hpp"
#include "../support/samples.hpp"
#include "workspace.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

namespace bench {

std::vector<make_comparison>& random_comparisons() {
  static std::vector<make_comparison> all;
  return all;
}

gpuprim::workspace& shared_workspace() {
  static gpuprim::workspace workspace;
  return workspace;
}

}  // namespace bench

namespace {

using bench::check;

struct result {
  double ratio, us, cub_us;
  std::string details;
};

/// Medians of seven rounds, each of as many passes as take about half a millisecond.
result measure(const bench::comparison& one) {
  const bench::enqueue_pass* const calls[] = {&one.gpuprim, &one.cub};
  std::unique_ptr<bench::graph_timer> timers[2];
  const double first_us = bench::graph_timer(2, one.cub).us_per_pass();
  const auto passes = std::clamp<std::int64_t>(std::int64_t(500 / first_us), 2, 40);
  for (int i = 0; i < 2; ++i) timers[i] = std::make_unique<bench::graph_timer>(passes, *calls[i]);
  bench::samples us[2];
  for (int round = 0; round < 7; ++round) {
    bench::take_turns(round, 2, [&](int i) { us[i].add(timers[i]->us_per_pass()); });
  }
  return {us[1].median() / us[0].median(), us[0].median(), us[1].median(), one.details};
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  bench::random_numbers random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  std::FILE* const file = argc > 3 ? bench::open_to_write(argv[3]) : nullptr;
  bench::call_memory memory{};
  for (char** part :
       {&memory.in, &memory.second, &memory.out, &memory.second_out, &memory.third_out, &memory.temporary}) {
    check(cudaMalloc(part, bench::call_memory::bytes), "allocate");
    check(cudaMemset(*part, 0, bench::call_memory::bytes), "clear");
  }
  check(bench::shared_workspace().reserve(std::int64_t{1} << 28), "reserve");
  std::map<std::string, std::vector<result>> results;
  const auto begin = std::chrono::steady_clock::now();
  const auto& kinds = bench::random_comparisons();
  while (bench::us_since(begin) < seconds * 1e6) {
    const auto one = kinds[std::size_t(random.below(std::int64_t(kinds.size())))](random, memory);
    if (file) std::fprintf(file, "%s,%s", one.kind.c_str(), one.details.c_str());  // first: it tells what fails
    auto& of_kind = results[one.kind];
    of_kind.push_back(measure(one));
    const result& last = of_kind.back();
    if (file) std::fprintf(file, ",%.3f,%.3f,%.3f\n", last.us, last.cub_us, last.ratio);
  }
  if (file) std::fclose(file);
  std::printf("%-36s %6s %7s %7s %7s  %s\n", "kind", "calls", "least", "5 %", "median", "the worst call, us, CUB's us");
  for (const auto& [kind, all] : results) {
    bench::samples ratios;
    for (const result& one : all) ratios.add(one.ratio);
    const auto worst = std::min_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.ratio < b.ratio; });
    std::printf("%-36s %6zu %7.2f %7.2f %7.2f  %s, %.2f, %.2f\n", kind.c_str(), all.size(), worst->ratio,
                ratios.quantile(0.05), ratios.median(), worst->details.c_str(), worst->us, worst->cub_us);
  }
}
