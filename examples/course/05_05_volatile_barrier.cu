// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last warp of a sum in global memory, where 32 values of a block are left. Old programs declared the pointer
// volatile, so that each step is stored and read again, and had no barrier, because the lanes of a warp kept in step.
// They no longer do: volatile says nothing about the order of lanes, and each step needs a barrier of the warp before
// it reads and before it writes. With that barrier the pointer need not be volatile. The third form keeps the whole
// block and its barriers to the end, for which all warps execute the last steps. scripts/profile.sh reads the hit rates
// of the L1 cache, which the volatile reads pass by.
// Source: exercises of the execution-model chapter of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

using namespace course;

constexpr int block_size = 512;

enum class last_warp { volatile_with_syncwarp, syncwarp, syncthreads };

// [kernel]
/// The sum of each block's part of `data`, which it overwrites.
template <last_warp How>
__global__ void sum_parts(unsigned* data, unsigned* sums) {
  unsigned* const mine = data + std::size_t(blockIdx.x) * block_size;
  const int t = int(threadIdx.x), last_of_block = How == last_warp::syncthreads ? 1 : 32;
  for (int stride = block_size / 2; stride >= last_of_block; stride /= 2) {
    if (t < stride) mine[t] += mine[t + stride];
    __syncthreads();
  }
  if constexpr (How != last_warp::syncthreads) {
    using pointer = std::conditional_t<How == last_warp::syncwarp, unsigned*, volatile unsigned*>;
    const pointer p = mine;
    if (t >= 32) return;
    unsigned sum = p[t];
    for (int stride = 16; stride > 0; stride /= 2) {
      __syncwarp();  // all have written
      if (t < stride) sum += p[t + stride];
      __syncwarp();  // all have read
      if (t < stride) p[t] = sum;
    }
  }
  if (t == 0) sums[blockIdx.x] = mine[0];
}
// [kernel]

template <last_warp How>
bool show(const char* name, int blocks) {
  const std::size_t n = std::size_t(blocks) * block_size;
  std::vector<unsigned> values, want;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % block_size == 0) want.push_back(0);
    values.push_back(unsigned(i) * 2654435761u);
    want.back() += values.back();
  }
  const device_array<unsigned> data(values), sums(want.size());
  sums.poison();
  const auto run = [&] { sum_parts<How><<<blocks, block_size>>>(data.data(), sums.data()); };
  run();
  check(cudaGetLastError());
  const bool right = sums.on_host() == want;
  const double us = time_us(run);  // of data that is overwritten, which does not matter to the time
  std::printf("%-27s %s%s\n", name, figure(us, "us").c_str(), right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int blocks = blocks_for(size_to_run(count, arguments, usual_size(5003, 1 << 24), 1 << 28), block_size);
  bool right = show<last_warp::volatile_with_syncwarp>("volatile, and __syncwarp():", blocks);
  right &= show<last_warp::syncwarp>("__syncwarp():", blocks);
  right &= show<last_warp::syncthreads>("__syncthreads() to the end:", blocks);
  return verdict(right);
}
