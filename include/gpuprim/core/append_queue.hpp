// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cstdint>

namespace gpuprim::inline v0_2_0 {

/// An array in device memory that the tiles and blocks of a kernel append to by `warp_append` and `block_append`, in
/// any order. The caller owns the memory, and makes `*count` 0 before the first append.
///
/// What does not fit is counted and not stored: nothing behind the capacity is written, and `*count` above `capacity`
/// says that the queue has overflowed. A later launch may read the items, up to the smaller of the two numbers;
/// `element_count(queue.count, queue.capacity)` is that number for a call of the library, and `read_queue` tells the
/// host.
template <class T>
struct append_queue {
  T* items;                   ///< in device memory
  std::int64_t capacity;      ///< items that there is room for
  unsigned long long* count;  ///< values that were to be appended, in device memory
};

/// Where the values of a thread stand in an append_queue: `stored` of them, from number `place` on. Of what the thread
/// wanted to append, the rest did not fit.
struct appended {
  std::int64_t place;  ///< of the first one among the items
  int stored;          ///< how many there are
};

}  // namespace gpuprim
