// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a texture gives outside of the image, without a branch in the kernel: the nearest texel (clamp), zero (border),
// the image again (wrap), or its mirror image (mirror). Wrap and mirror need normalised coordinates.
// GPU only: the SIMT device has no textures.
// Source: "Texture Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "texture.hpp"

using namespace course;

constexpr int width = 10, from = -25, to = 35;  // in texels

// [kernel]
__global__ void read_row(cudaTextureObject_t image, float* out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < to - from) out[i] = tex2D<float>(image, (float(from + i) + 0.5f) / width, 0.5f);
}
// [kernel]

/// The texel that stands for place i, or -1 for zero.
int texel(cudaTextureAddressMode mode, int i) {
  const int turn = i >= 0 ? i / width : -((width - 1 - i) / width), within = i - turn * width;
  if (mode == cudaAddressModeClamp) return std::clamp(i, 0, width - 1);
  if (mode == cudaAddressModeBorder) return turn == 0 ? i : -1;
  return mode == cudaAddressModeWrap || turn % 2 == 0 ? within : width - 1 - within;
}

int main() {
  constexpr int block_size = 128;
  std::vector<float> texels;
  for (int i = 0; i < width; ++i) texels.push_back(float(i + 1));
  const image<float> source(width, 1, texels);
  const device_array<float> out(to - from);
  const struct {
    const char* name;
    cudaTextureAddressMode mode;
  } cases[] = {{"clamp", cudaAddressModeClamp},
               {"border", cudaAddressModeBorder},
               {"wrap", cudaAddressModeWrap},
               {"mirror", cudaAddressModeMirror}};
  bool right = true;
  for (const auto& c : cases) {
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = c.mode;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 1;
    const texture view(source, how);
    out.poison();
    read_row<<<blocks_for(to - from, block_size), block_size>>>(view, out.data());
    check(cudaGetLastError());
    const std::vector<float> got = out.on_host();
    std::printf("%6s:", c.name);
    for (int i = from; i < to; ++i) {
      const int want = texel(c.mode, i);
      right &= got[i - from] == (want < 0 ? 0 : texels[want]);
      if (i >= -width && i < 2 * width) std::printf("%s%.0f", i % width == 0 ? " | " : " ", double(got[i - from]));
    }
    std::printf("\n");
  }
  return verdict(right);
}
