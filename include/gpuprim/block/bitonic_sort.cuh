// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>

namespace gpuprim::inline v0_1_0::detail {

/// Sorts the numbers 0 to `count` - 1, a power of two, of things in shared memory: `is_before(a, b)` says whether thing
/// a has to stand before thing b, and `exchange(a, b)` exchanges them.
/// @pre  All threads of the block call it.
/// @sync the things are there behind a barrier before the call, and may be read after it.
/// @source Batcher, "Sorting networks and their applications", 1968.
template <int BlockSize, class IsBefore, class Exchange>
__device__ __forceinline__ void block_bitonic_sort(int count, const IsBefore& is_before, const Exchange& exchange) {
  const int rank = int(this_block::thread_rank());
#pragma unroll 1
  for (int run = 2; run <= count; run *= 2) {
#pragma unroll 1
    for (int distance = run / 2; distance > 0; distance /= 2) {
      for (int pair = rank; pair < count / 2; pair += BlockSize) {
        const int low = pair / distance * (2 * distance) + pair % distance, high = low + distance;
        const bool is_falling = (low & run) != 0;  // every second run is in reverse order
        if (is_falling ? is_before(low, high) : is_before(high, low)) exchange(low, high);
      }
      this_block::sync();
    }
  }
}

}  // namespace gpuprim::detail
