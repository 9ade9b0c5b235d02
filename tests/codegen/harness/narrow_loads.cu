// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: kernel narrow
// expect: wide-loads >= 1
__global__ void narrow(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
