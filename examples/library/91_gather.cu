// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a table by their numbers, and back: a gather reads where an index says, a scatter writes there. A scatter by
// a permutation undoes the gather by it.
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cstdio>
#include <vector>

struct flight {
  int number;
  float delay, distance;
};

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 5003);
  std::vector<flight> flights;
  std::vector<int> order;
  for (int i = 0; i < n; ++i) {
    flights.push_back({i, 0.5f * float(i), 100.0f + float(i)});
    order.push_back(n - 1 - i);
  }
  const measure::device_array<flight> table(flights), picked(flights.size()), back(flights.size());
  const measure::device_array<int> rows(order);

  // [calls]
  cudaError_t error = gpuprim::gather(table.data(), rows.data(), n, picked.data());  // picked[i] = table[rows[i]]
  if (error == cudaSuccess) {
    error = gpuprim::scatter(picked.data(), rows.data(), n, back.data());  // back[rows[i]] = picked[i]
  }
  // [calls]
  measure::check(error);
  const auto got = picked.on_host(), got_back = back.on_host();
  bool right = true;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    right &= got[at].number == n - 1 - i && got_back[at].number == i && got_back[at].delay == flights[at].delay;
  }
  std::printf("%d rows: %s\n", n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
