// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Timing of device passes with Google Benchmark and CUDA events.
//
// A pass is captured once for each of several input slices into one graph, and the graph's replay is timed: the figure is
// the time of one pass among others, without launch gaps. Slices keep the inputs apart: together they stay well inside
// the L2 cache ("L2") or are far larger than it ("DRAM"), never in between.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace bench {

inline void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

inline constexpr std::int64_t l2_slice_bytes = 256 << 10;
inline constexpr std::int64_t l2_total_bytes = 16 << 20;
inline constexpr std::int64_t dram_total_bytes = std::int64_t{1} << 30;
inline constexpr std::int64_t most_slices = 1024;

/// The inputs of one benchmark: `count` slices of `bytes` each, filled with small numbers, none of them zero.
struct slices {
  std::int64_t bytes, count;
  char* data = nullptr;

  explicit slices(std::int64_t slice_bytes) : bytes(slice_bytes) {
    const std::int64_t total = bytes <= l2_slice_bytes ? l2_total_bytes : dram_total_bytes;
    count = std::clamp<std::int64_t>(total / bytes, 2, bytes <= l2_slice_bytes ? 64 : most_slices);
    check(cudaMalloc(reinterpret_cast<void**>(&data), std::size_t(bytes * count + 16)), "allocate the inputs");
  }
  ~slices() { (void)cudaFree(data); }
  slices(const slices&) = delete;
  slices& operator=(const slices&) = delete;
  const char* memory() const { return bytes <= l2_slice_bytes ? "L2" : "DRAM"; }
  template <class T>
  const T* at(std::int64_t i) const { return reinterpret_cast<const T*>(data + (i % count) * bytes); }
};

template <class T>
__global__ void fill(T* out, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = T(int((i * 2654435761u >> 7) % 5) + 1);
  }
}

/// Seconds that one pass takes inside a graph of one pass a slice. `pass(i, stream)` enqueues the pass over slice i.
template <class Pass>
class graph_timer {
 public:
  graph_timer(std::int64_t passes, Pass pass) : passes_(passes) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin capture");
    for (std::int64_t i = 0; i < passes; ++i) check(pass(i, stream_), "capture a pass");
    check(cudaStreamEndCapture(stream_, &graph), "end capture");
    check(cudaGraphInstantiate(&exec_, graph, 0), "instantiate");
    check(cudaGraphDestroy(graph), "destroy the graph");
    check(cudaEventCreate(&begin_), "create an event");
    check(cudaEventCreate(&end_), "create an event");
    for (int warm_up = 0; warm_up < 3; ++warm_up) (void)seconds_a_pass();
  }
  ~graph_timer() {
    (void)cudaEventDestroy(begin_);
    (void)cudaEventDestroy(end_);
    (void)cudaGraphExecDestroy(exec_);
    (void)cudaStreamDestroy(stream_);
  }
  double seconds_a_pass() {
    float milliseconds = 0;
    check(cudaEventRecord(begin_, stream_), "record");
    check(cudaGraphLaunch(exec_, stream_), "launch the graph");
    check(cudaEventRecord(end_, stream_), "record");
    check(cudaEventSynchronize(end_), "synchronise");
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "elapsed time");
    return milliseconds * 1e-3 / double(passes_);
  }

 private:
  std::int64_t passes_;
  cudaStream_t stream_;
  cudaGraphExec_t exec_;
  cudaEvent_t begin_, end_;
};

/// Seconds from the host call to the end of the stream's work.
template <class Pass>
double seconds_of_call(Pass pass, cudaStream_t stream) {
  const auto begin = std::chrono::steady_clock::now();
  check(pass(stream), "call");
  check(cudaStreamSynchronize(stream), "synchronise");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace bench
