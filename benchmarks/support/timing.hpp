// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

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

class event {
 public:
  event();
  ~event();
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// The time of one pass among `passes`, on a stream that does not wait for others: what a pass uses must be ready.
class pass_timer {
 public:
  explicit pass_timer(std::int64_t passes) : passes_(passes) {}
  virtual ~pass_timer() = default;
  pass_timer(const pass_timer&) = delete;
  pass_timer& operator=(const pass_timer&) = delete;
  virtual double us_per_pass() = 0;

 protected:
  /// Waits for the passes between both events.
  double us_between_events();

  std::int64_t passes_;
  stream stream_;
  event begin_, end_;
};

/// Passes in a CUDA graph, whose first and last nodes are the events: the host's time to launch the graph is not in it.
class graph_timer final : public pass_timer {
 public:
  graph_timer(std::int64_t passes, const enqueue_pass& pass);
  ~graph_timer() override;
  double us_per_pass() override;

 private:
  cudaGraphExec_t exec_ = nullptr;
};

/// Plain calls between the events, for passes that wait for the GPU and so cannot be captured. The host's time to make
/// a call is in it where the GPU waits for the host.
class call_timer final : public pass_timer {
 public:
  call_timer(std::int64_t passes, enqueue_pass pass);
  double us_per_pass() override;

 private:
  enqueue_pass pass_;
};

enum class timed_in { graph, calls };

std::unique_ptr<pass_timer> make_timer(timed_in how, std::int64_t passes, const enqueue_pass& pass);

}  // namespace bench
