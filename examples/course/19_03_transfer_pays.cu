// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a transfer pay? Adding two N x N matrices is one operation for three elements that cross the bus, whatever N is;
// multiplying them is 2 N operations for the same three, so 2 N / 3 for each. The product pays from some N on. The sum
// pays only if one core of the host adds more slowly than the bus moves the three matrices, which the rates show: bytes
// of the three matrices over the time. Times of the GPU contain the copies; those of the host are of one core, the
// median of the sums and one run of the product.
// Source: "Heterogeneous Computing" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int edge = 16;  // of a block

__global__ void add(const float* a, const float* b, int n, float* c) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < n && y < n) c[y * n + x] = a[y * n + x] + b[y * n + x];
}

__global__ void multiply(const float* a, const float* b, int n, float* c) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

void add_on_host(const float* a, const float* b, int n, float* c) {
  for (int i = 0; i < n * n; ++i) c[i] = a[i] + b[i];
}

void multiply_on_host(const float* a, const float* b, int n, float* c) {
  std::fill_n(c, n * n, 0.0f);
  for (int y = 0; y < n; ++y) {
    for (int k = 0; k < n; ++k) {
      for (int x = 0; x < n; ++x) c[y * n + x] += a[y * n + k] * b[k * n + x];
    }
  }
}

int main(int count, char** arguments) {
  const int largest = size_to_run(count, arguments, usual_size(40, 1024), 4096);
  bool right = true;
  for (const bool product : {false, true}) {
    for (int n = std::max(1, largest / 16); n <= largest; n *= 4) {
      const std::size_t elements = std::size_t(n) * n, bytes = elements * sizeof(float);
      const pinned_array<float> a(elements), b(elements), c(elements);
      const device_array<float> device_a(elements), device_b(elements), device_c(elements);
      for (int i = 0; i < n * n; ++i) a[i] = float(i % 7), b[i] = float(i % 5);  // small: all sums are exact
      const dim3 block(edge, edge), grid(unsigned(blocks_for(n, edge)), unsigned(blocks_for(n, edge)));
      const double gpu = host_time_us([&] {
        check(cudaMemcpyAsync(device_a.data(), a.data(), bytes, cudaMemcpyHostToDevice));
        check(cudaMemcpyAsync(device_b.data(), b.data(), bytes, cudaMemcpyHostToDevice));
        if (product) {
          multiply<<<grid, block>>>(device_a.data(), device_b.data(), n, device_c.data());
        } else {
          add<<<grid, block>>>(device_a.data(), device_b.data(), n, device_c.data());
        }
        check(cudaMemcpyAsync(c.data(), device_c.data(), bytes, cudaMemcpyDeviceToHost));
      });
      std::vector<float> want(elements);
      const double begin = host_us();
      (product ? multiply_on_host : add_on_host)(a.data(), b.data(), n, want.data());
      double host = host_us() - begin;
      if (!product) host = host_time_us([&] { add_on_host(a.data(), b.data(), n, want.data()); });
      right &= std::equal(want.begin(), want.end(), c.begin());
      std::printf("%s, N = %4d: GPU with copies %s (%s), host %s (%s), %s\n", product ? "product" : "sum", n,
                  figure(gpu, "us").c_str(), rate(3.0 * double(bytes), gpu).c_str(), figure(host, "us").c_str(),
                  rate(3.0 * double(bytes), host).c_str(), figure(host / gpu, "times").c_str());
    }
  }
  return verdict(right);
}
