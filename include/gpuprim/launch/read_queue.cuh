// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/append_queue.hpp>
#include <gpuprim/launch/outcome.cuh>

#include <cuda_runtime.h>

namespace gpuprim::inline v0_2_0 {

/// What the host has read of an append_queue.
struct queue_state {
  std::int64_t asked;   ///< values that were to be appended
  std::int64_t stored;  ///< those that are in the queue, the first of its items

  /// Whether some values did not fit.
  bool has_overflowed() const { return stored < asked; }
};

/// Waits for the work in a stream and says what a queue holds.
///
/// @throws cuda_error where earlier work has failed, and cudaErrorInvalidValue for a negative capacity.
/// @example examples/course/15_03_append.cu
template <class T>
queue_state read_queue(const append_queue<T>& queue, cudaStream_t stream = nullptr) {
  if (0 > queue.capacity) {
    detail::throw_if_failed("gpuprim::read_queue", {cudaErrorInvalidValue, "the capacity is negative"});
  }
  unsigned long long count = 0;
  cudaError_t e = cudaMemcpyAsync(&count, queue.count, sizeof count, cudaMemcpyDeviceToHost, stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  detail::throw_if_failed("gpuprim::read_queue", {e});
  const auto asked = static_cast<std::int64_t>(count);
  return {asked, asked < queue.capacity ? asked : queue.capacity};
}

}  // namespace gpuprim
