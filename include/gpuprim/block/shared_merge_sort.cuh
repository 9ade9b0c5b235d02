// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/groups.cuh>

namespace gpuprim::inline v0_2_0::detail {

/// Room for the order of things in shared memory, before and after a merge.
template <int Most>
struct merged_orders {
  unsigned short of[2][Most];
};

/// Sorts the numbers 0 to `count` - 1 of things in shared memory, and returns them in order: `is_before(a, b)` says
/// whether thing a has to stand before thing b. Pairs of neighbouring runs are merged until there is one: a number
/// looks for its place in the other run, which takes as many steps as the logarithm of the run's length, and the block
/// meets once in each merge. Equal things stay in order.
/// @pre  All threads of the block call it.
/// @sync the block meets before it looks at the things; the order may be read after the call.
/// @source Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore GPUs", 2009.
template <int BlockSize, int Most, class IsBefore>
__device__ __forceinline__ const unsigned short* sort_shared(merged_orders<Most>& orders, int count,
                                                             const IsBefore& is_before) {
  const int rank = int(this_block::thread_rank());
  unsigned short *from = orders.of[0], *to = orders.of[1];
  for (int at = rank; at < count; at += BlockSize) from[at] = static_cast<unsigned short>(at);
  this_block::sync();
#pragma unroll 1
  for (int run = 1; run < count; run *= 2) {
#pragma unroll 1
    for (int at = rank; at < count; at += BlockSize) {
      const unsigned short own = from[at];
      const bool is_first = (at & run) == 0;
      const int other = (at ^ run) & -run, begin = other < count ? other : count;
      int low = begin, high = other + run < count ? other + run : count;
#pragma unroll 1
      while (low < high) {
        const int middle = (low + high) / 2, found = from[middle];
        if (is_first ? is_before(found, own) : !is_before(own, found)) low = middle + 1;
        else high = middle;
      }
      to[(at & ~run) + (low - begin)] = own;
    }
    this_block::sync();
    unsigned short* const merged = to;
    to = from;
    from = merged;
  }
  return from;
}

}  // namespace gpuprim::detail
