// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.hpp"
#include "timing.hpp"

namespace bench {

stream::stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "create a stream"); }
stream::~stream() { (void)cudaStreamDestroy(handle_); }

graph_timer::graph_timer(std::int64_t passes, const enqueue_pass& pass) : passes_(passes) {
  check(cudaEventCreate(&begin_), "create an event");
  check(cudaEventCreate(&end_), "create an event");
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin capture");
  check(cudaEventRecordWithFlags(begin_, stream_, cudaEventRecordExternal), "capture an event");
  for (std::int64_t i = 0; i < passes; ++i) check(pass(i, stream_), "capture a pass");
  check(cudaEventRecordWithFlags(end_, stream_, cudaEventRecordExternal), "capture an event");
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
  check(cudaGraphLaunch(exec_, stream_), "launch the graph");
  check(cudaStreamSynchronize(stream_), "synchronise");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin_, end_), "elapsed time");
  return milliseconds * 1e3 / double(passes_);
}

}  // namespace bench
