// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/scratch_pool.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gpuprim::inline v0_1_0::detail {

/// Zeroed device memory that one call's kernels share: the caller's workspace, or memory of the library's
/// pool, which `finish` gives back. A lease of 0 bytes takes nothing; its data() is null.
///
///   workspace_lease lease(bytes, how);
///   if (lease.error()) return lease.refusal();
///   return lease.finish(launch(..., lease.data()));
class workspace_lease {
 public:
  workspace_lease(std::int64_t bytes, const options& how) : stream_(how.stream) {
    if (bytes == 0) return;
    if (how.workspace) {
      if (how.workspace->bytes() < bytes) refusal_ = too_small;
      else data_ = how.workspace->data();
      return;
    }
    cudaMemPool_t pool = nullptr;
    cudaError_t error = find_scratch_pool(pool);
    if (error == cudaSuccess) error = cudaMallocFromPoolAsync(&data_, std::size_t(bytes), pool, stream_);
    if (error != cudaSuccess) {
      refusal_ = {error};
      return;
    }
    is_owned_ = true;
    if (cudaError_t e = cudaMemsetAsync(data_, 0, std::size_t(bytes), stream_)) refusal_ = finish(e);
  }
  workspace_lease(const workspace_lease&) = delete;
  workspace_lease& operator=(const workspace_lease&) = delete;

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

 private:
  static constexpr outcome too_small = {
      cudaErrorInvalidValue, "the workspace is too small; reserve what the call's ..._workspace_bytes says"};

  cudaStream_t stream_;
  void* data_ = nullptr;
  bool is_owned_ = false;
  outcome refusal_;
};

}  // namespace gpuprim::detail
