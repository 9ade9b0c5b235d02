// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::select_flagged: the flags must convert to bool
#include <gpuprim/select.cuh>

struct flag {
  int value;
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_HOST_DEVICE explicit operator bool() const { return value != 0; }
#endif
};

cudaError_t call(const int* in, const flag* flags, int* out, int* count) {
  return gpuprim::select_flagged(in, flags, 100, out, count);
}
