// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums an array: the value on the host in one call, and the asynchronous form for a stream.
// [include]
#include <gpuprim/reduce.cuh>
// [include]

#include <cstdio>
#include <vector>

int main() {
  const std::vector<float> values(100000, 0.5f);
  const auto n = std::int64_t(values.size());
  float *in = nullptr, *out = nullptr;
  if (cudaMalloc(&in, n * sizeof(float)) != cudaSuccess || cudaMalloc(&out, sizeof(float)) != cudaSuccess ||
      cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice) != cudaSuccess) {
    std::printf("no memory on the device\n");
    return 1;
  }
  // [value]
  const float total = gpuprim::reduce_value(in, n, gpuprim::plus{});
  // [value]
  // [stream]
  cudaStream_t stream;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<float>(n));
  cudaError_t e = gpuprim::reduce(in, n, out, gpuprim::maximum{}, {.stream = stream, .workspace = &ws});
  // [stream]
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  float largest = 0;
  if (e == cudaSuccess) e = cudaMemcpy(&largest, out, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g, maximum %g: %s\n", double(total), double(largest), cudaGetErrorString(e));
  (void)cudaStreamDestroy(stream);
  (void)cudaFree(in);
  (void)cudaFree(out);
  return e == cudaSuccess && total == 50000.0f && largest == 0.5f ? 0 : 1;
}
