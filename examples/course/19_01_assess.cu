// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assess first: where does the time of a program go, and what would a GPU gain? Three parts of a host program are
// timed: values are made one after the other, each is worked on, and they are mixed in order. Only the second part can
// run in parallel. Amdahl's law bounds what can be gained from its share; then that part moves to the GPU, with its
// copies, and the whole is timed again. A profiler finds the shares without a clock in the program: perf record, then
// perf report.
// Source: "Assess, Parallelize, Optimize, Deploy" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, rounds = 64;

void make(std::vector<unsigned>& values) {
  unsigned x = 1;
  for (unsigned& value : values) value = x = x * 1664525u + 1013904223u;
}

__host__ __device__ inline unsigned work_on(unsigned x) {
  for (int round = 0; round < rounds; ++round) x = (x ^ x >> 15) * 2246822519u;
  return x;
}

void work_on_all(std::vector<unsigned>& values) {
  for (unsigned& value : values) value = work_on(value);
}

__global__ void work_on_each(unsigned* values, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] = work_on(values[i]);
}

unsigned mix(const std::vector<unsigned>& values) {
  unsigned x = 0;
  for (unsigned value : values) x = x * 31 + value;
  return x;
}

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 24));
  std::vector<unsigned> values(static_cast<std::size_t>(n));
  const std::size_t bytes = values.size() * sizeof(unsigned);
  // [assess]
  const double begin = host_us();
  make(values);
  const double made = host_us();
  work_on_all(values);
  const double worked = host_us();
  const unsigned want = mix(values);
  const double end = host_us();
  const double whole = end - begin, share = (worked - made) / whole;
  std::printf("host: made in %s, worked on in %s, mixed in %s\n", figure(made - begin, "us").c_str(),
              figure(worked - made, "us").c_str(), figure(end - worked, "us").c_str());
  std::printf("%s of it can run in parallel: the whole becomes at most %s as fast\n", figure(100 * share, "%").c_str(),
              figure(1 / (1 - share), "times").c_str());
  // [assess]
  const device_array<unsigned> on_device(values.size());
  unsigned got = 0;
  double moved = 0;
  for (int run = 0; run < 2; ++run) {  // the first one also loads the code
    const double first = host_us();
    make(values);
    check(cudaMemcpy(on_device.data(), values.data(), bytes, cudaMemcpyHostToDevice));
    work_on_each<<<blocks_for(n, block_size), block_size>>>(on_device.data(), n);
    check(cudaGetLastError());
    check(cudaMemcpy(values.data(), on_device.data(), bytes, cudaMemcpyDeviceToHost));
    got = mix(values);
    moved = host_us() - first;
  }
  std::printf("that part on the GPU, with its copies: the whole takes %s and is %s as fast\n",
              figure(moved, "us").c_str(), figure(whole / moved, "times").c_str());
  return verdict(got == want);
}
