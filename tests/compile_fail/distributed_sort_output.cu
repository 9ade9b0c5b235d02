// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort, sort_pairs: the output must be an array of keys
#include <gpuprim/distributed/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int;
#else
using output = long long;
#endif

cudaError_t call(ncclComm_t comm, const int* keys, output* sorted) {
  return gpuprim::distributed::sort(comm, keys, 9, sorted);
}
