// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::thread_dot: the elements of both loads must be of one size
#include <gpuprim/thread/thread_dot.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
using second = unsigned short;
#else
using second = signed char;
#endif

__device__ int call(const uint4& a, const uint4& b) { return gpuprim::thread_dot<short, second>(a, b, 0); }
