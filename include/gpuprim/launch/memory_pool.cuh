// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/launch/outcome.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gpuprim::inline v0_2_0 {

/// What the library's pool of the current context has, in bytes.
struct pool_use {
  std::int64_t held_bytes = 0;       ///< of the system's memory
  std::int64_t used_bytes = 0;       ///< of those, what calls that are not done use
  std::int64_t most_held_bytes = 0;  ///< so far
  std::int64_t most_used_bytes = 0;  ///< so far
};

/// Says what the library's pool has, which calls without a workspace and without a memory resource take their memory
/// of. The first call makes the pool.
///
/// @sync  none.
/// @return the bytes. @throws gpuprim::cuda_error.
/// @example examples/library/94_memory.cu
[[nodiscard]] inline pool_use read_pool() {
  cudaMemPool_t pool = nullptr;
  cudaError_t error = detail::find_scratch_pool(pool);
  const auto ask = [&](cudaMemPoolAttr what) {
    std::uint64_t bytes = 0;
    if (error == cudaSuccess) error = cudaMemPoolGetAttribute(pool, what, &bytes);
    return std::int64_t(bytes);
  };
  const pool_use use{ask(cudaMemPoolAttrReservedMemCurrent), ask(cudaMemPoolAttrUsedMemCurrent),
                     ask(cudaMemPoolAttrReservedMemHigh), ask(cudaMemPoolAttrUsedMemHigh)};
  detail::throw_if_failed("gpuprim::read_pool", {error});
  return use;
}

/// Gives back what the library's pool of the current context holds and no call uses, but for `kept_bytes`.
///
/// @sync  none. What calls have used that are not known to be done stays: synchronise before.
/// @return cudaSuccess, or what went wrong; cudaErrorInvalidValue: a negative size.
/// @example examples/library/94_memory.cu
[[nodiscard]] inline cudaError_t trim_pool(std::int64_t kept_bytes = 0) {
  if (kept_bytes < 0) return detail::outcome{cudaErrorInvalidValue, "the size is negative"}.report();
  cudaMemPool_t pool = nullptr;
  if (cudaError_t e = detail::find_scratch_pool(pool)) return detail::outcome{e}.report();
  return detail::outcome{cudaMemPoolTrimTo(pool, std::size_t(kept_bytes))}.report();
}

/// Limits what the library's pool of the current context keeps: whenever the program waits for a stream or the device,
/// it gives back what it holds above `kept_bytes` and no call uses. Without a limit it keeps all.
///
/// @sync  none.
/// @return cudaSuccess, or what went wrong; cudaErrorInvalidValue: a negative size.
/// @example examples/library/94_memory.cu
[[nodiscard]] inline cudaError_t limit_pool(std::int64_t kept_bytes) {
  if (kept_bytes < 0) return detail::outcome{cudaErrorInvalidValue, "the size is negative"}.report();
  cudaMemPool_t pool = nullptr;
  if (cudaError_t e = detail::find_scratch_pool(pool)) return detail::outcome{e}.report();
  std::uint64_t bytes = std::uint64_t(kept_bytes);
  return detail::outcome{cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes)}.report();
}

}  // namespace gpuprim
