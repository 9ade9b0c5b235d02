// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::reduce_by_key: the first output must be an array of keys
#include <gpuprim/distributed/reduce_by_key.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int;
#else
using output = long long;
#endif

cudaError_t call(ncclComm_t comm, const int* keys, output* out, int* sums, gpuprim::distributed::selected_part* part) {
  return gpuprim::distributed::reduce_by_key(comm, keys, keys, 9, out, sums, part, gpuprim::plus<>{});
}
