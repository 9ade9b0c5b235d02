// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The load waits for the answer of the atomic.
// expect: kernel early
// expect: late ^ATOMG
__global__ void early(unsigned* count, const float4* in, float4* out) {
  if (atomicInc(count, gridDim.x) == threadIdx.x) out[threadIdx.x] = in[threadIdx.x];
}
