// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts delays that are distributed over several GPUs, with the flight of each, and finds the longest ones. One process
// drives all GPUs; on the host SIMT device there are three ranks of a stand-in for NCCL.
#include <gpuprim/distributed.cuh>
#include <gpuprim/distributed/sort.cuh>
#include <gpuprim/distributed/top_k.cuh>

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

constexpr int k = 5;

/// What a GPU has: its delays and their flights, which are sorted in place, and the longest delays of all.
struct part {
  int count = 0;
  std::unique_ptr<measure::device_array<int>> delays, flights, longest;
  std::unique_ptr<measure::device_array<std::int64_t>> places;
};

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 1000, 1 << 28);  // of the first rank; others have more
  int ranks = 3;
  if (measure::on_gpu) check(cudaGetDeviceCount(&ranks));
  std::vector<int> devices(std::size_t(ranks), 0);
  if (measure::on_gpu) std::iota(devices.begin(), devices.end(), 0);
  std::vector<ncclComm_t> comms(devices.size());
  check_nccl(ncclCommInitAll(comms.data(), ranks, devices.data()));

  std::vector<part> parts(devices.size());
  std::vector<int> all;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    part& own = parts[rank];
    own.count = n + int(rank) * 77;
    std::vector<int> delays, flights;
    for (int i = 0; i < own.count; ++i) {
      flights.push_back(int(all.size()));
      delays.push_back(int(all.size() * 7919 % 1009) - 60);
      all.push_back(delays.back());
    }
    check(cudaSetDevice(devices[rank]));
    own.delays = std::make_unique<measure::device_array<int>>(delays);
    own.flights = std::make_unique<measure::device_array<int>>(flights);
    own.longest = std::make_unique<measure::device_array<int>>(k);
    own.places = std::make_unique<measure::device_array<std::int64_t>>(k);
  }

  // [calls]
  // Every rank gets the longest delays of all ranks, and where they are among all.
  distributed::group group;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    const part& own = parts[rank];
    check(distributed::top_k_positions(comms[rank], own.delays->data(), own.count, k, own.longest->data(),
                                       own.places->data(), gpuprim::largest.sorted(), {.group = &group}));
  }
  check(group.finish());
  // Behind it, because the calls of one group may not write what others read: the first ranks get the least delays.
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    int *const delays = parts[rank].delays->data(), *const flights = parts[rank].flights->data();
    check(distributed::sort_pairs(comms[rank], delays, flights, parts[rank].count, delays, flights, gpuprim::ascending,
                                  {.group = &group}));
  }
  check(group.finish());
  // [calls]

  std::vector<int> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return all[std::size_t(a)] < all[std::size_t(b)]; });
  std::vector<int> from_longest(all.size());
  std::iota(from_longest.begin(), from_longest.end(), 0);
  std::stable_sort(from_longest.begin(), from_longest.end(),
                   [&](int a, int b) { return all[std::size_t(a)] > all[std::size_t(b)]; });
  bool right = true;
  std::size_t at = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    check(cudaDeviceSynchronize());
    const part& own = parts[rank];
    const auto delays = own.delays->on_host(), flights = own.flights->on_host(), longest = own.longest->on_host();
    const auto places = own.places->on_host();
    for (std::size_t i = 0; i < delays.size(); ++i, ++at) {
      right = right && flights[i] == order[at] && delays[i] == all[std::size_t(order[at])];
    }
    for (std::size_t i = 0; i < longest.size(); ++i) {
      right = right && places[i] == from_longest[i] && longest[i] == all[std::size_t(from_longest[i])];
    }
    check_nccl(ncclCommDestroy(comms[rank]));
  }
  std::printf("%zu delays on %d ranks, sorted, the longest %d of flight %d: %s\n", all.size(), ranks,
              all[std::size_t(from_longest[0])], from_longest[0], right ? "right" : "wrong");
  return right ? 0 : 1;
}
