// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

cudaError_t call(float* out, long long n) { return gpuprim::sequence(out, n); }
