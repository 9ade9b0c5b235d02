// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array with run-time indices cannot stay in registers.
// expect: kernel local
// expect: no-local-memory
__global__ void local(const int* at, int* out) {
  int values[32] = {};
  for (int i = 0; i < 100; ++i) values[at[i] % 32] += i;
  for (int i = 0; i < 32; ++i) out[i] = values[i];
}
