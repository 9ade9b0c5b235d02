// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams. Work runs when it is enqueued, so streams differ from each other only while one of them captures.
#include <algorithm>
#include <set>

#include "host.hpp"
#include "machine.hpp"

namespace simt {
namespace {

struct stream_table {
  CUstream_st legacy;
  std::set<CUstream_st*> created;
  std::vector<capture*> captures;
  unsigned long long captures_begun = 0;
};

stream_table& table() {
  static auto& t = *new stream_table;
  return t;
}

thread_local CUstream_st per_thread;
thread_local cudaStreamCaptureMode interaction = cudaStreamCaptureModeGlobal;

bool forbids_unsafe_calls(const capture& c) {
  if (interaction == cudaStreamCaptureModeRelaxed || c.mode == cudaStreamCaptureModeRelaxed) return false;
  if (c.thread == std::this_thread::get_id()) return true;
  return interaction == cudaStreamCaptureModeGlobal && c.mode == cudaStreamCaptureModeGlobal;
}

bool is_blocking(const capture& c) {
  return std::any_of(c.streams.begin(), c.streams.end(),
                     [](const CUstream_st* s) { return !(s->flags & cudaStreamNonBlocking); });
}

bool blocking_capture() {
  return std::any_of(table().captures.begin(), table().captures.end(), [](capture* c) { return is_blocking(*c); });
}

void end_capture(capture& c) {
  for (CUstream_st* s : c.streams) {
    if (s != c.origin) s->capturing.reset();
    s->has_unjoined_work = false;
  }
  std::erase(table().captures, &c);
}

}  // namespace

void count_synchronization() { ++the_machine().counters.synchronizations; }

CUstream_st* find_stream(cudaStream_t handle) {
  if (!handle || handle == cudaStreamLegacy) return &table().legacy;
  if (handle == cudaStreamPerThread) return &per_thread;
  return table().created.count(handle) ? handle : nullptr;
}

void invalidate(capture& c) { c.invalidated = true; }

void spoil_capture(cudaStream_t handle) {
  CUstream_st* s = find_stream(handle);
  if (s && s->capturing) invalidate(*s->capturing);
}

// The legacy stream waits for every blocking stream, which a capture cannot record.
cudaError_t check_legacy_stream() {
  cudaError_t result = cudaSuccess;
  for (capture* c : table().captures) {
    if (!is_blocking(*c)) continue;
    invalidate(*c);
    result = cudaErrorStreamCaptureImplicit;
  }
  return result;
}

cudaError_t check_unsafe_call() {
  cudaError_t result = cudaSuccess;
  for (capture* c : table().captures) {
    if (!forbids_unsafe_calls(*c)) continue;
    invalidate(*c);
    result = cudaErrorStreamCaptureUnsupported;
  }
  return result;
}

cudaError_t check_device_waiting() {
  for (capture* c : table().captures) invalidate(*c);
  return table().captures.empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t check_waiting(cudaStream_t handle) {
  CUstream_st* s = find_stream(handle);
  if (!s) return cudaErrorInvalidResourceHandle;
  if (s == &table().legacy) {
    if (cudaError_t error = check_legacy_stream()) return error;
  }
  if (!s->capturing) return check_unsafe_call();
  invalidate(*s->capturing);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t enqueue(cudaStream_t handle, work w) {
  CUstream_st* s = find_stream(handle);
  if (!s) return cudaErrorInvalidResourceHandle;
  if (s == &table().legacy) {
    if (cudaError_t error = check_legacy_stream()) return error;
  }
  if (!s->capturing) {
    w();
    return cudaSuccess;
  }
  capture& c = *s->capturing;
  if (c.invalidated) return cudaErrorStreamCaptureInvalidated;
  c.graph->nodes.push_back(std::move(w));
  ++s->operations;
  s->has_unjoined_work = s != c.origin;
  return cudaSuccess;
}

}  // namespace simt

using simt::api_call;
using simt::report;
using simt::table;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  api_call call("cudaStreamCreate");
  if (call.error()) return call.error();
  if (!stream || flags > cudaStreamNonBlocking) return report(cudaErrorInvalidValue);
  *stream = new CUstream_st;
  (*stream)->flags = flags;
  (*stream)->priority = std::clamp(priority, -5, 0);
  table().created.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  api_call call("cudaStreamDestroy");
  if (call.error()) return call.error();
  if (!table().created.count(stream)) return report(cudaErrorInvalidResourceHandle);
  if (auto c = stream->capturing) {
    if (c->origin == stream) simt::end_capture(*c);
    std::erase(c->streams, stream);
  }
  table().created.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  api_call call("cudaStreamSynchronize");
  if (call.error()) return call.error();
  simt::count_synchronization();
  return report(simt::check_waiting(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  api_call call("cudaStreamQuery");
  if (call.error()) return call.error();
  return report(simt::check_waiting(stream));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  api_call call("cudaStreamGetFlags");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  if (!flags) return report(cudaErrorInvalidValue);
  *flags = s->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  api_call call("cudaStreamGetPriority");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  if (!priority) return report(cudaErrorInvalidValue);
  *priority = s->priority;
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  api_call call("cudaLaunchHostFunc");
  if (call.error()) return call.error();
  if (!function) return report(cudaErrorInvalidValue);
  return report(simt::enqueue(stream, [=] { function(data); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags) {
  api_call call("cudaStreamAddCallback");
  if (call.error()) return call.error();
  if (!callback || flags != 0) return report(cudaErrorInvalidValue);
  if (cudaError_t error = simt::check_waiting(stream)) return report(error);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  api_call call("cudaStreamBeginCapture");
  if (call.error()) return call.error();
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  if (s == &table().legacy) return report(cudaErrorStreamCaptureUnsupported);
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return report(cudaErrorInvalidValue);
  if (s->capturing) return report(cudaErrorIllegalState);
  auto c = std::make_shared<simt::capture>();
  c->mode = mode;
  c->thread = std::this_thread::get_id();
  c->origin = s;
  c->id = ++table().captures_begun;
  c->streams.push_back(s);
  c->graph = std::make_unique<CUgraph_st>();
  table().captures.push_back(c.get());
  s->capturing = std::move(c);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  api_call call("cudaStreamEndCapture");
  if (call.error()) return call.error();
  if (!graph) return report(cudaErrorInvalidValue);
  *graph = nullptr;
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  if (!s->capturing) return report(cudaErrorIllegalState);
  auto c = s->capturing;
  if (c->origin != s) {
    simt::invalidate(*c);
    return report(cudaErrorStreamCaptureUnmatched);
  }
  if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != std::this_thread::get_id()) {
    return report(cudaErrorStreamCaptureWrongThread);
  }
  bool unjoined = std::any_of(c->streams.begin(), c->streams.end(), [](auto* x) { return x->has_unjoined_work; });
  simt::end_capture(*c);
  s->capturing.reset();
  if (c->invalidated) return report(cudaErrorStreamCaptureInvalidated);
  if (unjoined) return report(cudaErrorStreamCaptureUnjoined);
  *graph = c->graph.release();
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph) {
  api_call call("cudaStreamGetCaptureInfo");
  if (call.error()) return call.error();
  if (!status) return report(cudaErrorInvalidValue);
  CUstream_st* s = simt::find_stream(stream);
  if (!s) return report(cudaErrorInvalidResourceHandle);
  // Only asking does no harm to a capture.
  if (s == &table().legacy && simt::blocking_capture()) return report(cudaErrorStreamCaptureImplicit);
  *status = !s->capturing               ? cudaStreamCaptureStatusNone
            : s->capturing->invalidated ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
  if (id) *id = s->capturing ? s->capturing->id : 0;
  if (graph) *graph = s->capturing ? s->capturing->graph.get() : nullptr;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  api_call call("cudaThreadExchangeStreamCaptureMode");
  if (call.error()) return call.error();
  if (!mode) return report(cudaErrorInvalidValue);
  std::swap(*mode, simt::interaction);
  return cudaSuccess;
}
