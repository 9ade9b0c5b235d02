// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error of nvcc: error: calling a __host__ function... from a __host__ __device__ function
#include <gpuprim/sort.cuh>

struct by_last_digit {
#if defined(GPUPRIM_TEST_CONTROL)
  __device__
#endif
  bool operator()(int a, int b) const {
    return a % 10 < b % 10;
  }
};

__global__ void sort_four(int* keys) {
  int mine[4] = {keys[0], keys[1], keys[2], keys[3]};
  gpuprim::thread_sort(mine, by_last_digit{});
  for (int i = 0; i < 4; ++i) keys[i] = mine[i];
}
