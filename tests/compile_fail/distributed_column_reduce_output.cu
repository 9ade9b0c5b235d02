// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::column_reduce: the output must take values of the accumulator type
#include <gpuprim/distributed/matrix_reduce.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = float*;
#else
using output = const float*;
#endif

cudaError_t call(ncclComm_t comm, const float* in, output out) {
  return gpuprim::distributed::column_reduce(comm, in, 3, 9, out, gpuprim::plus<>{});
}
