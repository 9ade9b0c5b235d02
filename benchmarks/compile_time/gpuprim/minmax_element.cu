// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>

cudaError_t call(const float* in, long long n,
                 gpuprim::tuple<gpuprim::extremum<float>, gpuprim::extremum<float>>* out) {
  return gpuprim::minmax_element(in, n, out);
}
