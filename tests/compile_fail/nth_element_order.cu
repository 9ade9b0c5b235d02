// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::nth_element: the order must be gpuprim::smallest or gpuprim::largest; sort sorts all keys
#include <gpuprim/top_k.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
constexpr auto order = gpuprim::largest;
#else
constexpr auto order = gpuprim::largest.sorted();
#endif

cudaError_t call(const float* in, float* out) { return gpuprim::nth_element(in, 100, 3, out, order); }
