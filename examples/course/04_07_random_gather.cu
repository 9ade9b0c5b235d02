// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random gather on the GPU and on one core of the host. Both fetch far more than the four bytes that they use; the
// GPU hides the latency by many threads, the host has few reads under way.
// Source: the memory chapter of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, loads = 4;

// [kernel]
__global__ void gather(const float* in, const int* index, int n, float* out) {
  const int first = int(blockIdx.x) * block_size * loads + int(threadIdx.x);
#pragma unroll
  for (int k = 0; k < loads; ++k) {
    const int i = first + k * block_size;
    if (i < n) out[i] = in[index[i]];
  }
}
// [kernel]

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(4099, 1 << 24));
  bool right = true;
  for (const bool random : {false, true}) {
    std::vector<float> values, want(static_cast<std::size_t>(n));
    std::vector<int> index;
    unsigned long long state = 1;
    for (int i = 0; i < n; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      values.push_back(float(i % 65521));
      index.push_back(random ? int((state >> 33) % unsigned(n)) : i);
    }
    const device_array<float> in(values), out(values.size());
    const device_array<int> places(index);
    out.poison();
    const double us = time_us(
        [&] { gather<<<blocks_for(n, block_size * loads), block_size>>>(in.data(), places.data(), n, out.data()); });
    const double begin = host_us();
    for (int i = 0; i < n; ++i) want[i] = values[index[i]];
    const double on_host = host_us() - begin;
    right &= out.on_host() == want;
    std::printf("%d floats %s: GPU %s, host %s, %s\n", n, random ? "at random places" : "in order",
                figure(us, "us").c_str(), figure(on_host, "us").c_str(), figure(on_host / us, "times").c_str());
  }
  return verdict(right);
}
