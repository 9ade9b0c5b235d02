// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error of nvcc: gpuprim::set_union, set_intersection, set_difference: the output must take elements
#include <gpuprim/merge.cuh>

#include <thrust/device_vector.h>

#if defined(GPUPRIM_TEST_CONTROL)
using vector = thrust::device_vector<int>;
#else
using vector = const thrust::device_vector<int>;
#endif

cudaError_t call(const int* a, vector& out, int* count) { return gpuprim::set_union(a, 9, a, 9, out.begin(), count); }
