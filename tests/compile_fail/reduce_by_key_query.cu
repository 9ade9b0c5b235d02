// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::reduce_by_key: a query, such as mean or min_element, is not an operator
#include <gpuprim/reduce_by_key.cuh>
#include <gpuprim/statistics.cuh>

cudaError_t call(const int* keys, const double* in, int* unique, double* out, int* runs) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::reduce_by_key(keys, in, 9, unique, out, runs, gpuprim::plus{});
#else
  return gpuprim::reduce_by_key(keys, in, 9, unique, out, runs, gpuprim::mean);
#endif
}
