// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams reach the GPU through a number of hardware queues. Streams that share one wait for each other's kernels
// though the program never said so. GPUs before Hyper-Q had one queue, and since then there are 32;
// CUDA_DEVICE_MAX_CONNECTIONS says how many a program uses, and is read when CUDA starts. So a process is forked for
// each number. In each, 16 streams get four small kernels each, stream by stream: with one queue that is strictly in
// order, the second stream would begin only with the last kernel of the first.
// Source: "Hyper-Q" and "False Dependencies" in "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

#include <memory>

#include <sys/wait.h>
#include <unistd.h>

using namespace course;

constexpr int block_size = 64, streams = 16, kernels = 4;

__host__ __device__ inline unsigned iterate(unsigned x, int rounds) {
  for (int round = 0; round < rounds; ++round) x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void work(int rounds, unsigned* data) { data[threadIdx.x] = iterate(data[threadIdx.x], rounds); }

int run(const char* queues, int rounds) {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", queues, 1);
  const device_array<unsigned> data(std::vector<unsigned>(streams * block_size, 1));
  const auto all = std::make_unique<stream[]>(streams);
  int runs = 0;
  const double us = host_time_us([&] {
    for (int s = 0; s < streams; ++s) {
      for (int k = 0; k < kernels; ++k) work<<<1, block_size, 0, all[s]>>>(rounds, data.data() + s * block_size);
    }
    ++runs;
  });
  check(cudaGetLastError());
  const unsigned want = iterate(1, runs * kernels * rounds);
  const bool right = data.on_host() == std::vector<unsigned>(streams * block_size, want);
  std::printf("%2s queues: %d kernels in %d streams take %s%s\n", queues, streams * kernels, streams,
              figure(us, "us").c_str(), right ? "" : ": WRONG");
  std::fflush(stdout);
  return right ? 0 : 1;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(100, 20000), 1 << 24);
  bool right = true;
  for (const char* queues : {"1", "8", "32"}) {
    const pid_t child = fork();  // before this process calls CUDA
    if (child == 0) _exit(run(queues, rounds));
    int status = 1;
    right &= child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return verdict(right);
}
