// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a step of a call needs inside. A small piece is kept for each stream, so that most calls allocate
// nothing; what is larger comes from the library's own pool.
#include <gpuprim/launch/memory_lease.cuh>

#include <mutex>
#include <vector>

#include "../core.hpp"

namespace gpuprim_python {
namespace {

constexpr std::size_t kept_bytes = std::size_t{1} << 20, most_streams = 64;

/// The piece of a stream. A stream's calls follow each other on the device, and may use the same memory one after the
/// other, but for one that a second thread begins while the first is not enqueued whole.
struct piece {
  unsigned long long stream;
  int device;
  void* memory;
  bool is_in_use;
};

/// All pieces. They are never freed: when the process ends, the driver may be gone before its last object is.
struct kept {
  std::mutex mutex;
  std::vector<piece> pieces;

  static kept& all() {
    static kept* const only = new kept;
    return *only;
  }
};

cudaError_t allocate_of_pool(void** memory, std::size_t bytes, cudaStream_t stream) {
  cudaMemPool_t pool = nullptr;
  if (const cudaError_t e = gpuprim::detail::find_scratch_pool(pool)) return e;
  return cudaMallocFromPoolAsync(memory, bytes, pool, stream);
}

/// A graph has memory of its own: it may be launched on any stream.
bool may_keep(std::size_t bytes, cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (bytes > kept_bytes) return false;
  const bool is_known = cudaStreamIsCapturing(stream, &status) == cudaSuccess;
  if (!is_known) (void)cudaGetLastError();
  return is_known && status == cudaStreamCaptureStatusNone;
}

cudaError_t allocate(void*, void** memory, std::size_t bytes, cudaStream_t stream) {
  piece wanted{0, 0, nullptr, true};
  const bool is_kept = may_keep(bytes, stream) && cudaStreamGetId(stream, &wanted.stream) == cudaSuccess &&
                       cudaGetDevice(&wanted.device) == cudaSuccess;
  if (!is_kept) return allocate_of_pool(memory, bytes, stream);
  kept& all = kept::all();
  const std::lock_guard lock(all.mutex);
  for (piece& p : all.pieces) {
    if (p.stream != wanted.stream || p.device != wanted.device) continue;
    if (p.is_in_use) return allocate_of_pool(memory, bytes, stream);
    p.is_in_use = true;
    *memory = p.memory;
    return cudaSuccess;
  }
  if (all.pieces.size() == most_streams) return allocate_of_pool(memory, bytes, stream);
  if (const cudaError_t e = allocate_of_pool(&wanted.memory, kept_bytes, stream)) return e;
  all.pieces.push_back(wanted);
  *memory = wanted.memory;
  return cudaSuccess;
}

cudaError_t deallocate(void*, void* memory, std::size_t, cudaStream_t stream) {
  {
    kept& all = kept::all();
    const std::lock_guard lock(all.mutex);
    for (piece& p : all.pieces) {
      if (p.memory != memory) continue;
      p.is_in_use = false;
      return cudaSuccess;
    }
  }
  return cudaFreeAsync(memory, stream);
}

}  // namespace

gpuprim::memory_resource kept_memory() { return {nullptr, &allocate, &deallocate}; }

}  // namespace gpuprim_python
