// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline of 1 to 4 stages in shared memory: while a block works on one tile, the copies of the next ones are on
// their way. With one stage each tile is waited for in full. Few threads then keep as many bytes in flight as many
// would.
//   11_02_pipeline [TILES]
// Source: the pipeline primitives of NVIDIA's "CUDA C++ Programming Guide".
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#if !defined(SIMT_DEVICE)
#include <cuda_pipeline_primitives.h>
#endif

#include <numeric>

constexpr int block_size = 256;

__device__ inline void copy_async(uint4* shared, const uint4* global) {
#if defined(SIMT_DEVICE)  // copies at once
  *shared = *global;
#else
  __pipeline_memcpy_async(shared, global, sizeof(uint4));
#endif
}

__device__ inline void commit() {
#if !defined(SIMT_DEVICE)
  __pipeline_commit();
#endif
}

template <int Newest>
__device__ void wait_for_all_but() {
#if !defined(SIMT_DEVICE)
  __pipeline_wait_prior(Newest);
#endif
}

// [kernel]
template <int Stages>
__global__ void sum_tiles(const uint4* in, int tiles, unsigned* out) {
  GPUPRIM_SHARED(ring, uint4[Stages][block_size]);
  const int t = int(threadIdx.x), step = int(gridDim.x);
  const auto fetch = [&](int tile, int stage) {
    if (tile < tiles) copy_async(&ring[stage][t], &in[std::size_t(tile) * block_size + t]);
    commit();  // a batch that may be empty, so that their count is that of the tiles
  };
  for (int stage = 0; stage < Stages - 1; ++stage) fetch(int(blockIdx.x) + stage * step, stage);
  unsigned sum = 0;
  for (int tile = int(blockIdx.x), stage = 0; tile < tiles; tile += step, stage = (stage + 1) % Stages) {
    fetch(tile + (Stages - 1) * step, (stage + Stages - 1) % Stages);
    wait_for_all_but<Stages - 1>();
    __syncthreads();  // the copies of all threads are there
    const uint4 x = ring[stage][block_size - 1 - t];
    sum += x.x + x.y + x.z + x.w;
    __syncthreads();  // all have read before the next round copies into this stage
  }
  out[blockIdx.x * block_size + t] = sum;
}
// [kernel]

template <int Stages>
bool check(const measure::device_array<unsigned>& in, int tiles, int blocks, unsigned want) {
  const measure::device_array<unsigned> out(std::size_t(blocks) * block_size);
  out.poison();
  measure::event_timer timer;
  const double us = timer.us([&](int) {
    return gpuprim::launch(sum_tiles<Stages>, blocks, block_size, nullptr, reinterpret_cast<const uint4*>(in.data()),
                           tiles, out.data());
  });
  const std::vector<unsigned> sums = out.on_host();
  const bool right = std::accumulate(sums.begin(), sums.end(), 0u) == want;
  std::printf("%d stages: %s: %s\n", Stages, measure::rate(16.0 * block_size * tiles, us).c_str(),
              right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int tiles = measure::size_to_run(count, arguments, measure::usual_size(23, 1 << 16));
  int device = 0, multiprocessors = 0;
  measure::check(cudaGetDevice(&device));
  measure::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int blocks = measure::on_gpu ? 4 * multiprocessors : 3;  // half of the threads that a multiprocessor could hold
  std::vector<unsigned> values(std::size_t(tiles) * block_size * 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unsigned(i) * 2654435761u;
  const unsigned want = std::accumulate(values.begin(), values.end(), 0u);
  const measure::device_array<unsigned> in(values);
  bool right = check<1>(in, tiles, blocks, want) && check<2>(in, tiles, blocks, want);
  right &= check<3>(in, tiles, blocks, want) && check<4>(in, tiles, blocks, want);
  return right ? 0 : 1;
}
