// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Device memory for tests: canaries on both sides, poisoned outputs, inputs that can be checked unchanged.
#include <gpuprim/launch/launch.cuh>

#include <catch2/catch_test_macros.hpp>
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#define CUDA_OK(...) REQUIRE((__VA_ARGS__) == cudaSuccess)

namespace test {

/// `n` elements of T on the device, `misalignment` bytes past a 256-byte boundary, between canaries.
template <class T>
class device_array {
 public:
  static constexpr std::size_t guard_bytes = 256;
  static constexpr unsigned char poison = 0xC3;

  explicit device_array(std::size_t n, std::size_t misalignment = 0) : n_(n), front_(guard_bytes + misalignment) {
    CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&raw_), total()));
    CUDA_OK(cudaMemset(raw_, poison, total()));
  }
  explicit device_array(const std::vector<T>& values, std::size_t misalignment = 0)
      : device_array(values.size(), misalignment) {
    upload(values);
    sent_.assign(reinterpret_cast<const unsigned char*>(values.data()),
                 reinterpret_cast<const unsigned char*>(values.data()) + n_ * sizeof(T));
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { (void)cudaFree(raw_); }

  /// Waits: a copy from pageable memory may still be on its way when cudaMemcpy returns, and streams that do not block
  /// would not wait for it.
  void upload(const std::vector<T>& values) {
    if (n_ > 0) CUDA_OK(cudaMemcpy(data(), values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_OK(cudaDeviceSynchronize());
  }

  T* data() const { return reinterpret_cast<T*>(raw_ + front_); }

  std::vector<T> download() const {
    std::vector<unsigned char> bytes = copy_back();
    std::vector<T> values;
    values.reserve(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      alignas(T) unsigned char one[sizeof(T)];
      std::memcpy(one, bytes.data() + front_ + i * sizeof(T), sizeof(T));
      values.push_back(*reinterpret_cast<const T*>(one));
    }
    return values;
  }

  /// Nothing was written outside the array.
  void check_guards() const {
    const std::vector<unsigned char> bytes = copy_back();
    std::size_t damaged = 0;
    for (std::size_t i = 0; i < front_; ++i) damaged += bytes[i] != poison;
    for (std::size_t i = front_ + n_ * sizeof(T); i < bytes.size(); ++i) damaged += bytes[i] != poison;
    CHECK(damaged == 0);
  }
  /// The array still holds what it was made from.
  void check_unchanged() const {
    check_guards();
    const std::vector<unsigned char> bytes = copy_back();
    CHECK((sent_.empty() || std::memcmp(bytes.data() + front_, sent_.data(), sent_.size()) == 0));
  }
  /// The array was never written.
  void check_untouched() const {
    const std::vector<unsigned char> bytes = copy_back();
    std::size_t written = 0;
    for (unsigned char b : bytes) written += b != poison;
    CHECK(written == 0);
  }

 private:
  std::size_t total() const { return front_ + n_ * sizeof(T) + guard_bytes; }
  std::vector<unsigned char> copy_back() const {
    std::vector<unsigned char> bytes(total());
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaMemcpy(bytes.data(), raw_, total(), cudaMemcpyDeviceToHost));
    return bytes;
  }

  std::size_t n_, front_;
  unsigned char* raw_ = nullptr;
  std::vector<unsigned char> sent_;
};

/// A sequential left fold: the oracle of every reduce.
template <class T, class Op>
T fold(const std::vector<T>& values, Op op, T init) {
  for (const T& v : values) init = op(init, v);
  return init;
}

/// Launches a kernel and waits for it.
template <class... P, class... A>
void run(void (*kernel)(P...), dim3 grid, dim3 block, int cluster, A... arguments) {
  cudaLaunchAttribute attribute[2]{};
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  if (cluster > 0) {
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = unsigned(cluster);
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
  }
  CUDA_OK(cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...));
  CUDA_OK(cudaDeviceSynchronize());
}

}  // namespace test
