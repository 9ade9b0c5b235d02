// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the host and of the device. A core of the host runs one thread or two, and to change them the operating
// system saves and restores registers; so a program has about as many as there are cores, and each is heavy. A
// multiprocessor holds some thousand threads with all of their registers, and each cycle issues from a warp that can go
// on; so a GPU wants some hundred thousand threads, and each is light. The program starts as many of both as fit.
// Source: "Differences between Host and Device" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <atomic>
#include <thread>

using namespace course;

constexpr int block_size = 256;

__global__ void count_up(unsigned* counts) { ++counts[blockIdx.x * blockDim.x + threadIdx.x]; }

int main() {
  const int cores = std::max(1, int(std::thread::hardware_concurrency()));
  const int multiprocessors = on_gpu ? attribute(cudaDevAttrMultiProcessorCount) : 2;
  const int resident = multiprocessors * attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const device_array<unsigned> counts(std::vector<unsigned>(std::size_t(resident), 0));
  std::atomic<int> ran = 0;
  int runs = 0;
  const double host_us = host_time_us([&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < cores; ++i) threads.emplace_back([&] { ++ran; });
    for (std::thread& thread : threads) thread.join();
    ++runs;
  });
  bool right = ran == runs * cores;
  runs = 0;
  const double device_us = host_time_us([&] {
    count_up<<<resident / block_size, block_size>>>(counts.data());
    ++runs;
  });
  check(cudaGetLastError());
  right &= counts.on_host() == std::vector<unsigned>(std::size_t(resident), unsigned(runs));
  std::printf("host: %d threads started and ended in %s, %s each\n", cores, figure(host_us, "us").c_str(),
              figure(1e3 * host_us / cores, "ns").c_str());
  std::printf("device: %d threads that fit at once on %d multiprocessors in %s, %s each\n", resident, multiprocessors,
              figure(device_us, "us").c_str(), figure(1e6 * device_us / resident, "ps").c_str());
  return verdict(right);
}
