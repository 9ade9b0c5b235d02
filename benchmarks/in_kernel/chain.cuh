// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A kernel runs a chain of reduces: what one gives is put back into the values of the next, so that every reduce waits
// for the one before, and one wrong result shows in the last. The clock is read around the chain.
#include "../support/check.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using bench::check;

/// Runs go() `reduces` times by all threads, and says how many cycles each took.
template <class Go>
__device__ __forceinline__ void time_chain(long long* cycles, const Go& go) {
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < reduces; ++i) go();
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
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

/// Cycles a reduce: the mean over the blocks of a launch, the median over the launches.
template <class T>
double measure_cycles(const work<T>& w, int blocks) {
  const std::size_t results = std::size_t(blocks) * std::size_t(w.results);
  T *in = upload(w.in), *device_out = upload(std::vector<T>(results));
  long long* device_cycles = upload(std::vector<long long>(std::size_t(blocks)));
  std::vector<double> means;
  for (int launch = -2; launch < launches; ++launch) {
    check(cudaMemset(device_out, 0xff, results * sizeof(T)), "poison");
    w.kernel<<<blocks, w.block>>>(in, w.rest, device_out, device_cycles);
    check(cudaDeviceSynchronize(), w.name);
    std::vector<long long> cycles(static_cast<std::size_t>(blocks));
    std::vector<T> out(results);
    check(cudaMemcpy(cycles.data(), device_cycles, cycles.size() * sizeof(long long), cudaMemcpyDeviceToHost), "copy");
    check(cudaMemcpy(out.data(), device_out, results * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    for (T got : out) {
      if (got == w.want) continue;
      std::fprintf(stderr, "%s, block %d: %g instead of %g\n", w.name, w.block, double(got), double(w.want));
      std::exit(1);
    }
    double sum = 0;
    for (long long c : cycles) sum += double(c);
    if (launch >= 0) means.push_back(sum / blocks / reduces);  // those before warm up
  }
  for (void* data : {(void*)in, (void*)device_out, (void*)device_cycles}) check(cudaFree(data), "free");
  std::nth_element(means.begin(), means.begin() + launches / 2, means.end());
  return means[launches / 2];
}

/// Alone on the GPU, and with as many blocks as fit on every multiprocessor.
template <class T>
row measure(const char* type, const work<T>& w) {
  cudaFuncAttributes attributes;
  int per_multiprocessor = 0, multiprocessors = 0;
  check(cudaFuncGetAttributes(&attributes, w.kernel), "attributes");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, w.kernel, w.block, 0), "occupancy");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
  return {w.name, type, w.block, per_multiprocessor, attributes.numRegs, int(attributes.sharedSizeBytes),
          measure_cycles(w, 1), measure_cycles(w, multiprocessors * per_multiprocessor)};
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
