// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lookup table in four places, by its size: in constant memory, in shared memory, in global memory (through the L1
// cache), and in the lanes of each warp, one entry a lane. Every lane asks for an entry of its own, at random.
// Source: "Shared Memory" and the warp shuffles of NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256, lookups = 64, largest = 8192;

enum class place { constant, shared, global, lanes };

__constant__ unsigned constant_table[largest];

__host__ __device__ inline unsigned next_random(unsigned x) { return x * 1664525u + 1013904223u; }

// [kernel]
template <place Where>
__global__ void look_up(const unsigned* __restrict__ table, int entries, unsigned* sums) {
  __shared__ unsigned copy[largest];
  if constexpr (Where == place::shared) {
    for (int i = int(threadIdx.x); i < entries; i += block_size) copy[i] = table[i];
    __syncthreads();
  }
  const unsigned mine = Where == place::lanes ? table[threadIdx.x % 32 % unsigned(entries)] : 0;
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned random = unsigned(thread), sum = 0;
#pragma unroll 8
  for (int k = 0; k < lookups; ++k) {
    random = next_random(random);
    const int i = int(random >> 8) & (entries - 1);
    if constexpr (Where == place::constant) {
      sum += constant_table[i];
    } else if constexpr (Where == place::shared) {
      sum += copy[i];
    } else if constexpr (Where == place::global) {
      sum += table[i];
    } else {
      sum += __shfl_sync(0xffffffffu, mine, i);  // all lanes take part, each asks for its own
    }
  }
  sums[thread] = sum;
}
// [kernel]

template <place Where>
bool show(const char* name, const std::vector<unsigned>& values, int entries, int blocks) {
  const device_array<unsigned> table(values), sums(std::size_t(blocks) * block_size);
  sums.poison();
  const double us = time_us([&] { look_up<Where><<<blocks, block_size>>>(table.data(), entries, sums.data()); });
  const std::vector<unsigned> got = sums.on_host();
  bool right = true;
  for (int thread = 0; thread < blocks * block_size; thread += 97) {
    unsigned random = unsigned(thread), want = 0;
    for (int k = 0; k < lookups; ++k) {
      random = next_random(random);
      want += values[(random >> 8) & unsigned(entries - 1)];
    }
    right &= got[thread] == want;
  }
  std::printf(" %s %s%s;", name, figure(1e-3 * blocks * block_size * lookups / us, "G/s").c_str(),
              right ? "" : " WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int usual = usual_size(3, 16 * attribute(cudaDevAttrMultiProcessorCount));
  const int blocks = size_to_run(count, arguments, usual, 65535);
  std::vector<unsigned> values;
  for (unsigned i = 0; i < largest; ++i) values.push_back(i * 40503u + 7);
  check(cudaMemcpyToSymbol(constant_table, values.data(), largest * sizeof(unsigned)));
  bool right = true;
  for (int entries : {2, 8, 32, 128, 512, 2048, largest}) {
    std::printf("%4d entries:", entries);
    right &= show<place::constant>("constant", values, entries, blocks);
    right &= show<place::shared>("shared", values, entries, blocks);
    right &= show<place::global>("global", values, entries, blocks);
    if (entries <= 32) right &= show<place::lanes>("lanes", values, entries, blocks);
    std::printf("\n");
  }
  return verdict(right);
}
