// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One process drives all GPUs: the elements are parted among them, and each call is made once for every GPU, as one
// group, because the GPUs wait for each other. On the host SIMT device there are three ranks of a stand-in for NCCL.
#include <gpuprim/distributed.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

namespace distributed = gpuprim::distributed;
using measure::check;

struct is_large {
  __host__ __device__ bool operator()(int x) const { return x >= 900; }
};

void check_nccl(ncclResult_t result) {
  if (result == ncclSuccess) return;
  std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(result));
  std::exit(1);
}

/// What a GPU has: its part of the elements, and its results.
struct part {
  std::vector<int> host;
  std::unique_ptr<measure::device_array<int>> elements, sums_before, large;
  std::unique_ptr<measure::device_array<long long>> total;
  std::unique_ptr<measure::device_array<gpuprim::extremum<int>>> most;
  std::unique_ptr<measure::device_array<unsigned>> bins;
  std::unique_ptr<measure::device_array<distributed::selected_part>> place;
};

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 10000, 1 << 28);  // of the first rank; others have more
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
    for (int i = 0; i < n + int(rank) * 77; ++i) {
      own.host.push_back(int(all.size() * 7919 % 1009));
      all.push_back(own.host.back());
    }
    check(cudaSetDevice(devices[rank]));
    own.elements = std::make_unique<measure::device_array<int>>(own.host);
    own.sums_before = std::make_unique<measure::device_array<int>>(own.host.size());
    own.large = std::make_unique<measure::device_array<int>>(own.host.size());
    own.total = std::make_unique<measure::device_array<long long>>(1);
    own.most = std::make_unique<measure::device_array<gpuprim::extremum<int>>>(1);
    own.bins = std::make_unique<measure::device_array<unsigned>>(10);
    own.place = std::make_unique<measure::device_array<distributed::selected_part>>(1);
  }

  // [calls]
  // All calls of a group exchange their results together, in finish(). Every rank gets the results, or its part.
  distributed::group group;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    const part& own = parts[rank];
    const int* const in = own.elements->data();
    const auto own_count = std::int64_t(own.host.size());
    const distributed::options how{.group = &group};
    const gpuprim::plus<> plus;
    check(distributed::all_reduce(comms[rank], in, own_count, own.total->data(), plus, 0ll, how));
    check(distributed::all_reduce(comms[rank], in, own_count, own.most->data(), gpuprim::max_element, how));
    check(distributed::histogram(comms[rank], in, own_count, own.bins->data(), gpuprim::even_bins{10, 0, 1009}, how));
    check(distributed::exclusive_scan(comms[rank], in, own_count, own.sums_before->data(), plus, how));
    check(distributed::select_if(comms[rank], in, own_count, own.large->data(), own.place->data(), is_large{}, how));
  }
  check(group.finish());
  // [calls]

  const long long total = std::accumulate(all.begin(), all.end(), 0ll);
  const auto most = std::max_element(all.begin(), all.end());
  bool right = true;
  long long before = 0, kept_before = 0;
  const long long kept = std::count_if(all.begin(), all.end(), is_large{});
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    check(cudaSetDevice(devices[rank]));
    check(cudaDeviceSynchronize());
    const part& own = parts[rank];
    const auto found = own.most->on_host()[0];
    const auto bins = own.bins->on_host();
    const auto place = own.place->on_host()[0];
    right = right && own.total->on_host()[0] == total && found.value == *most && found.position == most - all.begin();
    right = right && std::accumulate(bins.begin(), bins.end(), 0ull) == all.size();
    right = right && own.sums_before->on_host()[0] == int(before);
    right = right && place.total == kept && place.offset == kept_before;
    before = std::accumulate(own.host.begin(), own.host.end(), before);
    kept_before += place.count;
    check_nccl(ncclCommDestroy(comms[rank]));
  }
  std::printf("%zu elements on %d ranks, sum %lld, greatest %d at %lld, %lld large: %s\n", all.size(), ranks, total,
              *most, (long long)(most - all.begin()), kept, right ? "right" : "wrong");
  return right ? 0 : 1;
}
