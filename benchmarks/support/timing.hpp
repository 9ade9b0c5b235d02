// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <functional>

namespace bench {

/// Enqueues pass `i` on a stream.
using enqueue_pass = std::function<cudaError_t(std::int64_t i, cudaStream_t)>;

inline double us_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

/// A stream of its own that does not wait for others.
class stream {
 public:
  stream();
  ~stream();
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

/// The time of one pass among `passes` in a CUDA graph, by events that are its first and last nodes: the host's time to
/// launch the graph is not in it.
class graph_timer {
 public:
  graph_timer(std::int64_t passes, const enqueue_pass& pass);
  ~graph_timer();
  graph_timer(const graph_timer&) = delete;
  graph_timer& operator=(const graph_timer&) = delete;
  double us_per_pass();

 private:
  std::int64_t passes_;
  stream stream_;
  cudaGraphExec_t exec_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace bench
