// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::segmented_nth_element: nth must be an integer, or an iterator to integers of 32 or 64 bits
#include <gpuprim/top_k.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using place = int;
#else
using place = float;
#endif

cudaError_t call(const float* in, const place* nth, float* out) {
  return gpuprim::segmented_nth_element(in, gpuprim::fixed_length{100}, 9, nth, out);
}
