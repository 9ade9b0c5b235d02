// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::reduce_by_key: the second output must be an array of the joined values
#include <gpuprim/distributed/reduce_by_key.cuh>

cudaError_t call(ncclComm_t comm, const int* keys, int* out, int* sums, gpuprim::distributed::selected_part* part) {
#if defined(GPUPRIM_TEST_CONTROL)
  auto* const to = sums;
#else
  const auto to = *sums;
#endif
  return gpuprim::distributed::reduce_by_key(comm, keys, keys, 9, out, to, part, gpuprim::plus<>{});
}
