// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies (compute capability 9.0 and newer): one thread asks for a whole tile, a barrier in shared memory counts
// the bytes that have arrived, and the tile goes back by one bulk copy too. Addresses and sizes are multiples of 16
// bytes. The kernel has a fallback for older GPUs, and for the host SIMT device: all threads copy.
// Under nvcc it needs CUDA 12.8 or newer, for <cuda/ptx>.
//   11_03_bulk_copy [TILES]
// Source: "Asynchronous data copies" in NVIDIA's "CUDA C++ Programming Guide"; cuda::ptx in libcu++.
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#if !defined(SIMT_DEVICE)
#include <cuda/ptx>
#endif

#include <cstdint>

constexpr int tile_words = 4096, block_size = 128;

struct alignas(128) tile_storage {
  unsigned words[tile_words];
};

__device__ inline void add_one(tile_storage& tile) {
  for (int i = int(threadIdx.x); i < tile_words; i += block_size) tile.words[i] += 1;
}

// [kernel]
__global__ void add_one_to_tiles(const unsigned* in, unsigned* out) {
  GPUPRIM_SHARED(tile, tile_storage);
  const std::size_t first = std::size_t(blockIdx.x) * tile_words;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  namespace ptx = cuda::ptx;
  GPUPRIM_SHARED(arrived, std::uint64_t);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_proxy_async(ptx::space_shared);  // bulk copies see the barrier
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, &tile, in + first, sizeof tile, &arrived);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived, sizeof tile);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  add_one(tile);
  ptx::fence_proxy_async(ptx::space_shared);  // the bulk copy sees what this thread wrote
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + first, &tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());  // the block must not end before its tile has been read
  }
#else
  for (int i = int(threadIdx.x); i < tile_words; i += block_size) tile.words[i] = in[first + i];
  __syncthreads();
  add_one(tile);
  __syncthreads();
  for (int i = int(threadIdx.x); i < tile_words; i += block_size) out[first + i] = tile.words[i];
#endif
}
// [kernel]

int main(int count, char** arguments) {
  const int tiles = measure::size_to_run(count, arguments, measure::usual_size(7, 1 << 14));
  std::vector<unsigned> values(std::size_t(tiles) * tile_words);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unsigned(i) * 2654435761u;
  const measure::device_array<unsigned> in(values), out(values.size());
  out.poison();
  measure::event_timer timer;
  const double us = timer.us(
      [&](int) { return gpuprim::launch(add_one_to_tiles, tiles, block_size, nullptr, in.data(), out.data()); });
  cudaFuncAttributes compiled;
  measure::check(cudaFuncGetAttributes(&compiled, add_one_to_tiles));
  for (unsigned& x : values) ++x;
  const bool right = out.on_host() == values;
  std::printf("%d tiles by %s: %s: %s\n", tiles,
              measure::on_gpu && compiled.ptxVersion >= 90 ? "bulk copies" : "all threads",
              measure::rate(8.0 * double(values.size()), us).c_str(), right ? "right" : "WRONG");
  return right ? 0 : 1;
}
