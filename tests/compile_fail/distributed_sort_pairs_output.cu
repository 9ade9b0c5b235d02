// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort_pairs: the second output must be an array of values
#include <gpuprim/distributed/sort.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = float;
#else
using output = double;
#endif

cudaError_t call(ncclComm_t comm, const int* keys, const float* values, int* sorted, output* sorted_values) {
  return gpuprim::distributed::sort_pairs(comm, keys, values, 9, sorted, sorted_values);
}
