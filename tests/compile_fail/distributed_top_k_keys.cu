// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::top_k: the keys must be numbers of at most 64 bits
#include <gpuprim/distributed/top_k.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using key = double;
#else
struct key {
  double number;
};
#endif

cudaError_t call(ncclComm_t comm, const key* keys, key* out) {
  return gpuprim::distributed::top_k(comm, keys, 9, 3, out);
}
