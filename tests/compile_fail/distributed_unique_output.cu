// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::unique: the output must be an array of elements of the input's type
#include <gpuprim/distributed/unique.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = int;
#else
using output = long long;
#endif

cudaError_t call(ncclComm_t comm, const int* in, output* out, gpuprim::distributed::selected_part* part) {
  return gpuprim::distributed::unique(comm, in, 9, out, part);
}
