// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed: the output must take a value of the result's type
#include <gpuprim/distributed.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using result = gpuprim::tuple<double, gpuprim::extremum<float>>;
#else
using result = float;
#endif

cudaError_t call(ncclComm_t comm, const float* in, result* out) {
  const auto query = gpuprim::fused(gpuprim::mean, gpuprim::max_element);
  return gpuprim::distributed::all_reduce(comm, in, 9, out, query);
}
