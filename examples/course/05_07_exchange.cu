// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that exchange values: by shuffles in a warp, by shared memory in a block, by global memory. All three are
// right, and differ in how far a value has to go. A pointer to a variable of one thread is of no use to another one:
// the same local address means other memory in each thread. A pointer to shared memory holds for its own block only.
// Source: "Shared Memory" and the warp shuffles of NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, rounds = 64;

enum class way { shuffles, shared, global };

__host__ __device__ inline unsigned mix(unsigned mine, unsigned neighbour) { return 3 * mine + neighbour; }

// [kernel]
/// In each round every lane takes the value of the next lane of its warp.
template <way By>
__global__ void exchange(unsigned* scratch, unsigned* out) {
  __shared__ unsigned box[block_size];
  const int t = int(threadIdx.x), neighbour = t / 32 * 32 + (t + 1) % 32;
  unsigned* global_box = scratch + std::size_t(blockIdx.x) * block_size;
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if constexpr (By == way::shuffles) {
      x = mix(x, __shfl_sync(0xffffffffu, x, neighbour % 32));
    } else {
      unsigned* const place = By == way::shared ? box : global_box;
      place[t] = x;
      __syncthreads();  // it orders accesses to both memories, for the threads of this block
      x = mix(x, place[neighbour]);
      __syncthreads();  // nobody writes before all have read
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// [kernel]

template <way By>
bool show(const char* name, int blocks, const std::vector<unsigned>& want) {
  const device_array<unsigned> scratch(want.size()), out(want.size());
  out.poison();
  const double us = time_us([&] { exchange<By><<<blocks, block_size>>>(scratch.data(), out.data()); });
  const bool right = out.on_host() == want;
  std::printf("%d rounds by %s: %s%s\n", rounds, name, figure(us, "us").c_str(), right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int usual = usual_size(3, 8 * attribute(cudaDevAttrMultiProcessorCount));
  const int blocks = size_to_run(count, arguments, usual, 1 << 16);
  std::vector<unsigned> want;
  for (unsigned i = 0; i < unsigned(blocks) * block_size; ++i) want.push_back(i);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<unsigned> before = want;
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = mix(before[i], before[i / 32 * 32 + (i + 1) % 32]);
  }
  bool right = show<way::shuffles>("shuffles", blocks, want);
  right &= show<way::shared>("shared memory", blocks, want);
  right &= show<way::global>("global memory", blocks, want);
  return verdict(right);
}
