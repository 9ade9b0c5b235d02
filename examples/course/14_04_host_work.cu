// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host works while the device copies and computes: asynchronous calls put everything into a stream, then the host
// does something else, and waits only where it needs the result. The time is that of the longer one, not of both.
// Source: "Asynchronous and Overlapping Transfers with Computation" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

__host__ __device__ inline unsigned scramble(unsigned x) {
  for (int round = 0; round < 100; ++round) x = (x ^ x >> 15) * 2246822519u;
  return x;
}

__global__ void compute(unsigned* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] = scramble(data[i]);
}

unsigned work_of_host(int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += scramble(unsigned(i));
  return sum;
}

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 24)), host_n = n / 64;
  const std::size_t bytes = std::size_t(n) * sizeof(unsigned);
  const pinned_array<unsigned> in(static_cast<std::size_t>(n)), out(static_cast<std::size_t>(n));
  const device_array<unsigned> device(static_cast<std::size_t>(n));
  const stream queue;
  for (int i = 0; i < n; ++i) in[i] = unsigned(i);
  const unsigned want = work_of_host(host_n);
  unsigned got = 0;
  // [queue]
  const auto enqueue = [&] {
    check(cudaMemcpyAsync(device.data(), in.data(), bytes, cudaMemcpyHostToDevice, queue));
    compute<<<blocks_for(n, block_size), block_size, 0, queue>>>(device.data(), n);
    check(cudaMemcpyAsync(out.data(), device.data(), bytes, cudaMemcpyDeviceToHost, queue));
  };
  const double of_device = host_time_us(enqueue);
  const double of_host = host_time_us([&] { got = work_of_host(host_n); });
  const double of_both = host_time_us([&] {
    enqueue();
    got = work_of_host(host_n);  // meanwhile
    queue.wait();                // before the host reads the result
  });
  // [queue]
  bool right = got == want;
  for (int i = 0; i < n; i += 101) right &= out[i] == scramble(unsigned(i));
  std::printf("device alone %s, host alone %s, both at once %s\n", figure(of_device, "us").c_str(),
              figure(of_host, "us").c_str(), figure(of_both, "us").c_str());
  return verdict(right);
}
