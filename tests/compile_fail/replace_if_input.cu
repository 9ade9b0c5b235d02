// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::replace_if: the input must be a pointer or a random-access iterator
#include <gpuprim/transform.cuh>

#include <vector>

struct is_negative {
  GPUPRIM_HOST_DEVICE bool operator()(float x) const { return x < 0; }
};

cudaError_t call(const std::vector<float>& in, float* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::replace_if(in.data(), 9, out, is_negative{}, 0);
#else
  return gpuprim::replace_if(in, 9, out, is_negative{}, 0);
#endif
}
