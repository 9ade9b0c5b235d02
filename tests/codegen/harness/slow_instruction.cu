// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX has one division; the slow reciprocal inside it shows in SASS only.
// expect: kernel quotient
// expect: ptx >= 1 div\.rn\.f32
// expect: sass <= 0 ^MUFU\.RCP
__global__ void quotient(const float* in, float* out) { out[threadIdx.x] = in[0] / in[threadIdx.x]; }
