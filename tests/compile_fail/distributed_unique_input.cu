// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::unique: the input must be a pointer or a random-access iterator
#include <gpuprim/distributed/unique.cuh>

cudaError_t call(ncclComm_t comm, const int* in, int* out, gpuprim::distributed::selected_part* part) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::distributed::unique(comm, in, 9, out, part);
#else
  return gpuprim::distributed::unique(comm, 9, *in, out, part);
#endif
}
