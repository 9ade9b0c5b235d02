// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ladder {

/// Ends the program if a call failed that is not a rung's.
inline void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "ladder: %s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

/// Device memory for `count` values.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t count) : bytes_(count * sizeof(T)) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes_), "allocate device memory");
  }
  device_array(device_array&& other) noexcept : data_(other.data_), bytes_(other.bytes_) { other.data_ = nullptr; }
  device_array& operator=(device_array&&) = delete;
  ~device_array() { (void)cudaFree(data_); }

  T* data() const { return data_; }
  void upload(const T* from, std::size_t count) const {
    check(cudaMemcpy(data_, from, count * sizeof(T), cudaMemcpyHostToDevice), "copy to the device");
  }
  void download(T* to, std::size_t count) const {
    check(cudaMemcpy(to, data_, count * sizeof(T), cudaMemcpyDeviceToHost), "copy to the host");
  }
  /// Bytes that are no sensible value, so that what was not written shows.
  void poison() const { check(cudaMemset(data_, 0xC3, bytes_), "fill device memory"); }

 private:
  T* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace ladder
