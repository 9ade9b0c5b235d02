// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a query, such as mean or min_element, is not an operator; call it or give it to reduce_into
#include <gpuprim/segmented_reduce.cuh>
#include <gpuprim/statistics.cuh>

cudaError_t call(const double* in, const int* offsets, double* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{});
#else
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::mean);
#endif
}
