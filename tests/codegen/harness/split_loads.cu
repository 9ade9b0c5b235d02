// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two wide loads, of which the second waits for what the first brings.
// expect: kernel split_loads
// expect: wide-loads >= 2
// expect: together >= 2

__global__ void split_loads(const uint4* in, unsigned* out) {
  const uint4 first = in[threadIdx.x];
  const uint4 second = in[first.x + first.y + first.z + first.w];
  out[threadIdx.x] = second.x + second.y + second.z + second.w;
}
