// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.hpp"
#include "timing.hpp"

#include <utility>

namespace bench {

stream::stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "create a stream"); }
stream::~stream() { (void)cudaStreamDestroy(handle_); }

event::event() { check(cudaEventCreate(&handle_), "create an event"); }
event::~event() { (void)cudaEventDestroy(handle_); }

double pass_timer::us_between_events() {
  check(cudaStreamSynchronize(stream_), "synchronise");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin_, end_), "elapsed time");
  return milliseconds * 1e3 / double(passes_);
}

graph_timer::graph_timer(std::int64_t passes, const enqueue_pass& pass) : pass_timer(passes) {
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin capture");
  check(cudaEventRecordWithFlags(begin_, stream_, cudaEventRecordExternal), "capture an event");
  for (std::int64_t i = 0; i < passes; ++i) check(pass(i, stream_), "capture a pass");
  check(cudaEventRecordWithFlags(end_, stream_, cudaEventRecordExternal), "capture an event");
  check(cudaStreamEndCapture(stream_, &graph), "end capture");
  check(cudaGraphInstantiate(&exec_, graph, 0), "instantiate");
  check(cudaGraphDestroy(graph), "destroy the graph");
  for (int warm_up = 0; warm_up < 2; ++warm_up) (void)graph_timer::us_per_pass();
}

graph_timer::~graph_timer() { (void)cudaGraphExecDestroy(exec_); }

double graph_timer::us_per_pass() {
  check(cudaGraphLaunch(exec_, stream_), "launch the graph");
  return us_between_events();
}

call_timer::call_timer(std::int64_t passes, enqueue_pass pass) : pass_timer(passes), pass_(std::move(pass)) {
  (void)call_timer::us_per_pass();
}

double call_timer::us_per_pass() {
  check(cudaEventRecord(begin_, stream_), "record an event");
  for (std::int64_t i = 0; i < passes_; ++i) check(pass_(i, stream_), "call a pass");
  check(cudaEventRecord(end_, stream_), "record an event");
  return us_between_events();
}

std::unique_ptr<pass_timer> make_timer(timed_in how, std::int64_t passes, const enqueue_pass& pass) {
  if (how == timed_in::calls) return std::make_unique<call_timer>(passes, pass);
  return std::make_unique<graph_timer>(passes, pass);
}

}  // namespace bench
