// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::sort_pairs: in two buffers a key and its value are too long for the shared memory of a GPU; sort
//   their
#include <gpuprim/sort.cuh>

struct record {
#if defined(GPUPRIM_TEST_CONTROL)
  char text[232];
#else
  char text[400];
#endif
};

cudaError_t call(gpuprim::double_buffer<double>& keys, gpuprim::double_buffer<record>& values) {
  return gpuprim::sort_pairs(keys, values, 100);
}
