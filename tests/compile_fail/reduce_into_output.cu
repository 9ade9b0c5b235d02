// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim: the output must take what the query writes: min_element and max_element an extremum<T>
#include <gpuprim/extrema.cuh>

cudaError_t call(const float* in, gpuprim::extremum<float>* out, float* value) {
  using gpuprim::max_element;
  using gpuprim::min_element;
  const auto both = gpuprim::fused(min_element, max_element);
#if defined(GPUPRIM_TEST_CONTROL)
  (void)value;
  return gpuprim::reduce_into(in, 9, gpuprim::outputs(out, out + 1), both);
#else
  return gpuprim::reduce_into(in, 9, gpuprim::outputs(out, value), both);
#endif
}
