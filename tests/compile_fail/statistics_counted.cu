// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: a statistic does not take a count in device memory
#include <gpuprim/extrema.cuh>
#include <gpuprim/statistics.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
cudaError_t call(const float* in, const int* n, gpuprim::extremum<float>* out) {
  return gpuprim::max_element(in, {n, 100}, out);
}
#else
cudaError_t call(const float* in, const int* n, double* out) { return gpuprim::mean(in, {n, 100}, out); }
#endif
