// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_with_memory: the memory is smaller than the call needs
#include <gpuprim/block/block_scan.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  GPUPRIM_SHARED(memory, gpuprim::block_storage<gpuprim::block_scan_bytes<1024, double>>);
#else
  GPUPRIM_SHARED(memory, gpuprim::block_storage<gpuprim::block_scan_bytes<1024, float>>);
#endif
  const gpuprim::block_with_memory block(memory);
  *out = int(gpuprim::block_inclusive_scan<1024>(block, 1.0, gpuprim::plus{}));
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 1024, nullptr, out); }
