// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a stream belongs to the options; write {.stream = s} in its place
#include <gpuprim/distributed.cuh>

cudaError_t call(ncclComm_t comm, const float* in, int* out, cudaStream_t stream) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::distributed::count_runs(comm, in, 9, out, {.stream = stream});
#else
  return gpuprim::distributed::count_runs(comm, in, 9, out, stream);
#endif
}
