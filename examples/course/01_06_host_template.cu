// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The five steps of a CUDA host program: allocate, copy in, launch, copy back, free. Every call is checked, and an
// error names the file and the line. Good as a start for your own program. Source: CUDA C++ Programming Guide.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <vector>

// A function and not a macro: the default argument is evaluated where the function is called.
void check(cudaError_t error, std::source_location where = std::source_location::current()) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: %s (%s)\n", where.file_name(), unsigned(where.line()), cudaGetErrorString(error),
               cudaGetErrorName(error));
  std::exit(1);
}

// [kernel]
__global__ void scale_and_add(float factor, const float* x, float* y, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += factor * x[i];
}
// [kernel]

int main() {
  constexpr int n = 10007, block_size = 256;
  constexpr std::size_t bytes = n * sizeof(float);
  std::vector<float> x(n), y(n), want(n);
  for (int i = 0; i < n; ++i) {  // small integers: the float arithmetic is exact
    x[i] = float(i);
    y[i] = float(i % 13);
    want[i] = y[i] + 3.0f * x[i];
  }

  float *device_x = nullptr, *device_y = nullptr;
  check(cudaMalloc(&device_x, bytes));  // 1 allocate
  check(cudaMalloc(&device_y, bytes));

  check(cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice));  // 2 copy in
  check(cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice));

  cudaLaunchConfig_t config{};  // 3 launch: as <<<grid, block>>>, but it returns an error, if the launch has one
  config.gridDim = dim3((n + block_size - 1) / block_size);
  config.blockDim = dim3(block_size);
  check(cudaLaunchKernelEx(&config, scale_and_add, 3.0f, static_cast<const float*>(device_x), device_y, n));
  check(cudaDeviceSynchronize());  // waits for the kernel, and returns an error if it failed while it ran

  check(cudaMemcpy(y.data(), device_y, bytes, cudaMemcpyDeviceToHost));  // 4 copy back

  check(cudaFree(device_x));  // 5 free
  check(cudaFree(device_y));

  const bool right = y == want;
  std::printf("%d elements: %s\n", n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
