// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A surface object lets kernels write an image, and read it without conversion. Its x counts bytes, not texels. A read
// outside can give zero. What one kernel writes through a surface, the next one can read through a texture; within one
// kernel a texture may still give what was there before.
// GPU only: the SIMT device has no surfaces.
// Source: "Surface Memory" in NVIDIA's "CUDA C++ Programming Guide".
#include "texture.hpp"

using namespace course;

constexpr int width = 45, height = 23, block_x = 32, block_y = 8;

// [kernel]
__global__ void draw(cudaSurfaceObject_t to) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) surf2Dwrite(float(x * x + y), to, x * int(sizeof(float)), y);
}

__global__ void add_neighbours(cudaSurfaceObject_t from, cudaTextureObject_t above, float* out) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const float left = surf2Dread<float>(from, (x - 1) * int(sizeof(float)), y, cudaBoundaryModeZero);
  const float mine = surf2Dread<float>(from, x * int(sizeof(float)), y, cudaBoundaryModeZero);
  out[y * width + x] = left + mine + tex2D<float>(above, float(x) + 0.5f, float(y) - 0.5f);
}
// [kernel]

int main() {
  const image<float> picture(width, height, cudaArraySurfaceLoadStore);
  const surface canvas(picture);
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
  const texture view(picture, how);
  const device_array<float> out(width * height);
  out.poison();
  const dim3 block(block_x, block_y);
  const dim3 grid(unsigned(blocks_for(width, block_x)), unsigned(blocks_for(height, block_y)));
  draw<<<grid, block>>>(canvas);
  add_neighbours<<<grid, block>>>(canvas, view, out.data());
  check(cudaGetLastError());

  const std::vector<float> drawn = picture.on_host(), sums = out.on_host();
  const auto value = [](int x, int y) { return x < 0 || y < 0 ? 0.0f : float(x * x + y); };
  bool right = true;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      right &= drawn[y * width + x] == value(x, y);
      right &= sums[y * width + x] == value(x - 1, y) + value(x, y) + value(x, y - 1);
    }
  }
  std::printf("%d x %d texels written by one kernel, read by the next through surface and texture\n", width, height);
  return verdict(right);
}
