// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deduplication of sorted records: the different keys, the first record of each, and the same in place.
#include <gpuprim/select.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

/// Times in seconds that lie in one hour.
struct same_hour {
  __host__ __device__ bool operator()(int a, int b) const { return a / 3600 == b / 3600; }
};

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 100000);
  std::vector<int> times, events;
  for (int i = 0; i < n; ++i) {
    times.push_back(i / 3 * 7);
    events.push_back(i);
  }
  const measure::device_array<int> device_times(times), device_events(events), in_place(times);
  const measure::device_array<int> hours(times.size()), first_events(times.size()), counts(1);
  const int *time = device_times.data(), *event = device_events.data();
  int *hour = hours.data(), *first_event = first_events.data(), *how_many = counts.data();

  // [by_key]
  // The first event of each hour, and its time. Neighbours are compared, so that the times must be in order.
  const cudaError_t e = gpuprim::unique_by_key(time, event, n, hour, first_event, how_many, same_hour{});
  // [by_key]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }
  // [in_place]
  // The different times move to the front of the array itself.
  int* const all = in_place.data();
  const std::int64_t different = gpuprim::unique_count(all, n, all);
  // [in_place]

  std::vector<int> want_hours, want_events, want_times = times;
  for (int i = 0; i < n; ++i) {
    const std::size_t at = std::size_t(i);
    if (i > 0 && same_hour{}(times[at - 1], times[at])) continue;
    want_hours.push_back(times[at]);
    want_events.push_back(i);
  }
  want_times.erase(std::unique(want_times.begin(), want_times.end()), want_times.end());
  const std::vector<int> got_hours = hours.on_host(), got_events = first_events.on_host(), got = in_place.on_host();
  const bool right = counts.on_host()[0] == int(want_hours.size()) && different == std::int64_t(want_times.size()) &&
                     std::equal(want_hours.begin(), want_hours.end(), got_hours.begin()) &&
                     std::equal(want_events.begin(), want_events.end(), got_events.begin()) &&
                     std::equal(want_times.begin(), want_times.end(), got.begin());
  std::printf("%d events at %d times in %d hours: %s\n", n, int(different), int(want_hours.size()),
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
