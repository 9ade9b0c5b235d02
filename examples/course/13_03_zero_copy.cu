// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zero copy: a kernel reads and writes host memory that is pinned and mapped, and its threads hide the latency of the
// bus while others compute. Beside it: copy in, kernel, copy out. Zero copy needs each value to be read once, and in
// order: what is read twice crosses the bus twice. A kernel that only moves its values has nothing to overlap with the
// bus; one that computes for as long as the bus takes can hide one of the two.
// Source: "Zero Copy" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

__host__ __device__ inline unsigned scramble(unsigned x) { return (x ^ x >> 15) * 2246822519u; }

// [kernel]
__global__ void compute(const unsigned* in, int n, int passes, int rounds, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const volatile unsigned& mine = in[i];  // read anew in each pass
  unsigned x = 0;
  for (int pass = 0; pass < passes; ++pass) x += scramble(mine + unsigned(pass));
#pragma unroll 4
  for (int round = 1; round < rounds; ++round) x = scramble(x);
  out[i] = x;
}
// [kernel]

int main(int count, char** arguments) {
  const int n = size_to_run(count, arguments, usual_size(5003, 1 << 24));
  if (attribute(cudaDevAttrCanMapHostMemory) == 0) {
    std::printf("skipped: this GPU cannot map host memory\n");
    return 0;
  }
  const std::size_t bytes = std::size_t(n) * sizeof(unsigned);
  const std::size_t elements = std::size_t(n);
  const pinned_array<unsigned> in(elements, cudaHostAllocMapped), out(elements, cudaHostAllocMapped);
  const device_array<unsigned> device_in(elements), device_out(elements);
  for (int i = 0; i < n; ++i) in[i] = unsigned(i) * 3u;
  bool right = true;
  const struct {
    int passes, rounds;
  } works[] = {{1, 1}, {4, 1}, {1, 256}};
  for (const auto [passes, rounds] : works) {
    const auto same = [&] {
      bool equal = true;
      for (int i = 0; i < n; i += rounds == 1 ? 1 : 101) {
        unsigned x = 0;
        for (int pass = 0; pass < passes; ++pass) x += scramble(unsigned(i) * 3u + unsigned(pass));
        for (int round = 1; round < rounds; ++round) x = scramble(x);
        equal &= out[i] == x;
      }
      std::fill(out.begin(), out.end(), 0u);
      return equal;
    };
    const int blocks = blocks_for(n, block_size);
    std::fill(out.begin(), out.end(), 0u);
    const double copied = host_time_us([&] {
      check(cudaMemcpyAsync(device_in.data(), in.data(), bytes, cudaMemcpyHostToDevice));
      compute<<<blocks, block_size>>>(device_in.data(), n, passes, rounds, device_out.data());
      check(cudaMemcpyAsync(out.data(), device_out.data(), bytes, cudaMemcpyDeviceToHost));
    });
    right &= same();
    const double mapped = host_time_us([&] {
      compute<<<blocks, block_size>>>(in.on_device(), n, passes, rounds, out.on_device());
      check(cudaGetLastError());
    });
    right &= same();
    const double only_result = host_time_us([&] {
      check(cudaMemcpyAsync(device_in.data(), in.data(), bytes, cudaMemcpyHostToDevice));
      compute<<<blocks, block_size>>>(device_in.data(), n, passes, rounds, out.on_device());
      check(cudaGetLastError());
    });
    right &= same();
    std::printf(
        "each value read %d times, %d rounds: copied in and out %s, zero copy %s, copied in and written to the "
        "host %s\n",
        passes, rounds, figure(copied, "us").c_str(), figure(mapped, "us").c_str(), figure(only_result, "us").c_str());
  }
  return verdict(right);
}
