// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort, sort_pairs: the order must be gpuprim::ascending or gpuprim::descending
#include <gpuprim/distributed/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
inline constexpr auto order = gpuprim::descending;
#else
inline constexpr auto order = gpuprim::descending.bits(0, 8);
#endif

cudaError_t call(ncclComm_t comm, const int* keys, int* sorted) {
  return gpuprim::distributed::sort(comm, keys, 9, sorted, order);
}
