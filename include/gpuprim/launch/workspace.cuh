// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

namespace gpuprim {

/// Device memory that calls use for what they pass between blocks. It only grows, and only in `reserve`, so that a call
/// which is given one never allocates. Use one for each stream that runs concurrently: two calls in flight at once must
/// not share it. Its memory starts as zero, and every call leaves it so that the next one can use it.
class workspace {
 public:
  workspace() = default;
  /// Reserves at once. A failure shows as `bytes() < workspace_bytes`, and the first call that needs more reports it.
  explicit workspace(std::int64_t workspace_bytes) { (void)reserve(workspace_bytes); }
  workspace(workspace&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  workspace& operator=(workspace&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~workspace() {
    if (data_) (void)cudaFree(data_);  // which would make a context to free nothing in
  }

  /// Makes the buffer hold at least `workspace_bytes`. Synchronises with the device if it must grow; no call may be
  /// using the buffer then. On failure the old buffer stays.
  [[nodiscard]] cudaError_t reserve(std::int64_t workspace_bytes) {
    if (workspace_bytes < 0) return cudaErrorInvalidValue;
    if (workspace_bytes <= bytes_) return cudaSuccess;
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

  /// Forgets the buffer, and returns it. Memory of a device that was reset must not be freed.
  void* release() {
    bytes_ = 0;
    return std::exchange(data_, nullptr);
  }

  void* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// What every asynchronous call takes: `{.stream = s, .workspace = &ws}`, both optional. Without a workspace the call
/// takes memory from the stream's pool (cudaMallocAsync) and gives it back. A null stream is the default stream that
/// nvcc --default-stream chooses; where a program's files choose differently, name it: cudaStreamLegacy or
/// cudaStreamPerThread.
struct options {
  cudaStream_t stream = nullptr;
  class workspace* workspace = nullptr;
};

}  // namespace gpuprim
