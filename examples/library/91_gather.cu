// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a table by their numbers, and back: a gather reads where an index says, a scatter writes there. A scatter by
// a permutation undoes the gather by it. Rows that a predicate chooses, in the reverse order, and in a random one.
// Several parts of the table at once.
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cstdio>
#include <vector>

struct flight {
  int number;
  float delay, distance;
};

struct is_late {
  __host__ __device__ bool operator()(const flight& f) const { return f.delay > 1000; }
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
  const measure::device_array<flight> late(std::vector<flight>(flights.size())), mixed(flights.size());
  const measure::device_array<int> rows(order), places(flights.size());

  // [calls]
  cudaError_t error = gpuprim::gather(table.data(), rows.data(), n, picked.data());  // picked[i] = table[rows[i]]
  if (error == cudaSuccess) {
    error = gpuprim::scatter(picked.data(), rows.data(), n, back.data());  // back[rows[i]] = picked[i]
  }
  // [calls]
  // [some]
  // Only the flights that are late: other places stay as they are. Here the stencil is what is read itself.
  if (error == cudaSuccess) {
    error = gpuprim::scatter_if(table.data(), rows.data(), table.data(), n, late.data(), is_late{});
  }
  if (error == cudaSuccess) {
    error = gpuprim::gather_if(table.data(), rows.data(), late.data(), n, late.data(), is_late{});
  }
  // [some]
  // [orders]
  if (error == cudaSuccess) error = gpuprim::reverse(picked.data(), n, picked.data());      // in place
  if (error == cudaSuccess) error = gpuprim::shuffle(table.data(), n, mixed.data(), 2026);  // by a seed
  // The same order as a permutation: mixed[i] is table[places[i]].
  if (error == cudaSuccess) error = gpuprim::copy(gpuprim::shuffled_positions(n, 2026), n, places.data());
  // [orders]
  const std::vector<int> lengths{n / 4, 1, n / 2};
  const flight* const first = table.data();
  const measure::device_array<const flight*> parts(std::vector<const flight*>{first + n / 2, first + 3, first});
  const measure::device_array<flight> joined(flights.size() + 1);
  const measure::device_array<flight*> places_of_parts(
      std::vector<flight*>{joined.data(), joined.data() + n / 4, joined.data() + n / 4 + 1});
  const measure::device_array<int> part_lengths(lengths);
  // [batched]
  // From each of three places in the table as many rows as the part has.
  if (error == cudaSuccess) error = gpuprim::copy_batched(parts.data(), places_of_parts.data(), part_lengths.data(), 3);
  // [batched]
  measure::check(error);
  const auto got = picked.on_host(), got_back = back.on_host(), got_late = late.on_host(), got_mixed = mixed.on_host();
  const auto got_places = places.on_host();
  const auto got_joined = joined.on_host();
  bool right = got_joined[std::size_t(n / 4)].number == 3;
  for (int i = 0; i < lengths[0]; ++i) right &= got_joined[std::size_t(i)].number == n / 2 + i;
  for (int i = 0; i < lengths[2]; ++i) right &= got_joined[std::size_t(n / 4 + 1 + i)].number == i;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    right &= got[at].number == i && got_back[at].number == i && got_back[at].delay == flights[at].delay;
    const bool was_late = is_late{}(flights[std::size_t(n - 1 - i)]);
    right &= got_late[at].number == (was_late ? n - 1 - i : 0) && got_mixed[at].number == got_places[at];
  }
  std::printf("%d rows: %s\n", n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
