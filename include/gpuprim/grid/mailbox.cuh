// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstring>

namespace gpuprim::detail {

/// A value on its way from one block to another through global memory. Each 32-bit word travels in 8 bytes together with
/// a mark that it has arrived, so that neither side needs a fence and a value may have any size. An empty mailbox is all
/// zero, and reading one empties it.
template <element T>
struct mailbox {
  static constexpr int words = (sizeof(T) + 3) / 4;
  static constexpr std::uint64_t arrived = std::uint64_t{1} << 32;

  std::uint64_t packets[words];

  __device__ void send(const T& value) {
    std::uint32_t buffer[words];
    buffer[words - 1] = 0;
    std::memcpy(buffer, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i) ptx::store_relaxed(&packets[i], arrived | buffer[i]);
  }

  /// Waits for the value. The sender must be running or done: a block that has not started may never start.
  __device__ T receive() {
    std::uint64_t got[words];
    // All words are asked for at once, so that a long value costs one trip to the L2 cache, not one a word.
#pragma unroll
    for (int i = 0; i < words; ++i) got[i] = ptx::load_relaxed(&packets[i]);
    std::uint32_t buffer[words];
#pragma unroll
    for (int i = 0; i < words; ++i) {
      while (!(got[i] & arrived)) got[i] = ptx::load_relaxed(&packets[i]);
      buffer[i] = std::uint32_t(got[i]);
      ptx::store_relaxed(&packets[i], 0);
    }
    uninitialized_array<T, 1> value;
    std::memcpy(static_cast<void*>(&value), buffer, sizeof(T));
    return value[0];
  }
};

}  // namespace gpuprim::detail
