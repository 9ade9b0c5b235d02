// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A kernel runs a chain of reduces: what one gives is put back into the values of the next, so that every reduce waits
// for the one before, and one wrong result shows in the last. The clock is read around the chain.
#include "../support/check.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

using bench::check;

/// What a block writes: the clock before and after, which is one clock for all blocks of a multiprocessor, and that
/// multiprocessor.
constexpr int times_of_block = 3;

/// Runs go() `reduces` times by all threads, and says when and where.
template <class Go>
__device__ __forceinline__ void time_chain(long long* cycles, const Go& go) {
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < reduces; ++i) go();
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) {
    unsigned multiprocessor = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    cycles += times_of_block * blockIdx.x;
    cycles[0] = begin;
    cycles[1] = end;
    cycles[2] = multiprocessor;
  }
}

/// Group: the threads of one reduce, a warp or the block. Rank 0 puts the result, less a constant, back as its own next
/// value: each result is one more than the one before.
template <class Contender, int Group, int Block, class T>
__global__ void __launch_bounds__(Block) chain(const T* in, T rest, T* out, long long* cycles) {
  const int rank = int(threadIdx.x) % Group;
  T value = in[rank], result = value;
  time_chain(cycles, [&] {
    result = Contender::template reduce<Block>(value);
    if (rank == 0) value = result - rest;
  });
  if (rank == 0) out[(blockIdx.x * Block + threadIdx.x) / Group] = result;
}

template <class T>
T* upload(const std::vector<T>& values) {
  T* data = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&data), values.size() * sizeof(T)), "allocate");
  check(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  return data;
}

/// What a kernel computes: `results` values a block, each `want`.
template <class T>
struct work {
  const char* name;
  void (*kernel)(const T* in, T rest, T* out, long long* cycles);
  std::vector<T> in;
  T rest, want;
  int block, results;
};

/// Cycles of a reduce.
struct measured_cycles {
  double own;     ///< how long a block waits for it: the mean over the blocks of a launch, the median over the launches
  double shared;  ///< of a multiprocessor, by all of its blocks: from the first to begin to the last to end, for each
};

/// The mean of the blocks' own cycles grows with the number of blocks, which differs between contenders: see
/// docs/lab/exchange.md.
inline measured_cycles add_up(const std::vector<long long>& times) {
  struct span {
    long long begin, end, blocks;
  };
  std::map<long long, span> multiprocessors;
  double own = 0, shared = 0;
  const std::size_t blocks = times.size() / times_of_block;
  for (std::size_t i = 0; i < times.size(); i += times_of_block) {
    const long long begin = times[i], end = times[i + 1];
    own += double(end - begin);
    span& of = multiprocessors.try_emplace(times[i + 2], span{begin, end, 0}).first->second;
    of = {std::min(of.begin, begin), std::max(of.end, end), of.blocks + 1};
  }
  for (const auto& [number, of] : multiprocessors) shared += double(of.end - of.begin) / double(of.blocks);
  return {own / double(blocks) / reduces, shared / double(multiprocessors.size()) / reduces};
}

inline double find_median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

template <class T>
measured_cycles measure_cycles(const work<T>& w, int blocks) {
  const std::size_t results = std::size_t(blocks) * std::size_t(w.results);
  T *in = upload(w.in), *device_out = upload(std::vector<T>(results));
  long long* device_times = upload(std::vector<long long>(std::size_t(times_of_block * blocks)));
  std::vector<double> own, shared;
  for (int launch = -2; launch < launches; ++launch) {
    check(cudaMemset(device_out, 0xff, results * sizeof(T)), "poison");
    w.kernel<<<blocks, w.block>>>(in, w.rest, device_out, device_times);
    check(cudaDeviceSynchronize(), w.name);
    std::vector<long long> times(static_cast<std::size_t>(times_of_block * blocks));
    std::vector<T> out(results);
    check(cudaMemcpy(times.data(), device_times, times.size() * sizeof(long long), cudaMemcpyDeviceToHost), "copy");
    check(cudaMemcpy(out.data(), device_out, results * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    for (T got : out) {
      if (got == w.want) continue;
      std::fprintf(stderr, "%s, block %d: %g instead of %g\n", w.name, w.block, double(got), double(w.want));
      std::exit(1);
    }
    if (launch < 0) continue;  // these warm up
    const measured_cycles cycles = add_up(times);
    own.push_back(cycles.own);
    shared.push_back(cycles.shared);
  }
  for (void* data : {(void*)in, (void*)device_out, (void*)device_times}) check(cudaFree(data), "free");
  return {find_median(own), find_median(shared)};
}

/// Alone on the GPU, and with as many blocks as fit on every multiprocessor.
template <class T>
row measure(const char* type, const work<T>& w) {
  cudaFuncAttributes attributes;
  int per_multiprocessor = 0, multiprocessors = 0;
  check(cudaFuncGetAttributes(&attributes, w.kernel), "attributes");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, w.kernel, w.block, 0), "occupancy");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
  const measured_cycles alone = measure_cycles(w, 1), full = measure_cycles(w, multiprocessors * per_multiprocessor);
  return {w.name,    type,     w.block,    per_multiprocessor, attributes.numRegs, int(attributes.sharedSizeBytes),
          alone.own, full.own, full.shared};
}

/// The sum of the first `Summed` of a group's values.
template <class Contender, int Group, int Block, class T, int Summed = Group>
row measure_sum(const char* type) {
  std::vector<T> in(Group);
  T total = 0;
  for (int i = 0; i < Group; ++i) in[std::size_t(i)] = T(i % 5 + 1);
  for (int i = 0; i < Summed; ++i) total += in[std::size_t(i)];
  return measure<T>(type, {Contender::name, chain<Contender, Group, Block, T>, in, total - in[0] - 1,
                           total + T(reduces - 1), Block, Block / Group});
}
