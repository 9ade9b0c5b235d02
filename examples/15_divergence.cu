// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even elements take one formula, odd ones another: chosen by thread (every warp runs both paths), by warp (each warp
// runs one; its lanes take every second element) and by a predicate (no branch). Three kernels, one result.
// Source: the warp-divergence chapter of "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <vector>

__host__ __device__ inline unsigned even_formula(unsigned x) { return 3 * x + 1; }
__host__ __device__ inline unsigned odd_formula(unsigned x) { return x * x + 7; }

// [kernels]
__global__ void by_thread(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (i % 2 == 0) out[i] = even_formula(in[i]);
  else out[i] = odd_formula(in[i]);
}

__global__ void by_warp(const unsigned* in, int n, unsigned* out) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int lane = thread % 32, odd = thread / 32 % 2;
  const int i = thread / 64 * 64 + 2 * lane + odd;  // two warps share 64 elements
  if (i >= n) return;
  if (odd == 0) out[i] = even_formula(in[i]);
  else out[i] = odd_formula(in[i]);
}

__global__ void by_predicate(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const unsigned even = even_formula(in[i]), odd = odd_formula(in[i]);
  out[i] = i % 2 == 0 ? even : odd;
}
// [kernels]

int main() {
  constexpr int n = 10007, block_size = 192, blocks = (n + block_size - 1) / block_size;
  std::vector<unsigned> values(n), want(n), got(n);
  for (unsigned i = 0; i < n; ++i) {
    values[i] = i * 2654435761u;
    want[i] = i % 2 == 0 ? even_formula(values[i]) : odd_formula(values[i]);
  }
  unsigned *in = nullptr, *out = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(unsigned));
  if (e == cudaSuccess) e = cudaMalloc(&out, n * sizeof(unsigned));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  struct {
    const char* name;
    void (*kernel)(const unsigned*, int, unsigned*);
  } const forms[] = {{"by thread", by_thread}, {"by warp", by_warp}, {"by predicate", by_predicate}};
  bool right = true;
  for (const auto& form : forms) {
    if (e == cudaSuccess) e = cudaMemset(out, 0xff, n * sizeof(unsigned));
    if (e == cudaSuccess) e = gpuprim::launch(form.kernel, blocks, block_size, nullptr, in, n, out);
    if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    const bool same = e == cudaSuccess && got == want;
    std::printf("%s: %s (%s)\n", form.name, same ? "right" : "WRONG", cudaGetErrorString(e));
    right &= same;
  }
  (void)cudaFree(in);
  (void)cudaFree(out);
  return right ? 0 : 1;
}
