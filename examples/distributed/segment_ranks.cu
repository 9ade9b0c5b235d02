// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A log of flights, in the order of their airports, is distributed over several GPUs: the airports, the delays of each,
// those of each day, and a table of airports by hours. An airport's flights, and a day's, go from one GPU to the next.
// One process drives all GPUs; on the host SIMT device there are three ranks of a stand-in for NCCL.
#include <gpuprim/distributed.cuh>
#include <gpuprim/distributed/matrix_reduce.cuh>
#include <gpuprim/distributed/reduce_by_key.cuh>
#include <gpuprim/distributed/segmented_reduce.cuh>
#include <gpuprim/distributed/unique.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

namespace distributed = gpuprim::distributed;
using measure::check;

void check_nccl(ncclResult_t result) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(result));
  std::exit(1);
}

/// Flights of an airport and of a day, and rows of the table.
constexpr int flights_of_airport = 700, flights_of_day = 1300, table_rows = 4;

/// What a GPU has: some flights, the days that begin among them, and some columns of a table; and its results.
struct part {
  int count = 0, days = 0, columns = 0;
  std::int64_t first = 0;  ///< flights on the GPUs before it
  std::unique_ptr<measure::device_array<int>> airports, delays, table;
  std::unique_ptr<measure::device_array<std::int64_t>> day_offsets;
  std::unique_ptr<measure::device_array<int>> own_airports, unique_airports, total_of_airport, worst_of_day, row_sums;
  std::unique_ptr<measure::device_array<distributed::selected_part>> place, place_of_totals;
};

int airport_of(std::int64_t flight) { return int(flight / flights_of_airport) * 3; }
int delay_of(std::int64_t flight) { return int(flight * 7919 % 1009) - 60; }

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 1000, 1 << 24);  // of the first rank; others have more
  int ranks = 3;
  if (measure::on_gpu) check(cudaGetDeviceCount(&ranks));
  std::vector<int> devices(std::size_t(ranks), 0);
  if (measure::on_gpu) std::iota(devices.begin(), devices.end(), 0);
  std::vector<ncclComm_t> comms(devices.size());
  check_nccl(ncclCommInitAll(comms.data(), ranks, devices.data()));

  std::vector<part> parts(devices.size());
  std::int64_t all = 0;
  for (int rank = 0; rank < ranks; ++rank) all += n + rank * 77;
  const std::int64_t all_days = (all + flights_of_day - 1) / flights_of_day;
  std::int64_t first = 0, day = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    part& own = parts[rank];
    own.count = n + int(rank) * 77;
    own.first = first;
    own.columns = 5 + int(rank);
    std::vector<int> airports, delays, table;
    for (int i = 0; i < own.count; ++i, ++first) {
      airports.push_back(airport_of(first));
      delays.push_back(delay_of(first));
    }
    for (int i = 0; i < table_rows * own.columns; ++i) table.push_back(i / own.columns + 1);
    std::vector<std::int64_t> day_offsets;
    for (; day < all_days && day * flights_of_day < first; ++day, ++own.days)
      day_offsets.push_back(day * flights_of_day);
    day_offsets.push_back(std::min(day * flights_of_day, all));
    check(cudaSetDevice(devices[rank]));
    own.airports = std::make_unique<measure::device_array<int>>(airports);
    own.delays = std::make_unique<measure::device_array<int>>(delays);
    own.table = std::make_unique<measure::device_array<int>>(table);
    own.day_offsets = std::make_unique<measure::device_array<std::int64_t>>(day_offsets);
    for (auto* array : {&own.own_airports, &own.unique_airports, &own.total_of_airport, &own.worst_of_day}) {
      *array = std::make_unique<measure::device_array<int>>(std::size_t(own.count));
    }
    own.row_sums = std::make_unique<measure::device_array<int>>(table_rows);
    own.place = std::make_unique<measure::device_array<distributed::selected_part>>(1);
    own.place_of_totals = std::make_unique<measure::device_array<distributed::selected_part>>(1);
  }

  // [calls]
  distributed::group group;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    const part& own = parts[rank];
    const distributed::options how{.group = &group};
    const gpuprim::plus<> plus;
    const int *const airports = own.airports->data(), *const delays = own.delays->data();
    // An airport's result is on the rank where its flights end.
    check(distributed::unique(comms[rank], airports, own.count, own.own_airports->data(), own.place->data(), how));
    check(distributed::reduce_by_key(comms[rank], airports, delays, own.count, own.unique_airports->data(),
                                     own.total_of_airport->data(), own.place_of_totals->data(), plus, how));
    // A day's result is on the rank where its flights begin. Offsets count the flights of all ranks.
    const distributed::rank_segments days{own.day_offsets->data(), own.first};
    check(distributed::segmented_reduce(comms[rank], delays, own.count, days, own.days, own.worst_of_day->data(),
                                        gpuprim::maximum{}, how));
    // Each rank has some columns of every row of the table, and gets the sums of all rows.
    check(distributed::row_reduce(comms[rank], own.table->data(), table_rows, own.columns, own.row_sums->data(), plus,
                                  how));
  }
  check(group.finish());
  // [calls]

  bool right = true;
  std::int64_t airports_before = 0, days_before = 0;
  int all_columns = 0;
  for (const part& own : parts) all_columns += own.columns;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    check(cudaDeviceSynchronize());
    const part& own = parts[rank];
    const auto place = own.place->on_host()[0], place_of_totals = own.place_of_totals->on_host()[0];
    const auto unique = own.own_airports->on_host(), keys = own.unique_airports->on_host();
    const auto totals = own.total_of_airport->on_host(), worst = own.worst_of_day->on_host();
    right = right && place.offset == airports_before && place.count == place_of_totals.count;
    for (std::size_t i = 0; i < std::size_t(place.count); ++i) {
      const std::int64_t begin = (airports_before + std::int64_t(i)) * flights_of_airport;
      int total = 0;
      for (std::int64_t k = begin; k < std::min(begin + flights_of_airport, all); ++k) total += delay_of(k);
      right = right && unique[i] == airport_of(begin) && keys[i] == airport_of(begin) && totals[i] == total;
    }
    for (std::size_t i = 0; i < std::size_t(own.days); ++i) {
      const std::int64_t begin = (days_before + std::int64_t(i)) * flights_of_day;
      int most = delay_of(begin);
      for (std::int64_t k = begin; k < std::min(begin + flights_of_day, all); ++k) most = std::max(most, delay_of(k));
      right = right && worst[i] == most;
    }
    const auto sums = own.row_sums->on_host();
    for (int row = 0; row < table_rows; ++row) right = right && sums[std::size_t(row)] == (row + 1) * all_columns;
    airports_before += place.count;
    days_before += own.days;
    right = right && place.total == (all + flights_of_airport - 1) / flights_of_airport;
    check_nccl(ncclCommDestroy(comms[rank]));
  }
  right = right && days_before == all_days;
  std::printf("%lld flights on %d ranks, %lld airports, %lld days: %s\n", (long long)(all), ranks,
              (long long)(airports_before), (long long)(all_days), right ? "right" : "wrong");
  return right ? 0 : 1;
}
