// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of one's own with gpuprim inside, and a pass of gpuprim over device memory. The two must agree.
#include <gpuprim/gpuprim.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

// One block takes the largest difference between neighbours.
__global__ void largest_step(const int* values, int count, int* result) {
  const gpuprim::this_block block;
  int largest = 0;
  for (int i = int(threadIdx.x) + 1; i < count; i += int(blockDim.x)) {
    largest = gpuprim::maximum<>{}(largest, values[i] - values[i - 1]);
  }
  largest = gpuprim::block_reduce<256>(block, largest, gpuprim::maximum<>{});
  if (block.thread_rank() == 0) *result = largest;
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA says: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main() {
  std::vector<int> values(10000);
  for (int i = 0; i < int(values.size()); ++i) values[i] = 2 * i + (i >= 7000 ? 40 : 0);
  const int count = int(values.size());
  int *in = nullptr, *out = nullptr, step = 0, largest = 0;
  check(cudaMalloc(&in, count * sizeof(int)));
  check(cudaMalloc(&out, 2 * sizeof(int)));
  check(cudaMemcpy(in, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));

  check(gpuprim::launch(largest_step, 1, 256, nullptr, in, count, out));
  check(gpuprim::reduce(in, count, out + 1, gpuprim::maximum<>{}, 0));
  check(cudaMemcpy(&step, out, sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&largest, out + 1, sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(in)), check(cudaFree(out));
  std::printf("largest step %d, largest value %d\n", step, largest);
  return step == 42 && largest == 2 * 9999 + 40 ? 0 : 1;
}
