// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: kernel many
// expect: registers <= 4
__global__ void many(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += in[i * 32 + threadIdx.x] * in[i];
  out[threadIdx.x] = sum;
}
