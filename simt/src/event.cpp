// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: a time stamp, and in a capture the means by which one stream draws another one in.
#include <algorithm>
#include <chrono>
#include <set>

#include "host.hpp"

struct CUevent_st {
  unsigned flags = cudaEventDefault;
  bool recorded = false;
  std::chrono::steady_clock::time_point when;
  std::weak_ptr<simt::capture> captured_in;  // recorded while capturing: has no time, and cannot be waited for
  bool captured = false;
  CUstream_st* stream = nullptr;
  unsigned long long covers = 0;
};

namespace {

std::set<CUevent_st*>& events() {
  static auto& all = *new std::set<CUevent_st*>;
  return all;
}

bool exists(cudaEvent_t event) { return events().count(event) != 0; }

cudaError_t check_finished(cudaEvent_t event) {
  if (!exists(event)) return cudaErrorInvalidResourceHandle;
  if (!event->captured) return simt::check_unsafe_call();
  if (auto c = event->captured_in.lock()) simt::invalidate(*c);
  return cudaErrorCapturedEvent;
}

}  // namespace

using simt::api_call;
using simt::report;

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  api_call call("cudaEventCreate");
  if (call.error()) return call.error();
  if (!event || flags > 7) return report(cudaErrorInvalidValue);
  *event = new CUevent_st;
  (*event)->flags = flags;
  events().insert(*event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  api_call call("cudaEventDestroy");
  if (call.error()) return call.error();
  if (!exists(event)) return report(cudaErrorInvalidResourceHandle);
  events().erase(event);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  api_call call("cudaEventRecord");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s || !exists(event)) return report(cudaErrorInvalidResourceHandle);
  if (flags > cudaEventRecordExternal) return report(cudaErrorInvalidValue);
  auto stamp = [event] {
    event->recorded = true;
    event->when = std::chrono::steady_clock::now();
  };
  if (s->capturing && flags != cudaEventRecordExternal) {
    if (s->capturing->invalidated) return report(cudaErrorStreamCaptureInvalidated);
    event->captured = true;
    event->captured_in = s->capturing;
    event->stream = s;
    event->covers = s->operations;
    return cudaSuccess;
  }
  event->captured = false;
  return report(simt::enqueue(stream, stamp));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  api_call call("cudaStreamWaitEvent");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s || !exists(event)) return report(cudaErrorInvalidResourceHandle);
  auto c = event->captured_in.lock();
  if (!event->captured || !c || !c->graph) {
    if (!s->capturing) return cudaSuccess;  // what the event marks has already happened
    if (!event->recorded) return cudaSuccess;
    simt::invalidate(*s->capturing);  // work outside the capture
    return report(cudaErrorStreamCaptureIsolation);
  }
  if (s->capturing && s->capturing != c) {
    simt::invalidate(*s->capturing);
    simt::invalidate(*c);
    return report(cudaErrorStreamCaptureMerge);
  }
  if (s == simt::find_stream(cudaStreamLegacy)) {
    simt::invalidate(*c);
    return report(cudaErrorStreamCaptureImplicit);
  }
  if (!s->capturing) {
    s->capturing = c;
    c->streams.push_back(s);
  } else if (event->stream != s && event->covers == event->stream->operations) {
    event->stream->has_unjoined_work = false;
  }
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  api_call call("cudaEventSynchronize");
  if (call.error()) return call.error();
  simt::count_synchronization();
  return report(check_finished(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  api_call call("cudaEventQuery");
  if (call.error()) return call.error();
  return report(check_finished(event));
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  api_call call("cudaEventElapsedTime");
  if (call.error()) return call.error();
  if (!milliseconds) return report(cudaErrorInvalidValue);
  for (cudaEvent_t event : {start, stop}) {
    if (!exists(event)) return report(cudaErrorInvalidResourceHandle);
    if (event->captured) return report(cudaErrorCapturedEvent);
    if (!event->recorded || (event->flags & cudaEventDisableTiming)) return report(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(stop->when - start->when).count();
  return cudaSuccess;
}
