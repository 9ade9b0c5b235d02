// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed: the output must take a value of the result's type; where a rank has none, it is a null
//   pointer
#include <gpuprim/distributed.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
constexpr float* no_output = nullptr;
#else
constexpr std::nullptr_t no_output = nullptr;
#endif

cudaError_t call(ncclComm_t comm, const float* in) {
  return gpuprim::distributed::reduce(comm, 1, in, 9, no_output, gpuprim::plus<>{}, 0.0f);
}
