// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/driver.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <new>
#include <utility>

namespace gpuprim::inline v0_2_0::detail {

/// What a thread keeps in a context for calls that return a value to the host. Kernels write to the host memory
/// directly, which saves a copy, and the workspace saves an allocation. Such a call waits for its result, so one of
/// each is enough.
class host_result {
 public:
  /// The calling thread's own in its current context, with room for `result_bytes` and a workspace of
  /// `workspace_bytes`. There is one for each context that the thread has made such a call in.
  static cudaError_t find(std::int64_t result_bytes, std::int64_t workspace_bytes, host_result*& found) {
    static thread_local list mine;
    unsigned long long context = 0;
    if (cudaError_t e = find_context(context)) return e;
    for (found = mine.newest; found && found->context_ != context; found = found->next_) {
    }
    if (!found) {
      found = new (std::nothrow) host_result(context, mine.newest);
      if (!found) return cudaErrorMemoryAllocation;
      mine.newest = found;
    }
    if (cudaError_t e = found->reserve(result_bytes)) return e;
    return found->workspace_.reserve(workspace_bytes);
  }

  void* memory() const { return memory_; }
  workspace& scratch() { return workspace_; }

 private:
  struct list {
    host_result* newest = nullptr;
    ~list() {
      while (newest) delete std::exchange(newest, newest->next_);
    }
  };

  host_result(unsigned long long context, host_result* next) : context_(context), next_(next) {}
  /// Frees all, unless the context has ended: its end has freed the memory, and the addresses may have other owners
  /// since.
  ~host_result() {
    unsigned long long number = 0;
    if (memory_ && find_number(memory_, number) == cudaSuccess && number == number_) (void)cudaFreeHost(memory_);
    else (void)workspace_.release();
  }

  cudaError_t reserve(std::int64_t bytes) {
    if (bytes <= bytes_) return cudaSuccess;
    void* grown = nullptr;
    if (cudaError_t e = cudaMallocHost(&grown, std::size_t(bytes))) return e;
    (void)cudaFreeHost(memory_);
    memory_ = grown;
    bytes_ = bytes;
    return find_number(memory_, number_);
  }

  /// The number of an allocation, which no other of the process has, before or after.
  static cudaError_t find_number(void* memory, unsigned long long& number) {
    return static_cast<cudaError_t>(driver::get().get_pointer_attribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID,
                                                                        reinterpret_cast<CUdeviceptr>(memory)));
  }

  void* memory_ = nullptr;
  std::int64_t bytes_ = 0;
  unsigned long long number_ = 0, context_ = 0;
  host_result* next_ = nullptr;
  workspace workspace_;
};

}  // namespace gpuprim::detail
