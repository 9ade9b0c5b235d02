// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/launch/device_buffer.cuh>
#include <gpuprim/launch/options.cuh>

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

namespace gpuprim::inline v0_2_0 {

/// Device memory that calls use for what they pass between blocks and between kernels: its own, or the caller's, which
/// it borrows. It only grows, and only in `reserve`, so that a call which is given one never allocates. Use one for
/// each stream that runs concurrently: two calls in flight at once must not share it. It has two memories. The first
/// starts as zero, and every call leaves it so that the next one can use it. The second, the scratch memory, is never
/// cleared; calls that move all elements several times keep them there meanwhile.
class workspace {
 public:
  workspace() = default;
  /// Reserves at once. A failure shows as `bytes()` or `scratch_bytes()` below what was asked for, and the first call
  /// that needs more reports it.
  explicit workspace(workspace_size size) { (void)reserve(size); }
  /// Takes over the memory of another.
  workspace(workspace&& other) noexcept = default;
  /// Exchanges the memory of the two.
  workspace& operator=(workspace&& other) noexcept = default;

  /// Makes each memory hold at least as much as `size` says. Synchronises with the device if one must grow; no call may
  /// be using the workspace then. A memory that cannot grow stays as it is. Borrowed memory does not grow:
  /// cudaErrorInvalidValue.
  [[nodiscard]] cudaError_t reserve(workspace_size size) {
    if (0 > size.zeroed_bytes || 0 > size.scratch_bytes) return cudaErrorInvalidValue;
    if (cudaError_t e = zeroed_.reserve(size.zeroed_bytes, detail::fresh_memory::zeroed)) return e;
    return scratch_.reserve(size.scratch_bytes, detail::fresh_memory::uninitialized);
  }

  /// Uses device memory of the caller's from now on, as of a pool or of another library's allocator: one piece of
  /// `size.total_bytes()`. It clears the part that calls find zeroed, in `stream`. The caller keeps the memory until
  /// the last call that uses the workspace is done, and frees it.
  ///
  /// @pre   no call is using the workspace. `memory` is aligned to 16 bytes, and no type of a call to more.
  /// @return cudaSuccess, or what went wrong; the workspace is as before then. cudaErrorInvalidValue: null pointer to
  ///         something, or negative size; cudaErrorMisalignedAddress.
  [[nodiscard]] cudaError_t borrow(void* memory, workspace_size size, cudaStream_t stream) {
    if (0 > size.zeroed_bytes || 0 > size.scratch_bytes) return cudaErrorInvalidValue;
    if (!memory && size.total_bytes() > 0) return cudaErrorInvalidValue;
    if (reinterpret_cast<std::uintptr_t>(memory) % 16 != 0) return cudaErrorMisalignedAddress;
    if (size.zeroed_bytes > 0) {
      if (cudaError_t e = cudaMemsetAsync(memory, 0, std::size_t(size.zeroed_bytes), stream)) return e;
    }
    zeroed_ = detail::device_buffer(memory, size.zeroed_bytes);
    void* const scratch = static_cast<char*>(memory) + size.scratch_offset();
    scratch_ = detail::device_buffer(size.scratch_bytes == 0 ? nullptr : scratch, size.scratch_bytes);
    return cudaSuccess;
  }

  /// Forgets both memories, and returns the zeroed one. Memory of a device that was reset must not be freed.
  void* release() {
    (void)scratch_.release();
    return zeroed_.release();
  }

  /// The zeroed memory.
  void* data() const { return zeroed_.data(); }
  /// Its size.
  std::int64_t bytes() const { return zeroed_.bytes(); }
  /// The scratch memory.
  void* scratch() const { return scratch_.data(); }
  /// Its size.
  std::int64_t scratch_bytes() const { return scratch_.bytes(); }

 private:
  detail::device_buffer zeroed_, scratch_;
};

}  // namespace gpuprim
