// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device as this program sees it: whether there is one, its errors, its memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace describe {

/// There is no GPU, or it failed.
struct device_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t error, const char* doing) {
  if (error != cudaSuccess) throw device_error(std::string(doing) + ": " + cudaGetErrorString(error));
}

inline void require_device() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return;
  throw device_error(std::string("this build needs a GPU, and there is none: ") +
                     (error == cudaSuccess ? "no device is visible" : cudaGetErrorString(error)));
}

class device_memory {
 public:
  explicit device_memory(std::size_t bytes) { check(cudaMalloc(&data_, bytes), "taking device memory"); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { (void)cudaFree(data_); }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

}  // namespace describe
