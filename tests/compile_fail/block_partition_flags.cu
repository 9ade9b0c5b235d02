// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_partition: parts are told by a flag each, or by arrays of as many flags, and not by a
//   predicate: call that
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  const int value = *out;
  const auto is_first = [](int x) { return x > 0; };  // converts to a pointer, and that to a bool
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::block_partition<64>(gpuprim::this_block{}, value, is_first(value)).place;
#else
  *out = gpuprim::block_partition<64>(gpuprim::this_block{}, value, is_first).place;
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
