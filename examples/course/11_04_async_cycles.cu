// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies to shared memory by the clock: cycles that a block takes for 1 to 32 copies of 4, 8 or 16 bytes a thread, by
// way of registers and asynchronously (compute capability 8.0 and newer). The clock is read before the first copy and
// when the thread's data is there. Few bytes are mostly latency; many show what an instruction and a register save.
// Source: "Asynchronous Copy from Global Memory to Shared Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#if !defined(SIMT_DEVICE)
#include <cuda_pipeline_primitives.h>
#endif

using namespace course;

constexpr int block_size = 128, most_copies = 32;

enum class by { registers, async };

// [kernel]
template <by How, class Word>
__global__ void stage(const Word* in, int copies, Word* out, unsigned long long* cycles) {
  extern __shared__ uint4 memory[];
  Word* tile = reinterpret_cast<Word*>(memory);
  const int t = int(threadIdx.x), words = copies * block_size;
  const Word* from = in + std::size_t(blockIdx.x) * unsigned(words);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (int k = 0; k < copies; ++k) {
    const int i = k * block_size + t;
#if !defined(SIMT_DEVICE)  // which has no asynchronous copies of single words
    if constexpr (How == by::async) __pipeline_memcpy_async(&tile[i], &from[i], sizeof(Word));
    else
#endif
      tile[i] = from[i];
  }
#if !defined(SIMT_DEVICE)
  if constexpr (How == by::async) {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
#endif
  __syncthreads();  // the copies of all threads are there
  const long long end = clock64();
  for (int i = t; i < words; i += block_size) out[std::size_t(blockIdx.x) * unsigned(words) + i] = tile[words - 1 - i];
  if (t == 0) atomicAdd(cycles, static_cast<unsigned long long>(end - begin));
}
// [kernel]

/// Cycles of a block, on average over all blocks.
template <by How, class Word>
double run(const device_array<unsigned>& in, const std::vector<unsigned>& values, int copies, int blocks, bool& right) {
  constexpr std::size_t parts = sizeof(Word) / 4;
  const std::size_t words = std::size_t(copies) * block_size, bytes = words * sizeof(Word);
  const auto kernel = stage<How, Word>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  const device_array<unsigned> out(words * parts * unsigned(blocks));
  const device_array<unsigned long long> cycles(1);
  out.poison();
  for (int sample = 0; sample < 2; ++sample) {  // the first one also loads the code, and the input into the L2 cache
    check(cudaMemset(cycles.data(), 0, sizeof(unsigned long long)));
    kernel<<<blocks, block_size, bytes>>>(reinterpret_cast<const Word*>(in.data()), copies,
                                          reinterpret_cast<Word*>(out.data()), cycles.data());
    check(cudaGetLastError());
  }
  const std::vector<unsigned> got = out.on_host();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t block = i / parts / words, word = i / parts % words;
    right &= got[i] == values[(block * words + (words - 1 - word)) * parts + i % parts];
  }
  return double(cycles.on_host()[0]) / blocks;
}

template <class Word>
bool show(const device_array<unsigned>& in, const std::vector<unsigned>& values, int blocks) {
  bool right = true;
  for (int copies = 1; copies <= most_copies; copies *= 2) {
    const double sync = run<by::registers, Word>(in, values, copies, blocks, right);
    const double async = run<by::async, Word>(in, values, copies, blocks, right);
    std::printf("%2d bytes, %2d copies a thread: by registers %s, asynchronously %s%s\n", int(sizeof(Word)), copies,
                figure(sync, "cycles").c_str(), figure(async, "cycles").c_str(), right ? "" : ": WRONG");
  }
  return right;
}

int main(int count, char** arguments) {
  const int usual = usual_size(2, attribute(cudaDevAttrMultiProcessorCount));
  const int blocks = size_to_run(count, arguments, usual, 1 << 12);
  std::vector<unsigned> values(std::size_t(blocks) * most_copies * block_size * 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unsigned(i) * 2654435761u;
  const device_array<unsigned> in(values);
  bool right = show<unsigned>(in, values, blocks);
  right &= show<uint2>(in, values, blocks);
  right &= show<uint4>(in, values, blocks);
  return verdict(right);
}
