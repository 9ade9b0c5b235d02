// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers against occupancy. One kernel is compiled so that at least 1, 2, 4, 6 and 8 of its blocks fit on a
// multiprocessor (the second argument of __launch_bounds__). The more blocks must fit, the fewer registers a thread may
// have; values for which there is no register spill to local memory. The option -maxrregcount N of nvcc bounds the
// registers of all kernels of a file that have no __launch_bounds__, here of the first one: scripts/register_sweep.sh
// compiles this file with several N.
//   06_08_launch_bounds [N]
// Source: "Launch Bounds" in NVIDIA's "CUDA C++ Programming Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

constexpr int window = 33, block_size = 256;

/// Sorts by odd-even transposition; with a constant size and unrolled loops the values live in registers.
__device__ inline int median(int (&values)[window]) {
#pragma unroll
  for (int round = 0; round < window; ++round) {
#pragma unroll
    for (int i = round % 2; i + 1 < window; i += 2) {
      const int a = values[i], b = values[i + 1];
      values[i] = a < b ? a : b;
      values[i + 1] = a < b ? b : a;
    }
  }
  return values[window / 2];
}

// [kernel]
__device__ inline void filter(const int* in, int n, int* out) {
  const int first = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (first + window > n) return;
  int values[window];
#pragma unroll
  for (int i = 0; i < window; ++i) values[i] = in[first + i];
  out[first] = median(values);
}

/// The compiler does not know the size of its blocks, and -maxrregcount bounds its registers.
__global__ void median_of_any_block(const int* in, int n, int* out) { filter(in, n, out); }

/// -maxrregcount says nothing about this one.
template <int MinBlocks>
__global__ void __launch_bounds__(block_size, MinBlocks) median_filter(const int* in, int n, int* out) {
  filter(in, n, out);
}
// [kernel]

using kernel_of_filter = void (*)(const int*, int, int*);

/// `least`: the blocks that must fit, or 0 where the kernel has no bound.
bool check(kernel_of_filter kernel, int least, const measure::device_array<int>& in, int n,
           const std::vector<int>& want) {
  const measure::device_array<int> out(want.size());
  out.poison();
  measure::event_timer timer;
  const double us = timer.us([&](int) {
    return gpuprim::launch(kernel, (n + block_size - 1) / block_size, block_size, nullptr, in.data(), n, out.data());
  });
  cudaFuncAttributes compiled;
  int blocks = 0;
  measure::check(cudaFuncGetAttributes(&compiled, kernel));
  measure::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
  // The promise of the bound, where the GPU has room for so many threads.
  const bool right = out.on_host() == want && (blocks >= least || blocks * block_size >= 1024);
  if (least > 0) std::printf("at least %d blocks", least);
  else std::printf("no bound");
  std::printf(": %d registers, %d B of local memory, %d blocks fit, %s: %s\n", compiled.numRegs,
              int(compiled.localSizeBytes), blocks, measure::figure(us, "us").c_str(), right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(1500, 1 << 22));
  std::vector<int> values, want;
  for (int i = 0; i < n; ++i) values.push_back(int(unsigned(i) * 2654435761u >> 8));
  for (int first = 0; first + window <= n; ++first) {
    int around[window];
    std::copy_n(values.begin() + first, window, around);
    std::nth_element(around, around + window / 2, around + window);
    want.push_back(around[window / 2]);
  }
  const measure::device_array<int> in(values);
  bool right = check(median_of_any_block, 0, in, n, want);
  right &= check(median_filter<1>, 1, in, n, want);
  right &= check(median_filter<2>, 2, in, n, want);
  right &= check(median_filter<4>, 4, in, n, want);
  right &= check(median_filter<6>, 6, in, n, want);
  right &= check(median_filter<8>, 8, in, n, want);
  return right ? 0 : 1;
}
