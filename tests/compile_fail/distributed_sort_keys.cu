// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort, sort_pairs: the keys must be numbers of at most 64 bits
#include <gpuprim/distributed/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using key = double;
#else
struct key {
  double number;
};
#endif

cudaError_t call(ncclComm_t comm, const key* keys, key* sorted) {
  return gpuprim::distributed::sort(comm, keys, 9, sorted);
}
