// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort_pairs: the keys and the values must be pointers or random-access iterators
#include <gpuprim/distributed/sort.cuh>

cudaError_t call(ncclComm_t comm, const int* keys, int* sorted) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::distributed::sort_pairs(comm, keys, keys, 9, sorted, sorted);
#else
  return gpuprim::distributed::sort_pairs(comm, keys, 9, 9, sorted, sorted);
#endif
}
