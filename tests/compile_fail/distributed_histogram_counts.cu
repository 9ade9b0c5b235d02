// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::histogram: the counts must be a pointer to integers of 32 or 64 bits
#include <gpuprim/distributed.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using counter = unsigned;
#else
using counter = short;
#endif

cudaError_t call(ncclComm_t comm, const int* in, counter* counts) {
  return gpuprim::distributed::histogram(comm, in, 9, counts, gpuprim::even_bins{10, 0, 100});
}
