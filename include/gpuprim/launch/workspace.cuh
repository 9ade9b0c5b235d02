// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

namespace gpuprim::inline v0_1_0 {

/// Device memory that calls use for what they pass between blocks: its own, or the caller's, which it borrows. It only
/// grows, and only in `reserve`, so that a call which is given one never allocates. Use one for each stream that runs
/// concurrently: two calls in flight at once must not share it. Its memory starts as zero, and every call leaves it so
/// that the next one can use it.
class workspace {
 public:
  workspace() = default;
  /// Reserves at once. A failure shows as `bytes() < workspace_bytes`, and the first call that needs more reports it.
  explicit workspace(std::int64_t workspace_bytes) { (void)reserve(workspace_bytes); }
  /// Takes over the memory of another.
  workspace(workspace&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        is_borrowed_(std::exchange(other.is_borrowed_, false)) {}
  /// Exchanges the memory of the two.
  workspace& operator=(workspace&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(is_borrowed_, other.is_borrowed_);
    return *this;
  }
  ~workspace() {
    if (data_ && !is_borrowed_) (void)cudaFree(data_);  // which would make a context to free nothing in
  }

  /// Makes the buffer hold at least `workspace_bytes`. Synchronises with the device if it must grow; no call may be
  /// using the buffer then. On failure the old buffer stays. Borrowed memory does not grow: cudaErrorInvalidValue.
  [[nodiscard]] cudaError_t reserve(std::int64_t workspace_bytes) {
    if (workspace_bytes < 0) return cudaErrorInvalidValue;
    if (workspace_bytes <= bytes_) return cudaSuccess;
    if (is_borrowed_) return cudaErrorInvalidValue;
    void* grown = nullptr;
    if (cudaError_t e = cudaMalloc(&grown, std::size_t(workspace_bytes))) return e;
    cudaError_t e = cudaMemset(grown, 0, std::size_t(workspace_bytes));
    if (e == cudaSuccess) e = cudaStreamSynchronize(nullptr);
    if (e != cudaSuccess) {
      (void)cudaFree(grown);
      return e;
    }
    (void)cudaFree(data_);
    data_ = grown;
    bytes_ = workspace_bytes;
    return cudaSuccess;
  }

  /// Uses device memory of the caller's from now on, as of a pool or of another library's allocator, and clears it in
  /// `stream`. The caller keeps it until the last call that uses the workspace is done, and frees it.
  ///
  /// @pre   no call is using the workspace. `memory` is aligned to 256 bytes, as every allocation is.
  /// @return cudaSuccess, or what went wrong; the workspace is as before then. cudaErrorInvalidValue: null pointer or
  ///         negative size; cudaErrorMisalignedAddress.
  [[nodiscard]] cudaError_t borrow(void* memory, std::int64_t memory_bytes, cudaStream_t stream) {
    if (!memory || memory_bytes < 0) return cudaErrorInvalidValue;
    if (reinterpret_cast<std::uintptr_t>(memory) % 256 != 0) return cudaErrorMisalignedAddress;
    if (cudaError_t e = cudaMemsetAsync(memory, 0, std::size_t(memory_bytes), stream)) return e;
    workspace borrowed;
    borrowed.data_ = memory;
    borrowed.bytes_ = memory_bytes;
    borrowed.is_borrowed_ = true;
    *this = std::move(borrowed);
    return cudaSuccess;
  }

  /// Forgets the buffer, and returns it. Memory of a device that was reset must not be freed.
  void* release() {
    bytes_ = 0;
    is_borrowed_ = false;
    return std::exchange(data_, nullptr);
  }

  /// The memory.
  void* data() const { return data_; }
  /// Its size.
  std::int64_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
  bool is_borrowed_ = false;
};

/// What every asynchronous call takes: `{.stream = s, .workspace = &ws}`, both optional. Without a workspace the call
/// takes memory from a pool of the library's, which keeps it for later calls. A null stream is the default stream that
/// nvcc --default-stream chooses; where a program's files choose differently, name it: cudaStreamLegacy or
/// cudaStreamPerThread.
struct options {
  /// Where the call is enqueued.
  cudaStream_t stream = nullptr;
  /// The memory that it uses.
  class workspace* workspace = nullptr;
};

}  // namespace gpuprim
