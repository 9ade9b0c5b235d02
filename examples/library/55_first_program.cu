// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first program of the README: the sum of an array by one call, and by a kernel of one's own.
// [program]
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/reduce.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

// One block of 256 threads adds up an array.
__global__ void add_up(const float* in, int n, float* out) {
  const gpuprim::this_block block;
  float own = 0;
  for (int i = int(threadIdx.x); i < n; i += 256) own += in[i];
  const float all = gpuprim::block_reduce<256>(block, own, gpuprim::plus{});
  if (block.thread_rank() == 0) *out = all;
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA says: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main() {
  const std::vector<float> values(1000, 0.5f);
  const int n = int(values.size());
  float *in = nullptr, *out = nullptr, by_kernel = 0;
  check(cudaMalloc(&in, n * sizeof(float)));
  check(cudaMalloc(&out, sizeof(float)));
  check(cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const float by_call = gpuprim::reduce_value(in, n, gpuprim::plus{});  // throws gpuprim::cuda_error
  check(gpuprim::launch(add_up, 1, 256, nullptr, in, n, out));
  check(cudaMemcpy(&by_kernel, out, sizeof(float), cudaMemcpyDeviceToHost));

  check(cudaFree(in)), check(cudaFree(out));
  std::printf("by one call %g, by a kernel %g\n", by_call, by_kernel);
  return by_call == 500 && by_kernel == 500 ? 0 : 1;
}
// [program]
