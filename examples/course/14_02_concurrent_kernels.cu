// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are too small to fill the GPU: in one stream they run one after the other, in a stream each they run at
// the same time. Nothing is gained by streams for kernels that fill it alone.
// Source: "Concurrent Kernel Execution" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <memory>

using namespace course;

constexpr int block_size = 256, kernels = 16;

__host__ __device__ inline unsigned iterate(unsigned x, int rounds) {
  for (int round = 0; round < rounds; ++round) x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void work(int rounds, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = iterate(i, rounds);
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(100, 20000));
  const int full = on_gpu ? attribute(cudaDevAttrMultiProcessorCount) * 2048 / block_size : 4;
  std::printf("kernels at the same time: %s\n", attribute(cudaDevAttrConcurrentKernels) ? "yes" : "no");
  const auto streams = std::make_unique<stream[]>(kernels);
  bool right = true;
  for (int blocks : {1, full}) {
    const std::size_t threads = std::size_t(blocks) * block_size;
    const device_array<unsigned> out(kernels * threads);
    double us[2];
    for (const int used : {1, kernels}) {
      out.poison();
      // [streams]
      us[used > 1] = host_time_us([&] {
        for (int k = 0; k < kernels; ++k) {
          work<<<blocks, block_size, 0, streams[k % used]>>>(rounds, out.data() + std::size_t(k) * threads);
        }
      });
      // [streams]
      check(cudaGetLastError());
      const std::vector<unsigned> got = out.on_host();
      for (std::size_t i = 0; i < got.size(); i += 997) right &= got[i] == iterate(unsigned(i % threads), rounds);
    }
    std::printf("%d kernels of %d blocks: in one stream %s, in %d streams %s, %s faster\n", kernels, blocks,
                figure(us[0], "us").c_str(), kernels, figure(us[1], "us").c_str(),
                figure(us[0] / us[1], "times").c_str());
  }
  return verdict(right);
}
