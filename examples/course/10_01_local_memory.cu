// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an array of one thread lies. With a run-time index it cannot be in registers, which have no addresses, and goes
// to local memory: a part of device memory, cached, that is kept for every thread that may be resident. Its words are
// interleaved, so that the same index of all lanes is one line. Four ways around it: constant indices (all elements are
// looked at), columns of shared memory, and global memory, interleaved by hand or not.
// Source: "Local Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 128, bins = 16, values_each = 64;

enum class place { local, registers, shared, interleaved, apart };

__host__ __device__ inline unsigned next_random(unsigned x) { return x * 1664525u + 1013904223u; }

// [kernel]
template <place Where>
__global__ void count_digits(unsigned* scratch, unsigned* out) {
  __shared__ unsigned columns[bins][block_size];
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  unsigned mine[bins];
  const auto count = [&](int bin) -> unsigned& {
    if constexpr (Where == place::shared) return columns[bin][threadIdx.x];                  // one bank a lane
    else if constexpr (Where == place::interleaved) return scratch[bin * threads + thread];  // one line a warp
    else if constexpr (Where == place::apart) return scratch[thread * bins + bin];           // a line for two lanes
    else return mine[bin];
  };
#pragma unroll
  for (int bin = 0; bin < bins; ++bin) count(bin) = 0;
  unsigned random = unsigned(thread);
#pragma unroll 1
  for (int k = 0; k < values_each; ++k) {
    random = next_random(random);
    const int digit = int(random >> 28);
    if constexpr (Where == place::registers) {
#pragma unroll
      for (int bin = 0; bin < bins; ++bin) mine[bin] += unsigned(bin == digit);  // every index is a constant
    } else {
      ++count(digit);
    }
  }
  unsigned sum = 0;
#pragma unroll
  for (int bin = 0; bin < bins; ++bin) sum = 31 * sum + count(bin);
  out[thread] = sum;
}
// [kernel]

unsigned expected(int thread) {
  unsigned counts[bins] = {}, random = unsigned(thread), sum = 0;
  for (int k = 0; k < values_each; ++k) {
    random = next_random(random);
    ++counts[random >> 28];
  }
  for (unsigned c : counts) sum = 31 * sum + c;
  return sum;
}

template <place Where>
bool show(const char* name, int blocks) {
  const device_array<unsigned> scratch(std::size_t(blocks) * block_size * bins), out(std::size_t(blocks) * block_size);
  out.poison();
  const double us = time_us([&] { count_digits<Where><<<blocks, block_size>>>(scratch.data(), out.data()); });
  const std::vector<unsigned> got = out.on_host();
  bool right = true;
  for (int thread = 0; thread < blocks * block_size; thread += 61) right &= got[thread] == expected(thread);
  cudaFuncAttributes compiled{};
  check(cudaFuncGetAttributes(&compiled, count_digits<Where>));
  const int bytes = int(compiled.localSizeBytes);
  if (on_gpu) right &= (bytes > 0) == (Where == place::local);
  const double all =
      double(bytes) * attribute(cudaDevAttrMaxThreadsPerMultiProcessor) * attribute(cudaDevAttrMultiProcessorCount);
  std::printf("%-28s %d B of local memory a thread, %.1f MB for all that may be resident, %s%s\n", name, bytes,
              1e-6 * all, figure(us, "us").c_str(), right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int usual = usual_size(3, 64 * attribute(cudaDevAttrMultiProcessorCount));
  const int blocks = size_to_run(count, arguments, usual, 1 << 19);
  bool right = show<place::local>("local, run-time index", blocks);
  right &= show<place::registers>("registers, constant indices", blocks);
  right &= show<place::shared>("shared, a column a thread", blocks);
  right &= show<place::interleaved>("global, interleaved", blocks);
  right &= show<place::apart>("global, a row a thread", blocks);
  return verdict(right);
}
