// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc refuses, or what cannot work on the host, must not compile. Each macro adds one such line;
// without any the file compiles, so that nothing else can be the reason.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <string>

namespace cg = cooperative_groups;

struct pair {
  int a, b;
};

__global__ void kernel(int* out) {
  out[0] = __shfl_sync(~0u, short(1), 0);  // a short is promoted, as by nvcc
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  out[1] = warp.shfl(pair{1, 2}, 0).b;
#if defined(REFUSE_SHARED)
  __shared__ int stage[32];
#elif defined(REFUSE_STRUCT_SHUFFLE)
  out[2] = __shfl_sync(~0u, pair{1, 2}, 0).a;
#elif defined(REFUSE_NON_TRIVIAL_SHUFFLE)
  warp.shfl(std::string(), 0);
#elif defined(REFUSE_LARGE_SHUFFLE)
  struct large {
    double values[5];
  };
  warp.shfl(large{}, 0);
#elif defined(REFUSE_LONG_ATOMIC)
  long word = 0;
  atomicAdd(&word, 1l);
#elif defined(REFUSE_LARGE_TILE)
  cg::tiled_partition<64>(cg::this_thread_block()).sync();
#elif defined(REFUSE_TEXTURE)
  cudaTextureObject_t texture = 0;
#elif defined(REFUSE_WRITE_TO_INDEX)
  threadIdx.x = 1;
#endif
}

int main() {
  cudaLaunchConfig_t config{};
#if defined(REFUSE_CHEVRONS)
  kernel<<<1, 32>>>(nullptr);
#endif
#if defined(REFUSE_MISSING_ARGUMENT)
  return cudaLaunchKernelEx(&config, kernel);
#else
  return cudaLaunchKernelEx(&config, kernel, nullptr);
#endif
}
