// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/device_buffer.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/scratch_pool.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// A part of the workspace that a caller has given.
struct given_memory {
  void* data;
  std::int64_t bytes;
};

inline constexpr outcome small_workspace = {
    cudaErrorInvalidValue,
    "the workspace is too small; reserve what the call's ..._workspace_bytes or ..._workspace_size says"};

/// Device memory that one call's kernels share: a part of the caller's workspace, or memory of the library's pool,
/// which `finish` gives back. A lease of 0 bytes takes nothing; its data() is null. What calls use are workspace_lease
/// and scratch_lease.
class memory_lease {
 public:
  memory_lease(const memory_lease&) = delete;
  memory_lease& operator=(const memory_lease&) = delete;

  bool error() const { return refusal_.code != cudaSuccess; }
  outcome refusal() const { return refusal_; }
  void* data() const { return data_; }

  /// Ends the lease once everything that uses the memory is in the stream. Returns the first error: of the launches,
  /// or of giving the memory back.
  outcome finish(cudaError_t launched) {
    if (!is_owned_) return {launched};
    is_owned_ = false;
    const cudaError_t freed = cudaFreeAsync(data_, stream_);
    return {launched != cudaSuccess ? launched : freed};
  }

 protected:
  explicit memory_lease(cudaStream_t stream) : stream_(stream) {}

  void take(std::int64_t bytes, const given_memory& given) {
    if (bytes > given.bytes) refusal_ = small_workspace;
    else data_ = given.data;
  }

  void take_of_pool(std::int64_t bytes, fresh_memory holds) {
    cudaMemPool_t pool = nullptr;
    cudaError_t error = find_scratch_pool(pool);
    if (error == cudaSuccess) error = cudaMallocFromPoolAsync(&data_, std::size_t(bytes), pool, stream_);
    if (error != cudaSuccess) {
      refusal_ = {error};
      return;
    }
    is_owned_ = true;
    if (holds == fresh_memory::uninitialized) return;
    if (cudaError_t e = cudaMemsetAsync(data_, 0, std::size_t(bytes), stream_)) refusal_ = finish(e);
  }

 private:
  cudaStream_t stream_;
  void* data_ = nullptr;
  bool is_owned_ = false;
  outcome refusal_;
};

}  // namespace gpuprim::detail
