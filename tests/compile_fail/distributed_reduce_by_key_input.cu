// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::reduce_by_key: the keys and the values must be pointers or random-access iterators
#include <gpuprim/distributed/reduce_by_key.cuh>

cudaError_t call(ncclComm_t comm, const int* keys, int* out, int* sums, gpuprim::distributed::selected_part* part) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::distributed::reduce_by_key(comm, keys, keys, 9, out, sums, part, gpuprim::plus<>{});
#else
  return gpuprim::distributed::reduce_by_key(comm, keys, 9, 9, out, sums, part, gpuprim::plus<>{});
#endif
}
