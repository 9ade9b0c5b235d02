// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The latency of memory, by chasing pointers: each read says where the next one goes, so one thread has one read under
// way, and the time of a step is the latency. The steps go through all lines of an array in a random order, and each
// run goes on where the last one ended. A small array is in the L1 cache, a larger one in the L2 cache, the largest
// only in memory, where the translation of addresses takes a part as well. Shared memory stands beside them.
// Source: Wong et al., "Demystifying GPU microarchitecture through microbenchmarking".
#include "course.hpp"

#include <numeric>

using namespace course;

constexpr int line = 32;              // words of 4 bytes between two elements: 128 bytes, no two in a line
constexpr int shared_elements = 256;  // 32 KiB

// [kernel]
/// Follows `next` for `steps` steps from `*at`, in shared memory if it is copied there before.
template <bool InShared>
__global__ void chase(const unsigned* next, int steps, unsigned* at, long long* cycles) {
  __shared__ unsigned copy[shared_elements * line];
  if constexpr (InShared) {
    for (int i = 0; i < shared_elements; ++i) copy[i * line] = next[i * line];
  }
  unsigned here = *at;
  const long long begin = clock64();
#pragma unroll 1
  for (int step = 0; step < steps; ++step) here = InShared ? copy[here] : next[here];
  *at = here;  // the last read has arrived when this is known
  *cycles = here == unsigned(-1) ? 0 : clock64() - begin;
}
// [kernel]

/// One cycle through all elements in a random order (Sattolo): element i holds the index of its successor.
std::vector<unsigned> random_cycle(std::size_t elements) {
  std::vector<unsigned> order(elements), next(elements * line);
  std::iota(order.begin(), order.end(), 0u);
  unsigned long long state = 1;
  for (std::size_t i = elements - 1; i > 0; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i], order[(state >> 33) % i]);
  }
  for (std::size_t i = 0; i < elements; ++i) next[i * line] = order[i] * line;
  return next;
}

template <bool InShared>
bool show(const char* name, std::size_t elements, int steps) {
  const std::vector<unsigned> next = random_cycle(elements);
  const device_array<unsigned> device(next), at(std::vector<unsigned>{0});
  const device_array<long long> cycles(1);
  long long all_steps = 0;
  const auto run = [&] {
    chase<InShared><<<1, 1>>>(device.data(), steps, at.data(), cycles.data());
    all_steps += steps;
  };
  run();  // brings the array into the caches, as far as it fits
  check(cudaGetLastError());
  const double us = time_us(run, 1);
  unsigned want = 0;
  for (long long step = 0; step < all_steps; ++step) want = next[want];
  const bool right = at.on_host()[0] == want;
  std::printf("%s, %.0f KiB: %s, %s a read%s\n", name, double(elements * line) / 256,
              figure(double(cycles.on_host()[0]) / steps, "cycles").c_str(), figure(1e3 * us / steps, "ns").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int steps = size_to_run(count, arguments, usual_size(300, 1 << 16), 1 << 24);
  bool right = show<true>("shared memory", shared_elements, steps);
  right &= show<false>("global memory", 128, steps);
  for (int kib : {64, 1 << 10, 8 << 10, 64 << 10, 512 << 10}) {
    if (kib <= usual_size(64, 512 << 10)) right &= show<false>("global memory", std::size_t(kib) * 256 / line, steps);
  }
  return verdict(right);
}
