// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lookup table where it costs least: up to 128 bytes in the registers of a warp, one 4-byte entry a lane, asked by a
// shuffle, which no bank conflict slows; beyond that in shared memory.
// Source: the warp shuffle functions of NVIDIA's "CUDA C++ Programming Guide".
#include <gpuprim/core/shared.cuh>
#include <gpuprim/launch/launch.cuh>

#include <cstdio>
#include <vector>

constexpr int largest_in_registers = 32, largest_in_shared = 1024, block_size = 160;

// [kernels]
__global__ void lookup_in_registers(const float* table, int entries, const int* index, int n, float* out) {
  const int lane = int(threadIdx.x % 32);
  const float entry = lane < entries ? table[lane] : 0.0f;
  const int first = int(blockIdx.x * blockDim.x + threadIdx.x) - lane;  // the same for the whole warp, as is `start`
  for (int start = first; start < n; start += int(gridDim.x * blockDim.x)) {
    const int i = start + lane;
    const int wanted = i < n ? index[i] : 0;  // a lane beyond the end still answers the others
    const float found = __shfl_sync(0xffffffffu, entry, wanted);
    if (i < n) out[i] = found;
  }
}

__global__ void lookup_in_shared(const float* table, int entries, const int* index, int n, float* out) {
  GPUPRIM_SHARED(copy, float[largest_in_shared]);
  for (int i = int(threadIdx.x); i < entries; i += int(blockDim.x)) copy[i] = table[i];
  __syncthreads();
  const int threads = int(gridDim.x * blockDim.x);
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += threads) out[i] = copy[index[i]];
}

cudaError_t lookup(const float* table, int entries, const int* index, int n, float* out, cudaStream_t stream) {
  if (entries < 1 || entries > largest_in_shared) return cudaErrorInvalidValue;
  const auto kernel = entries <= largest_in_registers ? lookup_in_registers : lookup_in_shared;
  return gpuprim::launch(kernel, 7, block_size, stream, table, entries, index, n, out);
}
// [kernels]

template <class T>
cudaError_t upload(const std::vector<T>& from, T*& to) {
  if (cudaError_t e = cudaMalloc(&to, from.size() * sizeof(T))) return e;
  return cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
}

bool check(int entries, int n) {
  std::vector<float> table, want, got(std::size_t(n), -1.0f);
  std::vector<int> index;
  for (int i = 0; i < entries; ++i) table.push_back(float(i * i % 977) / 8);
  for (int i = 0; i < n; ++i) {
    index.push_back(int(unsigned(i) * 2654435761u % unsigned(entries)));
    want.push_back(table[index.back()]);
  }
  float *device_table = nullptr, *out = nullptr;
  int* device_index = nullptr;
  cudaError_t e = upload(table, device_table);
  if (e == cudaSuccess) e = upload(index, device_index);
  if (e == cudaSuccess) e = upload(got, out);
  if (e == cudaSuccess) e = lookup(device_table, entries, device_index, n, out, nullptr);
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  (void)cudaFree(device_table);
  (void)cudaFree(device_index);
  (void)cudaFree(out);
  const bool right = e == cudaSuccess && got == want;
  std::printf("%d entries in %s, %d lookups: %s (%s)\n", entries,
              entries <= largest_in_registers ? "registers" : "shared memory", n, right ? "right" : "WRONG",
              cudaGetErrorString(e));
  return right;
}

int main() {
  bool right = true;
  for (int entries : {1, 5, 31, 32, 33, 256, 1023, largest_in_shared}) {
    for (int n : {1, 33, 4999}) right &= check(entries, n);
  }
  return right ? 0 : 1;
}
