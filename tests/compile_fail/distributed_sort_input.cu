// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort: the keys must be a pointer or a random-access iterator
#include <gpuprim/distributed/sort.cuh>

cudaError_t call(ncclComm_t comm, const int* keys, int* sorted) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::distributed::sort(comm, keys, 9, sorted);
#else
  return gpuprim::distributed::sort(comm, 9, *keys, sorted);
#endif
}
