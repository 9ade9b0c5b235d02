// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grid_reduce in a kernel of your own: the mean of squares in one launch, with whatever else the kernel does.
#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

// [kernel]
__global__ void mean_of_squares(const float* in, int n, float* out, gpuprim::grid_reduce_state<float> state) {
  auto block = cooperative_groups::this_thread_block();
  float mine = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x)) {
    mine += in[i] * in[i];
  }
  gpuprim::grid_reduce<128>(block, mine, gpuprim::plus{}, state, [&](float total) { *out = total / float(n); });
}
// [kernel]

int main() {
  constexpr int n = 10000, blocks = 20;  // about four elements a thread
  const std::vector<float> values(n, 3.0f);
  float *in = nullptr, *out = nullptr, got = 0;
  gpuprim::workspace ws(gpuprim::grid_reduce_bytes<float>(blocks));  // starts as zero
  cudaError_t e = cudaMalloc(&in, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&out, sizeof(float));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    e = gpuprim::launch(mean_of_squares, blocks, 128, nullptr, in, n, out,
                        gpuprim::make_grid_reduce_state<float>(ws.data()));
  }
  if (e == cudaSuccess) e = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  (void)cudaFree(in);
  (void)cudaFree(out);
  std::printf("mean of squares %g (%s)\n", double(got), cudaGetErrorString(e));
  return e == cudaSuccess && got == 9.0f ? 0 : 1;
}
