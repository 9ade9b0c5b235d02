// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums an array: the value on the host in one call, and the asynchronous form for a stream.
// [include]
#include <gpuprim/reduce.cuh>
// [include]

#include "../measure.hpp"

int main() {
  const std::vector<float> values(100000, 0.5f);
  const measure::device_array<float> array(values), result(1);  // freed when main ends, however it ends
  const float* in = array.data();
  float* out = result.data();
  const auto n = std::int64_t(values.size());
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
  (void)cudaStreamDestroy(stream);
  const float largest = result.on_host()[0];
  std::printf("sum %g, maximum %g: %s\n", double(total), double(largest), cudaGetErrorString(e));
  return e == cudaSuccess && total == 50000.0f && largest == 0.5f ? 0 : 1;
}
