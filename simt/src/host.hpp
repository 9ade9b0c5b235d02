// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the runtime interface share: the error state, and streams with their captures.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <simt/runtime_api.hpp>

namespace simt {

// ---- errors.cpp ----
// First in every call: reads the environment once, refuses calls from device code, makes a context if there is
// none, and returns the error of a device that has failed for good. One call at a time, whichever host thread
// makes it; reentrant, because enqueued host functions may make calls.
class api_call {
 public:
  explicit api_call(const char* name);
  cudaError_t error() const { return error_; }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  cudaError_t error_;
};
std::recursive_mutex& device_mutex();
// Last statement: makes an error the thread's last error.
cudaError_t report(cudaError_t);
void set_sticky_error(cudaError_t);
void clear_errors();

// ---- driver.cpp ----
void make_context();  // unless there is one
void end_context();

// ---- memory.cpp ----
void free_all_memory();
cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind);
cudaError_t check_set(const void* to, std::size_t bytes);
bool is_managed(const void*);

// ---- memory_pool.cpp ----
void note_freed(const void*);  // of a pool or not

// ---- stream.cpp ----
using work = std::function<void()>;

struct capture {
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  CUstream_st* origin;
  unsigned long long id;
  bool invalidated = false;
  std::vector<CUstream_st*> streams;  // origin first, then those that joined
  std::unique_ptr<CUgraph_st> graph;
};

// The stream behind a handle, null if there is none.
CUstream_st* find_stream(cudaStream_t);
// Runs the work, or records it. Checks the stream, and that the legacy stream does not disturb a capture.
cudaError_t enqueue(cudaStream_t, work);
// For calls that would have to wait for the stream.
cudaError_t check_waiting(cudaStream_t);
// For calls such as cudaMalloc that may synchronise behind the scenes: not while a capture forbids it.
cudaError_t check_unsafe_call();
cudaError_t check_legacy_stream();
cudaError_t check_device_waiting();
void invalidate(capture&);
void spoil_capture(cudaStream_t);  // an error that a captured stream does not survive
void count_synchronization();

}  // namespace simt

struct CUgraph_st {
  std::vector<simt::work> nodes;              // in the order in which they were enqueued
  std::vector<std::shared_ptr<void>> memory;  // allocated while capturing, lives as long as the graph
};

struct CUgraphExec_st {
  std::vector<simt::work> nodes;
  std::vector<std::shared_ptr<void>> memory;
};

struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::shared_ptr<simt::capture> capturing;
  bool has_unjoined_work = false;
  unsigned long long operations = 0;  // captured, to tell whether an event covers all of them
};
