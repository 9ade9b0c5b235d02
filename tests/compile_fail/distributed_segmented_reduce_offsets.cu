// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::segmented_reduce: the offsets must be a pointer to, or a random-access iterator over,
//   integers of 32 or 64 bits
#include <gpuprim/distributed/segmented_reduce.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using offset = int;
#else
using offset = float;
#endif

cudaError_t call(ncclComm_t comm, const float* in, const offset* offsets, float* out) {
  const gpuprim::distributed::rank_segments<const offset*> segments{offsets, 0};
  return gpuprim::distributed::segmented_reduce(comm, in, 9, segments, 3, out, gpuprim::plus<>{});
}
