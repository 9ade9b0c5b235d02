// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_threads() in a branch: the lanes that are there together are a group, with a size, ranks and shuffles. One
// of them draws places for all, so a list is appended to by one atomic operation a group and not one a thread. nvcc
// makes that of the plain form too, as long as all lanes add the same to one address: there the group by hand gains
// nothing. It does not where the lanes have different addresses: with several lists, labeled_partition() makes a group
// of the lanes of each. Which lanes meet is up to the hardware: a group of one is right too, only slower.
// Source: "Coalesced Groups" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

#include <cooperative_groups.h>

using namespace course;

namespace cg = cooperative_groups;

constexpr int block_size = 256, most_lists = 4;

enum class by { thread, group };

// [kernel]
/// The lanes that are here together, with the same list where there are several.
template <int Lists>
__device__ cg::coalesced_group lanes_of(unsigned list) {
  if constexpr (Lists > 1) return cg::labeled_partition(cg::coalesced_threads(), int(list));
  else return cg::coalesced_threads();
}

/// Appends each third value to the list that the value chooses. Groups are counted where `groups` is not null.
template <by How, int Lists>
__global__ void append(const unsigned* in, int n, unsigned* lists, int* counts, int* groups) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || in[i] % 3 != 0) return;
  const unsigned list = in[i] / 3 % Lists;
  int place = 0;
  if constexpr (How == by::thread) {
    place = atomicAdd(&counts[list], 1);
  } else {
    const auto group = lanes_of<Lists>(list);
    if (group.thread_rank() == 0) {
      place = atomicAdd(&counts[list], int(group.size()));
      if (groups != nullptr) atomicAdd(groups, 1);
    }
    place = group.shfl(place, 0) + int(group.thread_rank());
  }
  lists[std::size_t(list) * n + place] = in[i];
}
// [kernel]

template <by How, int Lists>
bool show(const std::vector<unsigned>& values) {
  const int n = int(values.size());
  std::vector<unsigned> want[Lists];
  for (unsigned x : values) {
    if (x % 3 == 0) want[x / 3 % Lists].push_back(x);
  }
  const device_array<unsigned> in(values), lists(values.size() * Lists);
  const device_array<int> counts(Lists), groups(1);
  lists.poison();
  const auto run = [&](int* count_groups) {
    check(cudaMemsetAsync(counts.data(), 0, Lists * sizeof(int)));
    const int blocks = blocks_for(n, block_size);
    append<How, Lists><<<blocks, block_size>>>(in.data(), n, lists.data(), counts.data(), count_groups);
  };
  const double us = time_us([&] { run(nullptr); });
  check(cudaMemset(groups.data(), 0, sizeof(int)));
  run(groups.data());
  check(cudaGetLastError());
  const std::vector<int> got = counts.on_host();
  const std::vector<unsigned> found = lists.on_host();
  bool right = true;
  int appended = 0;
  for (int list = 0; list < Lists; ++list) {
    const unsigned* const begin = found.data() + std::size_t(list) * std::size_t(n);
    std::vector<unsigned> sorted(begin, begin + got[list]);
    std::sort(sorted.begin(), sorted.end());
    std::sort(want[list].begin(), want[list].end());
    right &= sorted == want[list];
    appended += got[list];
  }
  const int operations = How == by::thread ? appended : groups.on_host()[0];
  std::printf("%d lists, by %s: %d of %d appended by %d atomic operations of the source: %s%s\n", Lists,
              How == by::thread ? "thread" : "group", appended, n, operations, figure(us, "us").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 24), 1 << 28);
  std::vector<unsigned> values;
  for (int i = 0; i < n; ++i) values.push_back(unsigned(i) * 2654435761u);
  bool right = show<by::thread, 1>(values);
  right &= show<by::group, 1>(values);
  right &= show<by::thread, most_lists>(values);
  right &= show<by::group, most_lists>(values);
  return verdict(right);
}
