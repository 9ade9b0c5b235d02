// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: kernel present
// expect: faster >= 1
__global__ void present() {}
