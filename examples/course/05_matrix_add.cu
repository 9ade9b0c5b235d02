// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding vectors on a one-dimensional grid and matrices on a two-dimensional one, each thread one element. Good as the
// first kernel: the index, the guard for the ragged edge, and x along the rows so that a warp reads neighbours.
// Source: Cheng, Grossman and McKercher, "Professional CUDA C Programming".
#include <gpuprim/launch/launch.cuh>

#include <cstdint>
#include <cstdio>
#include <vector>

// [vector]
__global__ void add_vectors(const float* a, const float* b, float* sum, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) sum[i] = a[i] + b[i];
}
// [vector]

// [matrix]
__global__ void add_matrices(const float* a, const float* b, float* sum, int height, int width) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
  const std::int64_t i = std::int64_t(y) * width + x;  // 64 bits: a matrix may have more elements than an int counts
  if (x < width && y < height) sum[i] = a[i] + b[i];
}
// [matrix]

int main() {
  constexpr int height = 67, width = 151, n = height * width;
  std::vector<float> a(n), b(n), want(n), got_vector(n), got_matrix(n);
  for (int i = 0; i < n; ++i) {
    a[i] = float(i) / 3.0f;
    b[i] = float(n - i) * 0.7f;
    want[i] = a[i] + b[i];  // one rounding, the same on both sides
  }
  float *device_a = nullptr, *device_b = nullptr, *sum = nullptr;
  cudaError_t e = cudaMalloc(&device_a, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&device_b, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&sum, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMemcpy(device_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(device_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  if (e == cudaSuccess) e = gpuprim::launch(add_vectors, (n + 127) / 128, 128, nullptr, device_a, device_b, sum, n);
  if (e == cudaSuccess) e = cudaMemcpy(got_vector.data(), sum, n * sizeof(float), cudaMemcpyDeviceToHost);

  if (e == cudaSuccess) e = cudaMemset(sum, 0xff, n * sizeof(float));  // so that nothing is left of the first sum
  // [launch]
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(32, 4);
  config.gridDim = dim3((width + 31) / 32, (height + 3) / 4);
  if (e == cudaSuccess) {
    e = cudaLaunchKernelEx(&config, add_matrices, static_cast<const float*>(device_a),
                           static_cast<const float*>(device_b), sum, height, width);
  }
  // [launch]
  if (e == cudaSuccess) e = cudaMemcpy(got_matrix.data(), sum, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float* p : {device_a, device_b, sum}) (void)cudaFree(p);
  const bool right = got_vector == want && got_matrix == want;
  std::printf("%d x %d: %s (%s)\n", height, width, right ? "right" : "wrong", cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
