// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::distributed::sort_pairs: the value type must be trivially copyable and assignable
#include <gpuprim/distributed/sort.cuh>

struct value {
#if defined(GPUPRIM_TEST_CONTROL)
  int number;
#else
  const int number;
#endif
};

cudaError_t call(ncclComm_t comm, const int* keys, const value* values, int* sorted, value* sorted_values) {
  return gpuprim::distributed::sort_pairs(comm, keys, values, 9, sorted, sorted_values);
}
