// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums squares by a lambda, for which nvcc needs an option.
#include <gpuprim/transform_reduce.cuh>

#include <cstdio>

int main() {
  int* in = nullptr;
  if (cudaMallocManaged(&in, 3 * sizeof(int)) != cudaSuccess) return 1;
  for (int i = 0; i < 3; ++i) in[i] = i + 1;
  const auto square = [] __device__(int x) { return x * x; };
  const int sum = gpuprim::transform_reduce_value<int>(in, 3, gpuprim::plus{}, square, 0);
  std::printf("sum of squares %d\n", sum);
  return cudaFree(in) == cudaSuccess && sum == 14 ? 0 : 1;
}
