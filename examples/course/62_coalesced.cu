// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_threads() in a branch: the lanes that are there together are a group, with a size, ranks and shuffles. One
// of them draws places for all, so a list is appended to by one atomic operation a group and not one a thread. Which
// lanes meet is up to the hardware: a group of one is right too, only slower.
// Source: "Coalesced Groups" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

#include <cooperative_groups.h>

using namespace course;

namespace cg = cooperative_groups;

constexpr int block_size = 256;

// [kernel]
__global__ void append_each(const unsigned* in, int n, unsigned* list, int* count, int*) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && in[i] % 3 == 0) list[atomicAdd(count, 1)] = in[i];
}

__global__ void append_together(const unsigned* in, int n, unsigned* list, int* count, int* operations) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && in[i] % 3 == 0) {
    const auto group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) {
      first = atomicAdd(count, int(group.size()));
      atomicAdd(operations, 1);  // to be shown below
    }
    list[group.shfl(first, 0) + int(group.thread_rank())] = in[i];
  }
}
// [kernel]

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 24));
  std::vector<unsigned> values, want;
  for (int i = 0; i < n; ++i) {
    values.push_back(unsigned(i) * 2654435761u);
    if (values.back() % 3 == 0) want.push_back(values.back());
  }
  std::sort(want.begin(), want.end());
  const device_array<unsigned> in(values), list(values.size());
  const device_array<int> counters(2);
  bool right = true;
  for (auto* append : {append_each, append_together}) {
    list.poison();
    const auto run = [&] {
      check(cudaMemsetAsync(counters.data(), 0, 2 * sizeof(int)));
      append<<<blocks_for(n, block_size), block_size>>>(in.data(), n, list.data(), counters.data(),
                                                        counters.data() + 1);
    };
    const double us = time_us(run);
    const std::vector<int> got = counters.on_host();
    std::vector<unsigned> found = list.on_host();
    found.resize(std::size_t(got[0]));
    std::sort(found.begin(), found.end());
    right &= found == want;
    const int operations = append == append_each ? got[0] : got[1];
    std::printf("%d of %d appended by %d atomic operations of the source: %s\n", got[0], n, operations,
                figure(us, "us").c_str());
  }
  return verdict(right);
}
