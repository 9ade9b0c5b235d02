// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace gpuprim::inline v0_2_0::detail {

/// What fresh memory holds.
enum class fresh_memory { zeroed, uninitialized };

/// Device memory that is freed at the end, or another's that is borrowed.
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(void* borrowed, std::int64_t bytes) : data_(borrowed), bytes_(bytes), is_borrowed_(true) {}
  device_buffer(device_buffer&& other) noexcept { *this = std::move(other); }
  /// Exchanges the memory of the two.
  device_buffer& operator=(device_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(is_borrowed_, other.is_borrowed_);
    return *this;
  }
  ~device_buffer() {
    if (data_ && !is_borrowed_) (void)cudaFree(data_);  // which would make a context to free nothing in
  }

  /// Grows to at least `bytes`, and then holds fresh memory. On failure the old memory stays. Memory that is borrowed
  /// does not grow: cudaErrorInvalidValue.
  cudaError_t reserve(std::int64_t bytes, fresh_memory holds) {
    if (bytes < 0) return cudaErrorInvalidValue;
    if (bytes <= bytes_) return cudaSuccess;
    if (is_borrowed_) return cudaErrorInvalidValue;
    device_buffer grown;
    if (cudaError_t e = cudaMalloc(&grown.data_, std::size_t(bytes))) return e;
    grown.bytes_ = bytes;
    if (holds == fresh_memory::zeroed) {
      if (cudaError_t e = cudaMemset(grown.data_, 0, std::size_t(bytes))) return e;
      if (cudaError_t e = cudaStreamSynchronize(nullptr)) return e;
    }
    *this = std::move(grown);
    return cudaSuccess;
  }

  void* release() {
    bytes_ = 0;
    is_borrowed_ = false;
    return std::exchange(data_, nullptr);
  }

  void* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
  bool is_borrowed_ = false;
};

}  // namespace gpuprim::detail
