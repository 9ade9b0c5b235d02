// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts beside CUB in one process; support/contest.cuh has the command line. The floor is what a sort by digits moves:
// it reads the keys to count digits, and for each 8 bits of a key a pass reads and writes keys and values. A sort by
// buckets moves less. For merge sort it is one such pass.
#include "../support/contest.cuh"
#include "../support/key_copies.cuh"
#include "contenders.hpp"

#include <algorithm>
#include <vector>

namespace bench {

std::vector<sort_contender>& sort_contenders() {
  static std::vector<sort_contender> all;
  return all;
}

}  // namespace bench

int main(int argc, char** argv) {
  auto& all = bench::sort_contenders();
  bench::sort_by_name(all);
  bench::contest contest(argc, argv, all.front().name, 24, 12);
  std::vector<std::int64_t> counts = bench::counts_up_to(contest.most_log2);
  counts.push_back(1 << 17);
  std::sort(counts.begin(), counts.end());
  for (const bench::sort_problem& problem : bench::sort_problems) {
    if (!contest.has(problem.name)) continue;
    for (std::int64_t n : counts) {
      const std::int64_t key_bytes = n * problem.key_bytes(), value_bytes = n * problem.value_bytes();
      const std::int64_t bytes = key_bytes + value_bytes;
      const bench::key_copies copies(problem, problem.order, n, {key_bytes, value_bytes, key_bytes, value_bytes},
                                     contest.whole);
      const auto enqueue = [&](const bench::sort_contender& who, std::int64_t copy, cudaStream_t s) {
        return who.enqueue(problem, copies[copy], s);
      };
      contest.compete({problem.name, n}, all, copies.count(),
                      {{copies[0].keys_out, key_bytes}, {copies[0].values_out, value_bytes}}, enqueue, [&] {
                        if (problem.call == bench::sort_call::merge_sort) return contest.floor_us(bytes, bytes);
                        return contest.floor_us(key_bytes, 0) + problem.key_bytes() * contest.floor_us(bytes, bytes);
                      });
    }
  }
  return contest.end();
}
