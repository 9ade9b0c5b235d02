// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::unique_by_key: the equality's const operator() must take two keys and return a bool
#include <gpuprim/select.cuh>

struct same_parity {
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a % 2 == b % 2; }
#else
  GPUPRIM_HOST_DEVICE bool operator()(int a) const { return a % 2 == 0; }
#endif
};

cudaError_t call(const int* keys, const float* values, int* keys_out, float* values_out, int* count) {
  return gpuprim::unique_by_key(keys, values, 100, keys_out, values_out, count, same_parity{});
}
