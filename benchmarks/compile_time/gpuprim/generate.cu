// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

struct square {
  __host__ __device__ float operator()(long long i) const { return float(i) * float(i); }
};

cudaError_t call(float* out, long long n) { return gpuprim::generate(out, n, square{}); }
