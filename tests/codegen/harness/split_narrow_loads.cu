// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two narrow loads, of which the second waits for what the first brings.
// expect: kernel split_narrow_loads
// expect: sass >= 2 \bLDG\.E
// expect: together >= 2 \bLDG\.E

__global__ void split_narrow_loads(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[in[threadIdx.x]]; }
