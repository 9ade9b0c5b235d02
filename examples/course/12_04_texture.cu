// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A texture object converts what it reads: 8-bit integers come as floats from 0 to 1 (or -1 to 1 where they are
// signed), for no instruction of the kernel. Coordinates count texels, or are normalised: 0 to 1 across the image,
// whatever its size. The centre of texel i lies at i + 0.5.
// GPU only: the SIMT device has no textures.
// Source: "Texture Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "texture.hpp"

using namespace course;

// [kernel]
__global__ void read_texels(cudaTextureObject_t image, int width, int height, float x_step, float y_step, float* out) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) {
    out[y * width + x] = tex2D<float>(image, (float(x) + 0.5f) * x_step, (float(y) + 0.5f) * y_step);
  }
}
// [kernel]

template <class T>
bool show(const char* name, float largest) {
  constexpr int width = 37, height = 19;
  std::vector<T> texels;
  for (int i = 0; i < width * height; ++i) texels.push_back(T(i * 7));
  const image<T> source(width, height, texels);
  const device_array<float> out(texels.size());
  const dim3 block(32, 8), grid(unsigned(blocks_for(width, 32)), unsigned(blocks_for(height, 8)));
  bool right = true;
  for (const bool normalised : {false, true}) {
    cudaTextureDesc how{};
    how.readMode = cudaReadModeNormalizedFloat;
    how.filterMode = cudaFilterModePoint;
    how.normalizedCoords = normalised;
    const texture view(source, how);
    out.poison();
    const float x_step = normalised ? 1.0f / width : 1, y_step = normalised ? 1.0f / height : 1;
    read_texels<<<grid, block>>>(view, width, height, x_step, y_step, out.data());
    check(cudaGetLastError());
    const std::vector<float> got = out.on_host();
    double worst = 0;
    for (std::size_t i = 0; i < texels.size(); ++i) {
      const double want = std::max(-1.0, double(texels[i]) / double(largest));
      worst = std::max(worst, std::fabs(double(got[i]) - want));
    }
    std::printf("%s, coordinates %s: largest difference from the quotient %.1e\n", name,
                normalised ? "from 0 to 1" : "in texels", worst);
    right &= worst <= 0x1p-23;
  }
  return right;
}

int main() {
  bool right = show<unsigned char>("unsigned 8-bit texels", 255) && show<signed char>("signed 8-bit texels", 127);
  right &= show<unsigned short>("unsigned 16-bit texels", 65535);
  return verdict(right);
}
