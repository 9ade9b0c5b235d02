// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array in chunks over three streams: while one chunk is computed, the next can be copied in and the one before out.
// For that the host memory must be pinned, and the streams must not wait for the default stream.
// Source: "Asynchronous and Overlapping Transfers with Computation" in NVIDIA's "CUDA C++ Best Practices Guide".
#include <gpuprim/launch/launch.cuh>

#include <algorithm>
#include <cstdio>

__host__ __device__ inline unsigned scramble(unsigned x) { return (x ^ x >> 15) * 2246822519u; }

__global__ void compute(const unsigned* in, int n, unsigned* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = scramble(in[i]);
}

constexpr int streams = 3;

// [chunks]
cudaError_t process(const unsigned* host_in, unsigned* host_out, int n, int chunk, unsigned* device_in,
                    unsigned* device_out, const cudaStream_t (&stream)[streams]) {
  constexpr int block_size = 256;
  for (int first = 0, turn = 0; first < n; first += chunk, ++turn) {
    const int count = std::min(chunk, n - first);  // the last chunk may be shorter
    const std::size_t bytes = std::size_t(count) * sizeof(unsigned);
    unsigned *in = device_in + first, *out = device_out + first;
    const cudaStream_t s = stream[turn % streams];
    const int blocks = (count + block_size - 1) / block_size;
    cudaError_t e = cudaMemcpyAsync(in, host_in + first, bytes, cudaMemcpyHostToDevice, s);
    if (e == cudaSuccess) e = gpuprim::launch(compute, blocks, block_size, s, in, count, out);
    if (e == cudaSuccess) {
      e = cudaMemcpyAsync(host_out + first, out, bytes, cudaMemcpyDeviceToHost, s);
    }
    if (e != cudaSuccess) return e;
  }
  for (cudaStream_t s : stream) {
    if (cudaError_t e = cudaStreamSynchronize(s)) return e;
  }
  return cudaSuccess;
}
// [chunks]

int main() {
  constexpr int n = 20011;
  constexpr std::size_t bytes = n * sizeof(unsigned);
  unsigned *host_in = nullptr, *host_out = nullptr, *device_in = nullptr, *device_out = nullptr;
  cudaStream_t stream[streams] = {};
  cudaError_t e = cudaMallocHost(&host_in, bytes);
  if (e == cudaSuccess) e = cudaMallocHost(&host_out, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&device_in, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&device_out, bytes);
  for (cudaStream_t& s : stream) {
    if (e == cudaSuccess) e = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  }
  bool right = true;
  for (int chunk : {n, 6007, 1001, 333}) {
    if (e == cudaSuccess) {
      for (int i = 0; i < n; ++i) host_in[i] = unsigned(i * 7 + chunk);
      std::fill_n(host_out, n, 0u);
      e = process(host_in, host_out, n, chunk, device_in, device_out, stream);
    }
    bool same = e == cudaSuccess;
    for (int i = 0; same && i < n; ++i) same = host_out[i] == scramble(unsigned(i * 7 + chunk));
    std::printf("chunks of %d: %s (%s)\n", chunk, same ? "right" : "WRONG", cudaGetErrorString(e));
    right &= same;
  }
  (void)cudaDeviceSynchronize();  // after an error, a copy may still be under way
  for (cudaStream_t s : stream) {
    if (s != nullptr) (void)cudaStreamDestroy(s);
  }
  (void)cudaFree(device_in);
  (void)cudaFree(device_out);
  (void)cudaFreeHost(host_in);
  (void)cudaFreeHost(host_out);
  return right ? 0 : 1;
}
