// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result that a kernel writes straight into host memory: pinned and mapped, it has an address on the device too. That
// spares the copy of a few bytes and its latency. The host may read it only after it has waited for the stream.
// Source: "Zero Copy" in NVIDIA's "CUDA C++ Best Practices Guide".
#include <gpuprim/reduce.cuh>

#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  constexpr int n = 10007;
  std::vector<int> values;
  std::int64_t want_sum = 0;
  int want_largest = -1;
  for (int i = 0; i < n; ++i) {
    values.push_back(int(unsigned(i) * 40503u % 65521u));
    want_sum += values.back();
    if (values.back() > want_largest) want_largest = values.back();
  }
  struct results {
    std::int64_t sum;
    int largest;
  };
  int device = 0, can_map = 0, *in = nullptr;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, device);
  if (e == cudaSuccess && can_map == 0) {
    std::printf("this GPU cannot map host memory\n");
    return 0;
  }
  if (e == cudaSuccess) e = cudaMalloc(&in, n * sizeof(int));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  // [mapped]
  results *on_host = nullptr, *on_device = nullptr;
  if (e == cudaSuccess) e = cudaHostAlloc(&on_host, sizeof(results), cudaHostAllocMapped);
  if (e == cudaSuccess) e = cudaHostGetDevicePointer(&on_device, on_host, 0);
  if (e == cudaSuccess) *on_host = {-1, -1};
  cudaStream_t stream = nullptr;
  if (e == cudaSuccess) e = cudaStreamCreate(&stream);
  if (e == cudaSuccess) {
    e = gpuprim::reduce<std::int64_t>(in, n, &on_device->sum, gpuprim::plus{}, 0, {.stream = stream});
  }
  if (e == cudaSuccess) e = gpuprim::reduce(in, n, &on_device->largest, gpuprim::maximum{}, -1, {.stream = stream});
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);  // before this, *on_host is not the host's to read
  // [mapped]
  bool right = false;
  if (e == cudaSuccess) {
    right = on_host->sum == want_sum && on_host->largest == want_largest;
    std::printf("sum %lld, largest %d: %s\n", static_cast<long long>(on_host->sum), on_host->largest,
                right ? "right" : "WRONG");
  } else {
    std::printf("%s\n", cudaGetErrorString(e));
  }
  if (stream != nullptr) (void)cudaStreamDestroy(stream);
  (void)cudaFreeHost(on_host);
  (void)cudaFree(in);
  return right ? 0 : 1;
}
