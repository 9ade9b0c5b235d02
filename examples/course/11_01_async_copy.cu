// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From global to shared memory: by way of registers, or asynchronously past them (compute capability 8.0 and newer;
// older GPUs run the same code with registers). An asynchronous copy of a thread has 4, 8 or 16 bytes; those of 16
// also go past the L1 cache. Each block stages a tile and writes it out backwards.
//   11_01_async_copy [TILES]
// Source: "Asynchronous Copy from Global Memory to Shared Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "../measure.hpp"

#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#if !defined(SIMT_DEVICE)
#include <cuda_pipeline_primitives.h>
#endif

constexpr int tile_bytes = 8192, block_size = 128;

// [copy]
template <class Word>
__device__ void copy_async(Word* shared, const Word* global) {
#if defined(SIMT_DEVICE)  // has no asynchronous copies of single words
  *shared = *global;
#else
  __pipeline_memcpy_async(shared, global, sizeof(Word));
#endif
}

__device__ inline void wait_for_copies() {
#if !defined(SIMT_DEVICE)
  __pipeline_commit();
  __pipeline_wait_prior(0);  // this thread's copies: a barrier must follow before another reads them
#endif
}
// [copy]

enum class by { registers, async };

// [kernel]
template <by How, class Word>
__global__ void reverse_tiles(const Word* in, Word* out) {
  constexpr int words = tile_bytes / int(sizeof(Word));
  GPUPRIM_SHARED(tile, Word[words]);
  const Word* from = in + std::size_t(blockIdx.x) * words;
  for (int i = int(threadIdx.x); i < words; i += block_size) {
    if constexpr (How == by::async) copy_async(&tile[i], &from[i]);
    else tile[i] = from[i];
  }
  if constexpr (How == by::async) wait_for_copies();
  __syncthreads();
  Word* to = out + std::size_t(blockIdx.x) * words;
  for (int i = int(threadIdx.x); i < words; i += block_size) to[i] = tile[words - 1 - i];
}
// [kernel]

template <by How, class Word>
bool check(const std::vector<unsigned>& values, int tiles) {
  const measure::device_array<unsigned> in(values), out(values.size());
  out.poison();
  measure::event_timer timer;
  const double us = timer.us([&](int) {
    return gpuprim::launch(reverse_tiles<How, Word>, tiles, block_size, nullptr,
                           reinterpret_cast<const Word*>(in.data()), reinterpret_cast<Word*>(out.data()));
  });
  constexpr int parts = sizeof(Word) / 4, words = tile_bytes / int(sizeof(Word));
  const std::vector<unsigned> got = out.on_host();
  bool right = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t tile = i / parts / words, word = i / parts % words;
    right &= got[i] == values[(tile * words + (words - 1 - word)) * parts + i % parts];
  }
  std::printf("%d bytes, %s: %s: %s\n", int(sizeof(Word)), How == by::async ? "asynchronous" : "by registers",
              measure::rate(2.0 * tile_bytes * tiles, us).c_str(), right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int tiles = measure::size_to_run(count, arguments, measure::usual_size(5, 1 << 15));
  std::vector<unsigned> values(std::size_t(tiles) * tile_bytes / 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unsigned(i) * 2654435761u;
  bool right = check<by::registers, unsigned>(values, tiles) && check<by::async, unsigned>(values, tiles);
  right &= check<by::registers, uint2>(values, tiles) && check<by::async, uint2>(values, tiles);
  right &= check<by::registers, uint4>(values, tiles) && check<by::async, uint4>(values, tiles);
  return right ? 0 : 1;
}
