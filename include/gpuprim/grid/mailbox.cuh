// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/ptx/sm_70.cuh>

#include <cstring>

namespace gpuprim::detail {

/// A value on its way from one block to another through global memory. Each 32-bit word travels in 8 bytes together with
/// a mark that it has arrived, so that neither side needs a fence and a value may have any size. An empty mailbox is all
/// zero, and receiving from one empties it.
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

  /// Waits for the value; a lane that expects none gets an unspecified one. All 32 lanes call it, each on a mailbox of its
  /// own, and leave together: lanes that leave one by one have to be brought together in every shuffle after it, which
  /// costs more than the waiting. All senders must be running or done: a block that has not started may never start.
  __device__ T receive(bool expected) {
    std::uint64_t got[words] = {};
    bool missing;
    do {
      missing = false;
      if (expected) {
        // All words are asked for before one is looked at: a long value costs one trip to the L2 cache, not one a word.
#pragma unroll
        for (int i = 0; i < words; ++i) got[i] = ptx::load_relaxed(&packets[i]);
#pragma unroll
        for (int i = 0; i < words; ++i) missing |= !(got[i] & arrived);
      }
    } while (__any_sync(0xffffffffu, missing));
    std::uint32_t buffer[words];
#pragma unroll
    for (int i = 0; i < words; ++i) {
      buffer[i] = std::uint32_t(got[i]);
      if (expected) ptx::store_relaxed(&packets[i], 0);
    }
    uninitialized_array<T, 1> value;
    std::memcpy(static_cast<void*>(&value), buffer, sizeof(T));
    return value[0];
  }
};

}  // namespace gpuprim::detail
