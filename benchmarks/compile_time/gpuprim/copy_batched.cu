// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

cudaError_t copy(const int* const* in, int* const* out, const int* sizes, std::int64_t count, cudaStream_t stream,
                 gpuprim::workspace& workspace) {
  return gpuprim::copy_batched(in, out, sizes, count, {.stream = stream, .workspace = &workspace});
}
