// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that also runs where there is no GPU, no driver, or one that is too old: it asks first, says what it found,
// and does the work on the host. A driver runs programs of its own toolkit's version and of older ones, and within one
// major version also those of newer ones that need nothing new of it.
//   21_05_fallback [host]      as if there were no GPU
// Source: "Understanding the CUDA Computing Environment" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <string>

using namespace course;

constexpr int block_size = 256;

__host__ __device__ inline float scaled(float x) { return 3 * x; }

__global__ void scale(float* data, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] = scaled(data[i]);
}

// [ask]
/// Empty if there is a GPU to use, or why not.
std::string why_no_gpu() {
  int runtime = 0, driver = 0, devices = 0;
  check(cudaRuntimeGetVersion(&runtime));
  check(cudaDriverGetVersion(&driver));  // 0 where there is none
  std::printf("runtime %d.%d, driver %d.%d\n", runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
  if (driver == 0) return "there is no driver";
  if (driver / 1000 < runtime / 1000) return "the driver is of an older major version";
  const cudaError_t e = cudaGetDeviceCount(&devices);
  if (e != cudaSuccess) return cudaGetErrorString(e);
  if (devices == 0) return "there is no device";
  cudaFuncAttributes attributes{};  // a device for which the program has no code is found here
  const cudaError_t no_code = cudaFuncGetAttributes(&attributes, scale);
  return no_code == cudaSuccess ? "" : cudaGetErrorString(no_code);
}
// [ask]

void scale_on_gpu(std::vector<float>& values) {
  const device_array<float> data(values);
  scale<<<blocks_for(std::int64_t(values.size()), block_size), block_size>>>(data.data(), int(values.size()));
  check(cudaGetLastError());
  values = data.on_host();
}

int main(int count, char** arguments) {
  std::string why_not = why_no_gpu();
  if (count > 1 && std::string(arguments[1]) == "host") why_not = "that was asked for";
  std::vector<float> values;
  for (int i = 0; i < 5003; ++i) values.push_back(float(i));
  if (why_not.empty()) {
    std::printf("on the GPU\n");
    scale_on_gpu(values);
  } else {
    std::printf("on the host: %s\n", why_not.c_str());
    for (float& x : values) x = scaled(x);
  }
  bool right = true;
  for (int i = 0; i < 5003; ++i) right &= values[i] == 3 * float(i);
  return verdict(right);
}
