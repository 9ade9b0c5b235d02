// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ways to share n elements among t threads. Block: each thread has a run of neighbours. Cyclic: thread i has i,
// i + t, i + 2t, ... Good to know which: on a GPU the cyclic one lets a warp read neighbours, and it balances work that
// grows along the array. Source: Cheng, Grossman and McKercher, "Professional CUDA C Programming".
#include "course.hpp"

#include <set>

using namespace course;

// The work on element i: i steps.
// [block]
__global__ void partition_in_blocks(int n, int* owners, long long* steps) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  const int each = n / threads, longer = n % threads;  // the first `longer` threads have one element more
  const int first = thread * each + (thread < longer ? thread : longer);
  const int last = first + each + (thread < longer ? 1 : 0);
  long long mine = 0;
  for (int i = first; i < last; ++i) {
    owners[i] = thread;
    mine += i;
  }
  steps[thread] = mine;
}
// [block]

// [cyclic]
__global__ void partition_cyclically(int n, int* owners, long long* steps) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  long long mine = 0;
  for (int i = thread; i < n; i += threads) {
    owners[i] = thread;
    mine += i;
  }
  steps[thread] = mine;
}
// [cyclic]

/// How many 32-byte sectors the first warp touches when each lane takes its first element.
int sectors_of_first_access(const std::vector<int>& owners) {
  std::set<std::ptrdiff_t> sectors;
  for (int lane = 0; lane < 32; ++lane) {
    const auto first = std::find(owners.begin(), owners.end(), lane) - owners.begin();
    sectors.insert(first * std::ptrdiff_t(sizeof(int)) / 32);
  }
  return int(sectors.size());
}

int main() {
  constexpr int n = 10007, blocks = 2, block_size = 128, threads = blocks * block_size;
  const device_array<int> owners(n);
  const device_array<long long> steps(threads);
  bool right = true;
  for (bool cyclic : {false, true}) {
    std::vector<int> want(n);
    std::vector<long long> want_steps(threads);
    const int each = n / threads, longer = n % threads;
    for (int i = 0, thread = 0, left = each + (longer > 0); i < n; ++i) {
      want[i] = thread;
      want_steps[thread] += i;
      if (cyclic || --left == 0) {
        thread = (thread + 1) % threads;
        left = each + (thread < longer);
      }
    }
    owners.poison();
    steps.poison();
    if (cyclic) partition_cyclically<<<blocks, block_size>>>(n, owners.data(), steps.data());
    else partition_in_blocks<<<blocks, block_size>>>(n, owners.data(), steps.data());
    check(cudaGetLastError());
    const std::vector<int> got = owners.on_host();
    const std::vector<long long> got_steps = steps.on_host();
    right &= got == want && got_steps == want_steps;
    const double mean = double(n) * (n - 1) / 2 / threads;
    const auto busiest = double(*std::max_element(got_steps.begin(), got_steps.end()));
    std::printf("%s: the first access of a warp touches %d sectors, the busiest thread has %.2f of the mean work\n",
                cyclic ? "cyclic" : "block", sectors_of_first_access(got), busiest / mean);
  }
  std::printf("%d elements, %d threads\n", n, threads);
  return verdict(right);
}
