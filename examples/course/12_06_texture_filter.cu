// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear filtering: between the centres of texels a texture interpolates, in one and two dimensions, for free. Its
// weights have only 8 bits after the point, so it is good for images and tables that may be coarse; the largest
// difference from exact weights is shown, in steps of 1/256 of the difference of neighbours.
// GPU only: the SIMT device has no textures.
// Source: "Texture Memory" in NVIDIA's "CUDA C++ Best Practices Guide"; "Texture Fetching" in its "Programming Guide".
#include "texture.hpp"

using namespace course;

constexpr int width = 16, height = 8, samples_across = 301, samples_down = 153, block_x = 32, block_y = 8;

__host__ __device__ inline float x_of(int i) { return float(i) * (float(width) / samples_across); }
__host__ __device__ inline float y_of(int i) { return float(i) * (float(height) / samples_down); }

// [kernel]
__global__ void sample(cudaTextureObject_t image, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x), j = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (i < samples_across && j < samples_down) out[j * samples_across + i] = tex2D<float>(image, x_of(i), y_of(j));
}
// [kernel]

/// What exact weights give; past the border the nearest texel.
double interpolated(const std::vector<float>& texels, double x, double y) {
  const auto at = [&](int i, int j) {
    return double(texels[std::clamp(j, 0, height - 1) * width + std::clamp(i, 0, width - 1)]);
  };
  const int i = int(std::floor(x - 0.5)), j = int(std::floor(y - 0.5));
  const double a = x - 0.5 - i, b = y - 0.5 - j;
  return (1 - b) * ((1 - a) * at(i, j) + a * at(i + 1, j)) + b * ((1 - a) * at(i, j + 1) + a * at(i + 1, j + 1));
}

int main() {
  std::vector<float> texels;
  for (int i = 0; i < width * height; ++i) texels.push_back(float((i * 11 + i / width) % 2));  // neighbours differ by 1
  const image<float> source(width, height, texels);
  const device_array<float> out(samples_across * samples_down);
  const dim3 block(block_x, block_y);
  const dim3 grid(unsigned(blocks_for(samples_across, block_x)), unsigned(blocks_for(samples_down, block_y)));
  bool right = true;
  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = cudaReadModeElementType;
    const texture view(source, how);
    out.poison();
    sample<<<grid, block>>>(view, out.data());
    check(cudaGetLastError());
    const std::vector<float> got = out.on_host();
    double worst = 0;
    for (int j = 0; j < samples_down; ++j) {
      for (int i = 0; i < samples_across; ++i) {
        const double x = double(x_of(i)), y = double(y_of(j));
        const double want =
            filter == cudaFilterModePoint ? double(texels[int(y) * width + int(x)]) : interpolated(texels, x, y);
        worst = std::max(worst, std::fabs(double(got[std::size_t(j * samples_across + i)]) - want));
      }
    }
    std::printf("%s: largest difference %.2f steps of 1/256\n",
                filter == cudaFilterModePoint ? "the texel around a place" : "linear", 256 * worst);
    right &= worst <= (filter == cudaFilterModePoint ? 0.0 : 2.5 / 256);  // one step a dimension, and rounding
  }
  return verdict(right);
}
