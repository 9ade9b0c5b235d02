// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/segmented_reduce.cuh>
#include <gpuprim/statistics.cuh>

cudaError_t call(const double* in, const int* offsets, double* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::plus{});
#else
  return gpuprim::segmented_reduce(in, offsets, 9, out, gpuprim::mean);
#endif
}
