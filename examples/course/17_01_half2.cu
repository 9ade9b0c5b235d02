// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a * b + c on half precision numbers, two with one instruction (__hfma2), the result in float. It halves the bytes to
// read; each result is rounded once, to half precision, before it becomes a float. An odd last number goes alone.
// Source: the mixed-precision chapter of "Learn CUDA Programming" (Han, Sharma).
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#include <cuda_fp16.h>

// [kernel]
/// The arrays a, b and c begin at a multiple of 4 bytes, as what cudaMalloc returns does: a half2 is read in one piece.
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

bool check(int n) {
  std::vector<half> a, b, c;
  std::vector<float> want;
  for (int i = 0; i < n; ++i) {
    a.push_back(__float2half(float(i * 37 % 501 - 250) / 64));
    b.push_back(__float2half(float(i * 53 % 403 - 201) / 32));
    c.push_back(__float2half(float(i * 71 % 307 - 153) / 16));
    // Exact in double, so that there is one rounding here, too.
    const double x = __half2float(a.back()), y = __half2float(b.back()), z = __half2float(c.back());
    want.push_back(__half2float(__double2half(x * y + z)));
  }
  const measure::device_array<half> device_a(a), device_b(b), device_c(c);
  const measure::device_array<float> out(want.size());
  out.poison();
  const int pairs = (n + 1) / 2, block = 128;
  measure::check(gpuprim::launch(multiply_add, (pairs + block - 1) / block, block, nullptr, device_a.data(),
                                 device_b.data(), device_c.data(), n, out.data()));
  const bool right = out.on_host() == want;
  std::printf("%d numbers: %s\n", n, right ? "right" : "WRONG");
  return right;
}

int main() {
  bool right = true;
  for (int n : {1, 2, 3, 255, 258, 9999}) right &= check(n);
  return right ? 0 : 1;
}
