// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy whose first element lies 0 to 32 floats into the array. A warp reads 128 bytes: four sectors of 32 bytes where
// they start on a sector's border, five elsewhere. Both arrays hold n + 32 floats, so that no offset leaves them.
// Source: the memory chapter of NVIDIA's "CUDA C++ Best Practices Guide".
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

// [kernel]
__global__ void copy_from(const float* in, int offset, int n, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i + offset] = in[i + offset];
}
// [kernel]

/// 32-byte sectors that the first warp reads.
int sectors(int offset) { return (offset + 31) / 8 - offset / 8 + 1; }

int main() {
  constexpr int n = 5003, largest = 32, size = n + largest, block_size = 160;
  std::vector<float> values(size), got(size);
  for (int i = 0; i < size; ++i) values[i] = float(i + 1);
  float *in = nullptr, *out = nullptr;
  cudaError_t e = cudaMalloc(&in, size * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&out, size * sizeof(float));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  bool right = true;
  for (int offset = 0; offset <= largest; ++offset) {
    if (e == cudaSuccess) e = cudaMemset(out, 0, size * sizeof(float));
    if (e == cudaSuccess) {
      e = gpuprim::launch(copy_from, (n + block_size - 1) / block_size, block_size, nullptr, in, offset, n, out);
    }
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, size * sizeof(float), cudaMemcpyDeviceToHost);
    std::vector<float> want(size, 0.0f);  // zero before and after what was copied
    std::copy_n(values.begin() + offset, n, want.begin() + offset);
    const bool same = e == cudaSuccess && got == want && sectors(offset) == (offset % 8 == 0 ? 4 : 5);
    std::printf("offset %d: %d sectors a warp: %s (%s)\n", offset, sectors(offset), same ? "right" : "WRONG",
                cudaGetErrorString(e));
    right &= same;
  }
  (void)cudaFree(in);
  (void)cudaFree(out);
  return right ? 0 : 1;
}
