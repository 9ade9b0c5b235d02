// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the output must take what the query writes: min_element and max_element an extremum<T>
#include <gpuprim/extrema.cuh>

cudaError_t call(const float* in, gpuprim::extremum<float>* out, float* value) {
#if defined(GPUPRIM_TEST_CONTROL)
  (void)value;
  return gpuprim::min_element(in, 9, out);
#else
  (void)out;
  return gpuprim::min_element(in, 9, value);
#endif
}
