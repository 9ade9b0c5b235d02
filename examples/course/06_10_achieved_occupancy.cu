// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Theoretical occupancy says how many threads could be resident, achieved occupancy how many were, on average over the
// kernel. Equal work a block brings the two close; a few long blocks leave most of the GPU empty while they end. Each
// block notes when it began and ended; the sum of these spans is the time that its warps were resident.
// Under nvcc it needs CUDA 12.8 or newer, for the clock of <cuda/ptx>.
//   06_10_achieved_occupancy [BLOCKS]
// Source: "Achieved Occupancy" in the documentation of NVIDIA's profilers.
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#if !defined(SIMT_DEVICE)
#include <cuda/ptx>
#endif

#include <cstdint>

constexpr int block_size = 256, usual_rounds = 2000;

/// Nanoseconds on a clock that all multiprocessors share; the host SIMT device has none.
__device__ inline std::uint64_t now() {
#if defined(SIMT_DEVICE)
  return 0;
#else
  return cuda::ptx::get_sreg_globaltimer();
#endif
}

struct span {
  std::uint64_t begin, end;
};

/// The last sixteenth of the blocks works longer.
__host__ __device__ inline int rounds_of(int block, int blocks, int longer) {
  return usual_rounds * (block >= blocks - blocks / 16 ? longer : 1);
}
__host__ __device__ inline unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

// [kernel]
__global__ void uneven_work(int longer, span* spans, unsigned* out) {
  const std::uint64_t begin = now();
  const int block = int(blockIdx.x), rounds = rounds_of(block, int(gridDim.x), longer);
  unsigned x = unsigned(block) * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = next(x);
  out[block * int(blockDim.x) + int(threadIdx.x)] = x;
  __syncthreads();
  if (threadIdx.x == 0) spans[block] = {begin, now()};
}
// [kernel]

bool check(int blocks, int longer, double theoretical, int resident) {
  const measure::device_array<span> spans(static_cast<std::size_t>(blocks));
  const measure::device_array<unsigned> out(std::size_t(blocks) * block_size);
  for (int run = 0; run < 2; ++run) {  // the first one also loads the code
    measure::check(gpuprim::launch(uneven_work, blocks, block_size, nullptr, longer, spans.data(), out.data()));
  }
  measure::check(cudaDeviceSynchronize());
  // [achieved]
  std::uint64_t first = UINT64_MAX, last = 0, busy = 0;
  for (const span& s : spans.on_host()) {
    first = std::min(first, s.begin);
    last = std::max(last, s.end);
    busy += s.end - s.begin;
  }
  const double achieved = last > first ? theoretical * double(busy) / (double(last - first) * resident) : 0;
  // [achieved]
  bool right = achieved <= 1.02 * theoretical;
  const std::vector<unsigned> got = out.on_host();
  for (int block : {0, blocks / 2, blocks - 1}) {
    unsigned x = unsigned(block) * block_size + 7;
    for (int i = 0; i < rounds_of(block, blocks, longer); ++i) x = next(x);
    right &= got[std::size_t(block) * block_size + 7] == x;
  }
  std::printf("one block of 16 takes %d times as long: theoretical %.1f %%, achieved %s: %s\n", longer,
              100 * theoretical, measure::figure(100 * achieved, "%").c_str(), right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  int device = 0, multiprocessors = 0, threads = 0, fit = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  measure::check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  measure::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, uneven_work, block_size, 0));
  const int resident = fit * multiprocessors;
  // At least 16, so that the last sixteenth of the blocks is not empty.
  const int usual = measure::on_gpu ? 4 * resident : 16;
  const int blocks = std::max(16, measure::size_to_run(count, arguments, usual, 1 << 22));
  bool right = true;
  for (int longer : {1, 4, 16}) right &= check(blocks, longer, double(fit) * block_size / threads, resident);
  return right ? 0 : 1;
}
