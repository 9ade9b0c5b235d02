// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Device memory for tests: canaries on both sides, poisoned outputs, inputs that can be checked unchanged.
#include <gpuprim/core/identity.hpp>
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <cuda_runtime.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

// Catch2's macros push and pop the state of warnings. With many of these pushes in headers, the front end of nvcc 13.0
// searches for ever when it looks at the end of a file for functions that nobody calls.
#if defined(__CUDACC__)
#undef CATCH_INTERNAL_START_WARNINGS_SUPPRESSION
#undef CATCH_INTERNAL_STOP_WARNINGS_SUPPRESSION
#undef CATCH_INTERNAL_SUPPRESS_UNUSED_VARIABLE_WARNINGS
#define CATCH_INTERNAL_START_WARNINGS_SUPPRESSION
#define CATCH_INTERNAL_STOP_WARNINGS_SUPPRESSION
#define CATCH_INTERNAL_SUPPRESS_UNUSED_VARIABLE_WARNINGS
#endif

#define CUDA_OK(...) REQUIRE((__VA_ARGS__) == cudaSuccess)

namespace test {

/// Whether blocks of the current device can form clusters.
inline bool has_clusters() {
  int device = 0, major = 0;
  CUDA_OK(cudaGetDevice(&device));
  CUDA_OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= 9;
}

#if defined(SIMT_DEVICE)
inline constexpr bool on_simt = true;
#else
inline constexpr bool on_simt = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Calls `go(0)`, a generic lambda, but in the sanitized trees does not even compile its body: for types and operators
/// whose kernels read and join as others do that run there.
template <class Go>
void unless_sanitized(const Go& go) {
  if constexpr (!sanitized) go(0);
}

/// Bytes on the device between canaries, for arrays of any type: compiled once a file.
class guarded_bytes {
 public:
  static constexpr std::size_t guard_bytes = 256;
  static constexpr unsigned char poison = 0xC3;

  guarded_bytes(const guarded_bytes&) = delete;
  guarded_bytes& operator=(const guarded_bytes&) = delete;

  /// Nothing was written outside the array.
  void check_guards() const { check_guards(copy_back()); }
  /// The array still holds what it was made from.
  void check_unchanged() const {
    const std::vector<unsigned char> bytes = copy_back();
    check_guards(bytes);
    CHECK((sent_.empty() || std::memcmp(bytes.data() + front_, sent_.data(), sent_.size()) == 0));
  }
  /// The array was never written.
  void check_untouched() const {
    const std::vector<unsigned char> bytes = copy_back();
    CHECK(count_damaged(bytes, 0, bytes.size()) == 0);
  }

 protected:
  guarded_bytes(std::size_t bytes, std::size_t misalignment) : bytes_(bytes), front_(guard_bytes + misalignment) {
    CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&raw_), total()));
    CUDA_OK(cudaMemset(raw_, poison, total()));
    CUDA_OK(cudaDeviceSynchronize());  // streams that do not block would not wait for it
  }
  ~guarded_bytes() { (void)cudaFree(raw_); }

  unsigned char* begin() const { return raw_ + front_; }
  void remember(const void* values) {
    const auto* sent = static_cast<const unsigned char*>(values);
    sent_.assign(sent, sent + bytes_);
  }
  /// Waits: a copy from pageable memory may still be on its way when cudaMemcpy returns.
  void send(const void* values) {
    if (bytes_ > 0) CUDA_OK(cudaMemcpy(begin(), values, bytes_, cudaMemcpyHostToDevice));
    CUDA_OK(cudaDeviceSynchronize());
  }
  std::vector<unsigned char> copy_back() const {
    std::vector<unsigned char> bytes(total());
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaMemcpy(bytes.data(), raw_, total(), cudaMemcpyDeviceToHost));
    return bytes;
  }
  std::size_t front() const { return front_; }

 private:
  std::size_t total() const { return front_ + bytes_ + guard_bytes; }
  static std::size_t count_damaged(const std::vector<unsigned char>& bytes, std::size_t from, std::size_t to) {
    std::size_t damaged = 0;
    for (std::size_t i = from; i < to; ++i) damaged += bytes[i] != poison;
    return damaged;
  }
  void check_guards(const std::vector<unsigned char>& bytes) const {
    const std::size_t damaged = count_damaged(bytes, 0, front_) + count_damaged(bytes, front_ + bytes_, bytes.size());
    CHECK(damaged == 0);
  }

  std::size_t bytes_, front_;
  unsigned char* raw_ = nullptr;
  std::vector<unsigned char> sent_;
};

/// `n` elements of T on the device, `misalignment` bytes past a 256-byte boundary, between canaries.
template <class T>
class device_array : public guarded_bytes {
 public:
  explicit device_array(std::size_t n, std::size_t misalignment = 0)
      : guarded_bytes(n * sizeof(T), misalignment), n_(n) {}
  explicit device_array(const std::vector<T>& values, std::size_t misalignment = 0)
      : device_array(values.size(), misalignment) {
    upload(values);
    remember(values.data());
  }

  /// As many values as the array has.
  void upload(const std::vector<T>& values) { send(values.data()); }

  T* data() const { return reinterpret_cast<T*>(begin()); }

  std::vector<T> download() const {
    const std::vector<unsigned char> bytes = copy_back();
    std::vector<T> values;
    values.reserve(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      alignas(T) unsigned char one[sizeof(T)];
      std::memcpy(one, bytes.data() + front() + i * sizeof(T), sizeof(T));
      values.push_back(*reinterpret_cast<const T*>(one));
    }
    return values;
  }

 private:
  std::size_t n_;
};

/// A workspace is zero again after every call, for the next one may have mailboxes anywhere in it.
inline void check_zero(const gpuprim::workspace& workspace) {
  std::vector<unsigned char> left(std::size_t(workspace.bytes()));
  if (left.empty()) return;
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaMemcpy(left.data(), workspace.data(), left.size(), cudaMemcpyDeviceToHost));
  CHECK(std::count(left.begin(), left.end(), 0) == std::ptrdiff_t(left.size()));
}

/// A sequential left fold: the oracle of every reduce.
template <class T, class Op>
T fold(const std::vector<T>& values, Op op, T init) {
  for (const T& v : values) init = op(init, v);
  return init;
}

/// A fold of the first `count` values; of none, the identity.
template <class T, class Op>
T fold_first(const std::vector<T>& values, int count, Op op) {
  if (count == 0) return gpuprim::detail::identity_or<Op>(values[0]);
  return fold(std::vector<T>(values.begin() + 1, values.begin() + count), op, values[0]);
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
