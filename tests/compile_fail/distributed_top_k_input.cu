// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::top_k: the keys must be a pointer or a random-access iterator
#include <gpuprim/distributed/top_k.cuh>

cudaError_t call(ncclComm_t comm, const int* keys, int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::distributed::top_k(comm, keys, 9, 3, out);
#else
  return gpuprim::distributed::top_k(comm, 9, *keys, 3, out);
#endif
}
