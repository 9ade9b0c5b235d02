// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two wide loads together, and then two of which the second waits for what the first brings.
// expect: kernel one_row
// expect: together >= 2
// expect: rows >= 2 2

__device__ unsigned sum(const uint4& x) { return x.x + x.y + x.z + x.w; }

__global__ void one_row(const uint4* in, unsigned* out) {
  const uint4 a = in[threadIdx.x], b = in[threadIdx.x + 32];
  const uint4 c = in[sum(a) + sum(b)];
  out[threadIdx.x] = sum(in[sum(c)]);
}
