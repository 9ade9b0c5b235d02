// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>

struct item {
  int value;
#if defined(GPUPRIM_TEST_CONTROL)
  __device__
#endif
  bool operator<(const item& other) const { return value < other.value; }
};

cudaError_t call(const item* in, gpuprim::extremum<item>* out) { return gpuprim::min_element(in, 9, out); }
