// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/workspace.cuh>

namespace gpuprim::detail {

/// What a thread keeps for calls that return a value to the host: host memory that kernels write directly, which spares
/// a copy, and a workspace, which spares an allocation. Such a call waits for its result, so one of each is enough.
class host_result {
 public:
  ~host_result() { (void)cudaFreeHost(memory_); }

  /// The calling thread's own, with room for `result_bytes`, and a workspace on the current device.
  static cudaError_t find(std::int64_t result_bytes, std::int64_t workspace_bytes, host_result*& found) {
    static thread_local host_result mine;
    found = &mine;
    int device = 0;
    if (cudaError_t e = cudaGetDevice(&device)) return e;
    if (device != mine.device_) {
      mine.workspace_ = {};
      mine.device_ = device;
    }
    if (cudaError_t e = mine.workspace_.reserve(workspace_bytes)) return e;
    if (result_bytes <= mine.bytes_) return cudaSuccess;
    void* grown = nullptr;
    if (cudaError_t e = cudaHostAlloc(&grown, std::size_t(result_bytes), cudaHostAllocPortable)) return e;
    (void)cudaFreeHost(mine.memory_);
    mine.memory_ = grown;
    mine.bytes_ = result_bytes;
    return cudaSuccess;
  }

  void* memory() const { return memory_; }
  workspace& scratch() { return workspace_; }

 private:
  void* memory_ = nullptr;
  std::int64_t bytes_ = 0;
  int device_ = -1;
  workspace workspace_;
};

}  // namespace gpuprim::detail
