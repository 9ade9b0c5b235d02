// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lengths of runs of two million sorted keys, their number copied to the host, and the largest length: three calls,
// of which the second waits.
#include "../support/check.hpp"
#include "../support/cub_storage.hpp"
#include "../support/timing.hpp"
#include "cases.hpp"

#include <gpuprim/reduce.cuh>
#include <gpuprim/reduce_by_key.cuh>

#include <thrust/iterator/constant_iterator.h>
#include <cub/device/device_reduce.cuh>

#include <cstdlib>
#include <random>

namespace bench {

namespace {

constexpr int n = 2 << 20;

struct arrays {
  unsigned *keys, *unique, *lengths, *largest;
  int* runs;
  int wanted_runs = 0;
  unsigned wanted_largest = 0;

  arrays() {
    std::mt19937 random(1);
    std::vector<unsigned> host;
    for (unsigned key = 0; int(host.size()) < n; ++key) {
      unsigned length = 1 + random() % 40;
      if (length > unsigned(n) - host.size()) length = unsigned(n) - unsigned(host.size());
      host.insert(host.end(), length, key);
      ++wanted_runs;
      if (wanted_largest < length) wanted_largest = length;
    }
    for (unsigned** array : {&keys, &unique, &lengths}) check(cudaMalloc(array, n * sizeof(unsigned)), "allocate");
    check(cudaMalloc(&largest, sizeof(unsigned)), "allocate");
    check(cudaMalloc(&runs, sizeof(int)), "allocate");
    check(cudaMemcpy(keys, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice), "copy");
  }
};

const arrays& data() {
  static const arrays all;
  return all;
}

/// `find_runs(stream)` and `find_largest(runs, stream)` enqueue.
template <class FindRuns, class FindLargest>
double time_calls(const FindRuns& find_runs, const FindLargest& find_largest) {
  static const stream s;
  const arrays& a = data();
  int runs = 0;
  unsigned largest = 0;
  check(cudaStreamSynchronize(s), "wait");
  const auto begin = std::chrono::steady_clock::now();
  check(find_runs(s), "runs");
  check(cudaMemcpyAsync(&runs, a.runs, sizeof runs, cudaMemcpyDeviceToHost, s), "copy");
  check(cudaStreamSynchronize(s), "wait");
  check(find_largest(runs, s), "largest");
  check(cudaMemcpyAsync(&largest, a.largest, sizeof largest, cudaMemcpyDeviceToHost, s), "copy");
  check(cudaStreamSynchronize(s), "wait");
  const double us = us_since(begin);
  if (runs != a.wanted_runs || largest != a.wanted_largest) {
    std::fprintf(stderr, "runs_and_wait: a result is wrong\n");
    std::exit(1);
  }
  return us;
}

double by_gpuprim(gpuprim::workspace* ws) {
  const arrays& a = data();
  const thrust::constant_iterator<unsigned> ones(1);
  return time_calls(
      [&](cudaStream_t s) {
        return gpuprim::reduce_by_key(a.keys, ones, n, a.unique, a.lengths, a.runs, gpuprim::plus{},
                                      {.stream = s, .workspace = ws});
      },
      [&](int runs, cudaStream_t s) {
        return gpuprim::reduce(a.lengths, runs, a.largest, gpuprim::maximum{}, {.stream = s, .workspace = ws});
      });
}

double by_cub() {
  const arrays& a = data();
  const thrust::constant_iterator<unsigned> ones(1);
  return time_calls(
      [&](cudaStream_t s) {
        return with_cub_storage([&](void* storage, std::size_t& bytes) {
          return cub::DeviceReduce::ReduceByKey(storage, bytes, a.keys, a.unique, ones, a.lengths, a.runs,
                                                ::cuda::std::plus<>{}, n, s);
        });
      },
      [&](int runs, cudaStream_t s) {
        return with_cub_storage([&](void* storage, std::size_t& bytes) {
          return cub::DeviceReduce::Max(storage, bytes, a.lengths, a.largest, runs, s);
        });
      });
}

}  // namespace

case_of_others runs_and_wait() {
  static gpuprim::workspace ws(gpuprim::reduce_by_key_workspace_bytes<unsigned, unsigned>(n) +
                               gpuprim::reduce_workspace_bytes<unsigned>(n));
  return {"reduce_by_key, a wait, a maximum",
          201,
          {{"gpuprim", [] { return by_gpuprim(nullptr); }},
           {"gpuprim with a workspace", [] { return by_gpuprim(&ws); }},
           {"CUB with its storage", by_cub}}};
}

}  // namespace bench
