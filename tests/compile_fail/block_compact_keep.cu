// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_compact: what is kept is told by a flag for each value, or by a predicate whose const
//   operator() takes a value and returns a bool
#include <gpuprim/compact.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct is_even {
  __device__ bool operator()(int i) const { return i % 2 == 0; }
};
struct changes {
  __device__ bool operator()(int& i) { return ++i % 2 == 0; }
};

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_compact<64>(block, 1, is_even{}, out);
#else
  gpuprim::block_compact<64>(block, 1, changes{}, out);
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
