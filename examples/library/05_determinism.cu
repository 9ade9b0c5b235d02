// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a float sum is fixed: the default gives the same bits in every run on one GPU, `reproducible` on every
// GPU and with every shape; and prefix sums with the same bits on every GPU.
#include <gpuprim/reduce.cuh>
#include <gpuprim/scan.cuh>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  std::vector<float> values;
  double exact = 0;
  for (int i = 0; i < 60000; ++i) {
    values.push_back(1.0f / float(1 + i * 7919 % 60000));
    exact += double(values.back());
  }
  const auto n = std::int64_t(values.size());
  float *in = nullptr, *out = nullptr, got[3] = {};
  cudaError_t e = cudaMalloc(&in, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&out, sizeof got);
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  // [forms]
  using plus = gpuprim::plus<float>;
  if (e == cudaSuccess) e = gpuprim::reduce(in, n, out, plus{}, 0.0f);
  if (e == cudaSuccess) e = gpuprim::reduce(gpuprim::reproducible, in, n, out + 1, plus{}, 0.0f);
  if (e == cudaSuccess) e = gpuprim::reduce<plus, 256>(gpuprim::reproducible, in, n, out + 2, plus{}, 0.0f);
  // [forms]
  float *sums = nullptr, total = 0;
  if (e == cudaSuccess) e = cudaMalloc(&sums, n * sizeof(float));
  // [scan]
  if (e == cudaSuccess) e = gpuprim::inclusive_scan(gpuprim::reproducible, in, n, sums, plus{});
  // [scan]
  if (e == cudaSuccess) e = cudaMemcpy(&total, sums + n - 1, sizeof total, cudaMemcpyDeviceToHost);
  if (e == cudaSuccess) e = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  (void)cudaFree(in);
  (void)cudaFree(out);
  (void)cudaFree(sums);
  std::printf("default %.9g, reproducible %.9g and %.9g, exact %.9g (%s)\n", double(got[0]), double(got[1]),
              double(got[2]), exact, cudaGetErrorString(e));
  bool close = std::abs(double(total) - exact) < 1e-5 * exact;
  for (float g : got) close &= std::abs(double(g) - exact) < 1e-5 * exact;
  return e == cudaSuccess && got[1] == got[2] && close ? 0 : 1;
}
