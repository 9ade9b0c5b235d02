// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: kernel absent
// expect: no-local-memory
__global__ void present() {}
