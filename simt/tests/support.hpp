// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the self-tests share: block-shared variables, launches in one line, device buffers.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#define TEST_SHARED(name, ...)                                                                                      \
  static const std::size_t name##_slot =                                                                            \
      simt::register_shared(sizeof(std::type_identity_t<__VA_ARGS__>), alignof(std::type_identity_t<__VA_ARGS__>)); \
  auto& name = *static_cast<std::type_identity_t<__VA_ARGS__>*>(simt::shared_slot(name##_slot))

namespace test {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

struct shape {
  dim3 grid = 1, block = 1;
  std::size_t dynamic_bytes = 0;
  unsigned cluster = 0;
  bool cooperative = false;
  cudaStream_t stream = nullptr;
};

template <class... Parameters, class... Arguments>
cudaError_t try_launch(const shape& s, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t config{s.grid, s.block, s.dynamic_bytes, s.stream, attributes, 0};
  if (s.cluster) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs++].val.clusterDim = {s.cluster, 1, 1};
  }
  if (s.cooperative) {
    attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
    attributes[config.numAttrs++].val.cooperative = 1;
  }
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <class... Parameters, class... Arguments>
void launch(const shape& s, void (*kernel)(Parameters...), Arguments... arguments) {
  check(try_launch(s, kernel, arguments...));
  check(cudaDeviceSynchronize());
}

// Device memory that starts as garbage, or as a copy.
template <class T>
class buffer {
 public:
  explicit buffer(std::size_t count) : count_(count) { check(cudaMalloc(&data_, count * sizeof(T))); }
  buffer(std::size_t count, const T& value) : buffer(std::vector<T>(count, value)) {}
  explicit buffer(const std::vector<T>& from) : buffer(from.size()) {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~buffer() { cudaFree(data_); }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  T* data() const { return data_; }
  std::vector<T> get() const {
    std::vector<T> result(count_);
    check(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

}  // namespace test
