// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>
#include <gpuprim/core/rounding.hpp>
#include <gpuprim/launch/ask_once.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/workspace.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gpuprim::inline v0_2_0::detail {

/// The pool that calls without a workspace take their memory from, one for each context. It keeps what is given back
/// to it: the device's own pool would return memory to the system whenever the program waits for the device, and the
/// next call would have to map it again.
inline cudaError_t make_scratch_pool(cudaMemPool_t& made) {
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  if (cudaError_t e = cudaMemPoolCreate(&made, &properties)) return e;
  std::uint64_t kept_bytes = UINT64_MAX;
  return cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &kept_bytes);
}

/// The context's pool. The first call makes it, which a capture would forbid: no work of the stream depends on it.
inline cudaError_t find_scratch_pool(cudaMemPool_t& pool) {
  return ask_once(pool, [](cudaMemPool_t& made) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    if (cudaError_t e = cudaThreadExchangeStreamCaptureMode(&mode)) return e;
    const cudaError_t error = detail::make_scratch_pool(made);
    const cudaError_t back = cudaThreadExchangeStreamCaptureMode(&mode);
    return error != cudaSuccess ? error : back;
  });
}

/// Hands out parts of a memory one after the other, or, if there is none, says how many bytes there are to be.
struct memory_parts {
  char* memory = nullptr;
  std::int64_t used = 0;

  template <class T>
  constexpr void take(T*& to, std::int64_t count) {
    if (memory) to = reinterpret_cast<T*>(memory + used);  // a constant expression makes no pointers of memory
    used += detail::align_up(count * std::int64_t(sizeof(T)));
  }
};

inline constexpr outcome small_workspace = {
    cudaErrorInvalidValue,
    "the workspace is too small; reserve what the call's ..._workspace_bytes or ..._workspace_size says"};

/// Notes what a call takes, and says whether that is all that it has to do.
inline bool measure(const options& how, const workspace_size& size) {
  if (how.measured != nullptr) how.measured->cover(size);
  return how.measured != nullptr;
}

/// What a lease has in a dry run: an address that no array has, from which further ones are counted.
inline char* dry_run_memory() { return reinterpret_cast<char*>(std::uintptr_t{1} << 62); }

/// Device memory that one call's kernels share: of the caller's workspace, or one piece of the caller's resource or of
/// the library's pool, which `finish` gives back. What is found zeroed must be left so. A size of 0 takes nothing, and
/// its pointer is null. In a dry run nothing is taken, and what the pointers lead to is not used.
///
///   memory_lease lease(bytes, how);
///   if (lease.error()) return lease.refusal();
///   return lease.finish(launch(..., lease.zeroed()));
class memory_lease {
 public:
  // Not inline, because all kernels share it.
  [[gnu::noinline]] memory_lease(const workspace_size& size, const options& how) : stream_(how.stream) {
    if (is_dry_run(how)) {
      (void)detail::measure(how, size);
      lay_out(size, dry_run_memory());
    } else if (how.workspace) {
      take(size, *how.workspace);
    } else if (size.total_bytes() > 0) {
      allocate(size, how.memory);
    }
  }
  memory_lease(const memory_lease&) = delete;
  memory_lease& operator=(const memory_lease&) = delete;

  bool error() const { return is_refused_; }
  outcome refusal() const { return refusal_; }
  void* zeroed() const { return zeroed_; }
  char* scratch() const { return scratch_; }

  /// Ends the lease once everything that uses the memory is in the stream. Returns the first error: of the launches,
  /// or of giving the memory back.
  outcome finish(cudaError_t launched) {
    if (owned_ == nullptr) return {launched};
    const cudaError_t freed = from_.deallocate(owned_, bytes_, stream_);
    owned_ = nullptr;
    return {launched != cudaSuccess ? launched : freed};
  }
  /// As above, of what a part of a call has come to.
  outcome finish(const outcome& done) {
    const outcome freed = finish(done.code);
    return done.failed() ? done : freed;
  }

 private:
  void refuse(const outcome& why) {
    refusal_ = why;
    is_refused_ = true;
  }

  void lay_out(const workspace_size& size, char* memory) {
    if (size.zeroed_bytes > 0) zeroed_ = memory;
    if (size.scratch_bytes > 0) scratch_ = memory + size.scratch_offset();
  }

  void take(const workspace_size& size, const workspace& given) {
    if (size.zeroed_bytes > given.bytes() || size.scratch_bytes > given.scratch_bytes()) return refuse(small_workspace);
    if (size.zeroed_bytes > 0) zeroed_ = given.data();
    if (size.scratch_bytes > 0) scratch_ = static_cast<char*>(given.scratch());
  }

  void allocate(const workspace_size& size, const memory_resource& resource) {
    from_ = resource;
    if (!from_) {
      cudaMemPool_t pool = nullptr;
      if (cudaError_t e = find_scratch_pool(pool)) return refuse({e});
      from_ = pool;
    }
    bytes_ = std::size_t(size.total_bytes());
    if (cudaError_t e = from_.allocate(&owned_, bytes_, stream_)) {
      return refuse({e, resource ? "the memory resource of the options gave no memory" : outcome{}.fault});
    }
    lay_out(size, static_cast<char*>(owned_));
    if (size.zeroed_bytes == 0) return;
    if (cudaError_t e = cudaMemsetAsync(zeroed_, 0, std::size_t(size.zeroed_bytes), stream_)) refuse(finish(e));
  }

  cudaStream_t stream_;
  void* zeroed_ = nullptr;
  char* scratch_ = nullptr;
  void* owned_ = nullptr;
  std::size_t bytes_ = 0;
  memory_resource from_;
  bool is_refused_ = false;
  outcome refusal_;
};

}  // namespace gpuprim::detail
