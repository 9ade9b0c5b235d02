// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a * b + c on half precision numbers, two with one instruction (__hfma2), the result in float. It halves the bytes to
// read; each result is rounded once, to half precision, before it becomes a float. An odd last number goes alone.
// Source: the mixed-precision chapter of "Learn CUDA Programming" (Han, Sharma).
#include <gpuprim/launch/launch.cuh>

#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

// [kernel]
__global__ void multiply_add(const half* a, const half* b, const half* c, int n, float* out) {
  const int pair = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = 2 * pair;
  if (i + 1 < n) {
    const half2 two = __hfma2(reinterpret_cast<const half2*>(a)[pair], reinterpret_cast<const half2*>(b)[pair],
                              reinterpret_cast<const half2*>(c)[pair]);
    const float2 wide = __half22float2(two);
    out[i] = wide.x;
    out[i + 1] = wide.y;
  } else if (i < n) {  // the other half of this pair is beyond the arrays
    out[i] = __half2float(__hfma(a[i], b[i], c[i]));
  }
}
// [kernel]

template <class T>
cudaError_t upload(const std::vector<T>& from, T*& to) {
  if (cudaError_t e = cudaMalloc(&to, from.size() * sizeof(T))) return e;
  return cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
}

bool check(int n) {
  std::vector<half> a, b, c;
  std::vector<float> want, got(std::size_t(n), -1.0f);
  for (int i = 0; i < n; ++i) {
    a.push_back(__float2half(float(i * 37 % 501 - 250) / 64));
    b.push_back(__float2half(float(i * 53 % 403 - 201) / 32));
    c.push_back(__float2half(float(i * 71 % 307 - 153) / 16));
    // Exact in double, so that there is one rounding here, too.
    const double x = __half2float(a.back()), y = __half2float(b.back()), z = __half2float(c.back());
    want.push_back(__half2float(__double2half(x * y + z)));
  }
  half *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  float* out = nullptr;
  cudaError_t e = upload(a, device_a);
  if (e == cudaSuccess) e = upload(b, device_b);
  if (e == cudaSuccess) e = upload(c, device_c);
  if (e == cudaSuccess) e = upload(got, out);
  const int pairs = (n + 1) / 2, block = 128;
  if (e == cudaSuccess) {
    e = gpuprim::launch(multiply_add, (pairs + block - 1) / block, block, nullptr, device_a, device_b, device_c, n,
                        out);
  }
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  (void)cudaFree(device_a);
  (void)cudaFree(device_b);
  (void)cudaFree(device_c);
  (void)cudaFree(out);
  const bool right = e == cudaSuccess && got == want;
  std::printf("%d numbers: %s (%s)\n", n, right ? "right" : "WRONG", cudaGetErrorString(e));
  return right;
}

int main() {
  bool right = true;
  for (int n : {1, 2, 3, 255, 258, 9999}) right &= check(n);
  return right ? 0 : 1;
}
