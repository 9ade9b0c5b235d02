// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::barrier: arriving and waiting are two calls, so a part of a block may arrive and go on while another part
// waits, which __syncthreads() cannot. Seven warps fill one of two buffers and wait only until it is empty; one warp
// waits only until it is full, and adds it up.
// Source: "Producer Consumer Patterns" with asynchronous barriers in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

#include <cuda/barrier>

using namespace course;

constexpr int block_size = 256, tile = block_size - 32;

using barrier = cuda::barrier<cuda::thread_scope_block>;

__host__ __device__ inline unsigned prepare(unsigned x) { return (x ^ x >> 15) * 2246822519u; }

// [kernel]
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void fill_and_add(const unsigned* in, int tiles, unsigned* sums) {
  __shared__ unsigned buffer[2][tile];
  __shared__ barrier full[2];
  __shared__ barrier empty[2];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], block_size);  // all threads arrive, and some of them wait
    init(&empty[threadIdx.x], block_size);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    (void)empty[0].arrive();
    (void)empty[1].arrive();
    unsigned sum = 0;
    for (int t = int(blockIdx.x), turn = 0; t < tiles; t += int(gridDim.x), turn ^= 1) {
      full[turn].arrive_and_wait();
      for (int i = int(threadIdx.x); i < tile; i += 32) sum += buffer[turn][i];
      (void)empty[turn].arrive();  // this warp does not wait for those who fill it
    }
    sums[blockIdx.x * 32 + threadIdx.x] = sum;
  } else {
    const int i = int(threadIdx.x) - 32;
    for (int t = int(blockIdx.x), turn = 0; t < tiles; t += int(gridDim.x), turn ^= 1) {
      empty[turn].arrive_and_wait();
      buffer[turn][i] = prepare(in[t * tile + i]);
      (void)full[turn].arrive();  // and these go on to the other buffer
    }
  }
}
// [kernel]

int main(int count, char** arguments) {
  const int tiles = size_to_run(count, arguments, usual_size(13, 1 << 17), 1 << 22);
  const int blocks = on_gpu ? 4 * attribute(cudaDevAttrMultiProcessorCount) : 2;
  std::vector<unsigned> values;
  unsigned want = 0;
  for (int i = 0; i < tiles * tile; ++i) values.push_back(unsigned(i));
  for (unsigned x : values) want += prepare(x);
  const device_array<unsigned> in(values), sums(std::size_t(blocks) * 32);
  sums.poison();
  const double us = time_us([&] { fill_and_add<<<blocks, block_size>>>(in.data(), tiles, sums.data()); });
  unsigned sum = 0;
  for (unsigned x : sums.on_host()) sum += x;
  std::printf("%d tiles of %d: %s\n", tiles, tile, rate(4.0 * tiles * tile, us).c_str());
  return verdict(sum == want);
}
