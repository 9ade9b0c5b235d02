// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 32 x 32 transpose in the registers of a warp: five rounds of exchanges with a lane one bit away, no shared memory.
// Good where each lane has read a column and needs a row: both the reads and the writes are coalesced.
// Source: Warren, "Hacker's Delight", transposing a bit matrix; the same recursion, with lanes for rows.
#include <gpuprim/launch/launch.cuh>

#include <cstdint>
#include <cstdio>
#include <vector>

// [transpose]
// Lane c holds column c of a 32 x 32 tile: rows[r]. Afterwards rows[r] of lane c is what rows[c] of lane r was.
__device__ void transpose_in_warp(float (&rows)[32]) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned bit = 1; bit < 32; bit *= 2) {
    const bool has_bit = (lane & bit) != 0;
#pragma unroll
    for (unsigned r = 0; r < 32; ++r) {
      if (r & bit) continue;  // r and r | bit are handled together
      const float sent = has_bit ? rows[r] : rows[r | bit];
      const float received = __shfl_xor_sync(0xffffffffu, sent, int(bit));
      if (has_bit) rows[r] = received;
      else rows[r | bit] = received;
    }
  }
}
// [transpose]

__global__ void transpose(const float* in, int height, int width, float* out) {
  const int lane = int(threadIdx.x) % 32;
  const std::int64_t tile = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32, across = (width + 31) / 32;
  const std::int64_t top = tile / across * 32, left = tile % across * 32;  // 64 bits: places in the matrix follow
  if (top >= height) return;                                               // a whole warp leaves, or none of its lanes
  float rows[32];
#pragma unroll
  for (int r = 0; r < 32; ++r) {
    rows[r] = top + r < height && left + lane < width ? in[(top + r) * width + left + lane] : 0.0f;
  }
  transpose_in_warp(rows);
#pragma unroll
  for (int r = 0; r < 32; ++r) {
    if (left + r < width && top + lane < height) out[(left + r) * height + top + lane] = rows[r];
  }
}

int main() {
  constexpr int height = 101, width = 203, n = height * width, block_size = 128;
  constexpr int tiles = ((height + 31) / 32) * ((width + 31) / 32), warps = block_size / 32;
  std::vector<float> values(n), got(n), want(n);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) values[y * width + x] = want[x * height + y] = float(y * width + x);
  }
  float *in = nullptr, *out = nullptr;
  cudaError_t e = cudaMalloc(&in, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&out, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    e = gpuprim::launch(transpose, (tiles + warps - 1) / warps, block_size, nullptr, in, height, width, out);
  }
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  (void)cudaFree(in);
  (void)cudaFree(out);
  const bool right = got == want;
  std::printf("%d x %d transposed in %d tiles: %s (%s)\n", height, width, tiles, right ? "right" : "wrong",
              cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
