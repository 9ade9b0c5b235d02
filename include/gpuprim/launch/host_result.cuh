// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/driver.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <new>

namespace gpuprim::detail {

/// What a thread keeps for calls that return a value to the host: host memory that kernels write directly, which spares
/// a copy, and a workspace, which spares an allocation. Such a call waits for its result, so one of each is enough.
class host_result {
 public:
  ~host_result() { drop(); }

  /// The calling thread's own, with room for `result_bytes`, and a workspace on the current device.
  static cudaError_t find(std::int64_t result_bytes, std::int64_t workspace_bytes, host_result*& found) {
    static thread_local host_result mine;
    found = &mine;
    unsigned long long context = 0;
    if (cudaError_t e = find_context(context)) return e;
    if (context != mine.context_) {
      mine.drop();
      if (cudaError_t e = cudaGetDevice(&mine.device_)) return e;
      mine.context_ = context;
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
  /// Frees all, unless the device was reset: that has done so, and others may have got the same addresses since. Of a
  /// device that is not the current one there is no telling.
  void drop() {
    if (device_ < 0) return;
    unsigned long long context = 0;
    int device = -1;
    (void)driver::get().get_context_id(nullptr, &context);
    (void)cudaGetDevice(&device);
    if (device == device_ && context != context_) {
      ::new (static_cast<void*>(&workspace_)) workspace;  // forgets
    } else {
      (void)cudaFreeHost(memory_);
      workspace_ = {};
    }
    memory_ = nullptr;
    bytes_ = 0;
    device_ = -1;
  }

  void* memory_ = nullptr;
  std::int64_t bytes_ = 0;
  unsigned long long context_ = 0;
  int device_ = -1;  ///< less than 0 where nothing is kept
  workspace workspace_;
};

}  // namespace gpuprim::detail
