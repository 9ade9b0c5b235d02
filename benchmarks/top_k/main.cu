// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Top-k beside CUB in one process; support/contest.cuh has the command line. The results are compared sorted. The floor
// reads the keys once.
#include "../support/contest.cuh"
#include "../support/key_copies.cuh"
#include "contenders.hpp"

namespace bench {

std::vector<top_k_contender>& top_k_contenders() {
  static std::vector<top_k_contender> all;
  return all;
}

}  // namespace bench

namespace {

/// How many keys a problem is timed with.
std::vector<std::int64_t> counts_of(const bench::top_k_problem& problem, int most_log2) {
  if (problem.rows > 0) return {problem.rows * problem.length};
  std::vector<std::int64_t> counts;
  for (int i = 10; i <= most_log2; i += 2) {
    if (std::int64_t{1} << i >= problem.k) counts.push_back(std::int64_t{1} << i);
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  auto& all = bench::top_k_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 4, 4);
  for (const bench::top_k_problem& problem : bench::top_k_problems) {
    if (!contest.has(problem.name)) continue;
    const std::int64_t out_bytes = 4 * problem.results();
    for (std::int64_t n : counts_of(problem, contest.most_log2)) {
      const bench::key_copies copies(problem, problem.order, n, {4 * n, 0, out_bytes, out_bytes}, contest.whole);
      const auto enqueue = [&](const bench::top_k_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, copies[copy], s);
      };
      contest.compete({problem.name, n}, all, copies.count(), {{copies[0].keys_out, out_bytes, bench::word_order::any}},
                      enqueue, [&] { return contest.floor_us(4 * n, 0); });
    }
  }
  return contest.end();
}
