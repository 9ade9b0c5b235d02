// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed: an operator, transformed, the extrema, the moments and statistics, the norms,
//   accurate_sum and what fused makes of them go over several GPUs; this query does not
#include <gpuprim/distributed.cuh>
#include <gpuprim/dot.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
inline constexpr auto query = gpuprim::norm_2;
#else
inline constexpr auto query = gpuprim::squared_norm;
#endif

cudaError_t call(ncclComm_t comm, const double* in, double* out) {
  return gpuprim::distributed::all_reduce(comm, in, 9, out, query);
}
