// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two GPUs: one may reach the other's memory, by a copy that does not pass the host and by the loads of a kernel, once
// the access is allowed. Without that, the same copy works, through the host.
// GPU only: the SIMT device is one device.
// Source: "Peer-to-Peer Memory Access" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

// [kernel]
__global__ void add_one(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[i] + 1;
}
// [kernel]

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 26));
  int devices = 0, can = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices < 2) {
    std::printf("skipped: peer access needs two GPUs, and there is one\n");
    return 0;
  }
  check(cudaDeviceCanAccessPeer(&can, 0, 1));
  std::vector<unsigned> values;
  for (int i = 0; i < n; ++i) values.push_back(unsigned(i) * 5u);
  const std::size_t bytes = values.size() * sizeof(unsigned);
  check(cudaSetDevice(1));
  const device_array<unsigned> theirs(values);
  check(cudaSetDevice(0));
  const device_array<unsigned> mine(values.size());
  bool right = true;
  const auto copy = [&] { check(cudaMemcpyPeerAsync(mine.data(), 0, theirs.data(), 1, bytes, nullptr)); };
  mine.poison();
  const double by_host = time_us(copy);
  right &= mine.on_host() == values;
  std::printf("copy without peer access: %s\n", rate(double(bytes), by_host).c_str());
  if (can == 0) {
    std::printf("device 0 cannot reach the memory of device 1\n");
    return verdict(right);
  }
  check(cudaDeviceEnablePeerAccess(1, 0));
  mine.poison();
  const double direct = time_us(copy);
  right &= mine.on_host() == values;
  const int blocks = blocks_for(n, block_size);
  const double loads = time_us([&] { add_one<<<blocks, block_size>>>(theirs.data(), n, mine.data()); });
  const std::vector<unsigned> got = mine.on_host();
  for (int i = 0; i < n; ++i) right &= got[i] == values[i] + 1;
  std::printf("copy with it: %s; read by a kernel: %s\n", rate(double(bytes), direct).c_str(),
              rate(double(bytes), loads).c_str());
  check(cudaDeviceDisablePeerAccess(1));
  return verdict(right);
}
