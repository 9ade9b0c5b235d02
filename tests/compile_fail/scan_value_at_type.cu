// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::scan: a value_at must have the type that values are joined in; name that type
#include <gpuprim/scan.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using start = float;
#else
using start = int;
#endif

cudaError_t call(const float* in, float* out, const start* from) {
  return gpuprim::exclusive_scan(in, 9, out, gpuprim::plus{}, gpuprim::value_at{from});
}
