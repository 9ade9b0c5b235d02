// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::scan_by_key: the keys must be a pointer or a random-access iterator
#include <gpuprim/scan.cuh>

#include <list>

#if defined(GPUPRIM_TEST_CONTROL)
using keys = const int*;
#else
using keys = std::list<int>::const_iterator;
#endif

cudaError_t call(keys in, const int* values, int* out) {
  return gpuprim::inclusive_scan_by_key(in, values, 9, out, gpuprim::plus{});
}
