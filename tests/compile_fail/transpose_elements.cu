// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::transpose: elements have at most 256 bytes
#include <gpuprim/transform.cuh>

struct block_256 {
  char bytes[256];
};
struct block_257 {
  char bytes[257];
};

cudaError_t call(const void* in, void* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  return gpuprim::transpose(static_cast<const block_256*>(in), 9, 9, static_cast<block_256*>(out));
#else
  return gpuprim::transpose(static_cast<const block_257*>(in), 9, 9, static_cast<block_257*>(out));
#endif
}
