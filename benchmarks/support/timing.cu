// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bench {

namespace {

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

/// Cycles that take at least this long, whatever clock the GPU has taken.
long long cycles_of(double us) {
  int khz = 0;
  check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock rate");
  return static_cast<long long>(us * 1e-3 * khz);
}

/// Where the two events are. GPUPRIM_BENCH_EVENTS chooses, to see what the way of timing does to the figures.
enum class events {
  behind_spin,  ///< around the graph, the first behind a kernel that keeps the GPU busy until the graph is
                ///< queued
  around,       ///< around the graph: the figure includes what the host takes to launch it
  inside,       ///< first and last node of the graph
};

events chosen_events() {
  static const events chosen = [] {
    const char* name = std::getenv("GPUPRIM_BENCH_EVENTS");
    if (name == nullptr) return events::behind_spin;
    return std::string_view(name) == "around" ? events::around : events::inside;
  }();
  return chosen;
}

}  // namespace

stream::stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "create a stream"); }
stream::~stream() { (void)cudaStreamDestroy(handle_); }

graph_timer::graph_timer(std::int64_t passes, const enqueue_pass& pass) : passes_(passes) {
  check(cudaEventCreate(&begin_), "create an event");
  check(cudaEventCreate(&end_), "create an event");
  const bool inside = chosen_events() == events::inside;
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin capture");
  if (inside) check(cudaEventRecordWithFlags(begin_, stream_, cudaEventRecordExternal), "capture an event");
  for (std::int64_t i = 0; i < passes; ++i) check(pass(i, stream_), "capture a pass");
  if (inside) check(cudaEventRecordWithFlags(end_, stream_, cudaEventRecordExternal), "capture an event");
  check(cudaStreamEndCapture(stream_, &graph), "end capture");
  check(cudaGraphInstantiate(&exec_, graph, 0), "instantiate");
  check(cudaGraphDestroy(graph), "destroy the graph");
  for (int warm_up = 0; warm_up < 2; ++warm_up) (void)us_per_pass();
}

graph_timer::~graph_timer() {
  (void)cudaEventDestroy(begin_);
  (void)cudaEventDestroy(end_);
  (void)cudaGraphExecDestroy(exec_);
}

double graph_timer::us_per_pass() {
  constexpr double longest_spin_us = 20000;
  const events where = chosen_events();
  for (;;) {
    // Without the spin the first event fires at once, long before the graph is there.
    if (where == events::behind_spin) spin<<<1, 1, 0, stream_>>>(cycles_of(spin_us_));
    const auto begin = std::chrono::steady_clock::now();
    if (where != events::inside) check(cudaEventRecord(begin_, stream_), "record");
    check(cudaGraphLaunch(exec_, stream_), "launch the graph");
    if (where != events::inside) check(cudaEventRecord(end_, stream_), "record");
    const double enqueue_us = us_since(begin);
    check(cudaStreamSynchronize(stream_), "synchronise");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "elapsed time");
    const bool too_short =
        where == events::behind_spin && enqueue_us > 0.7 * spin_us_ && spin_us_ < longest_spin_us;
    if (!too_short) return milliseconds * 1e3 / double(passes_);
    spin_us_ = std::min(2 * enqueue_us, longest_spin_us);
  }
}

}  // namespace bench
