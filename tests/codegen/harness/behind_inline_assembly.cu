// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A square root behind inline assembly in braces.
// expect: kernel behind_inline_assembly
// expect: ptx <= 0 \bsqrt

__global__ void behind_inline_assembly(float* values) {
  asm volatile("{\n membar.gl;\n}" ::: "memory");
  values[threadIdx.x] = sqrtf(values[threadIdx.x]);
}
