// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::segmented_reduce: the output must take values of the accumulator type
#include <gpuprim/distributed/segmented_reduce.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using output = float*;
#else
using output = const float*;
#endif

cudaError_t call(ncclComm_t comm, const float* in, const int* offsets, output out) {
  const gpuprim::distributed::rank_segments<const int*> segments{offsets, 0};
  return gpuprim::distributed::segmented_reduce(comm, in, 9, segments, 3, out, gpuprim::plus<>{});
}
