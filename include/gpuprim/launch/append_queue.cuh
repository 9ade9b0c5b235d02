// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/launch/outcome.cuh>

#include <cuda_runtime.h>

#include <cstdint>

namespace gpuprim::inline v0_1_0 {

/// What the host has read of an append_queue.
struct queue_state {
  std::int64_t asked;   ///< values that were to be appended
  std::int64_t stored;  ///< those that are in the queue, the first of its items

  bool has_overflowed() const { return stored < asked; }
};

/// An array in device memory that the tiles and blocks of a kernel append to by `warp_append` and `block_append`, in
/// any order. The caller owns the memory, and makes `*count` 0 before the first append.
///
/// What does not fit is counted and not stored: nothing behind the capacity is written, and `*count` above `capacity`
/// says that the queue has overflowed. A later launch may read the items, up to the smaller of the two numbers;
/// `element_count(queue.count, queue.capacity)` is that number for a call of the library.
template <class T>
struct append_queue {
  T* items;
  std::int64_t capacity;      ///< items that there is room for
  unsigned long long* count;  ///< values that were to be appended, in device memory

  /// On the host: waits for the stream and says what the queue holds.
  ///
  /// @throws cuda_error, also where an earlier launch has failed.
  queue_state read(cudaStream_t stream = nullptr) const {
    unsigned long long asked = 0;
    cudaError_t e = cudaMemcpyAsync(&asked, count, sizeof asked, cudaMemcpyDeviceToHost, stream);
    if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
    detail::throw_if_failed("gpuprim::append_queue::read", {e});
    const auto n = static_cast<std::int64_t>(asked);
    return {n, n < capacity ? n : capacity};
  }
};

/// Where the values of a thread stand in an append_queue: `stored` of them, from number `place` on. Of what the thread
/// wanted to append, the rest did not fit.
struct appended {
  std::int64_t place;
  int stored;
};

}  // namespace gpuprim
