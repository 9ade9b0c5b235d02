// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image keeps texels that are near in two dimensions near in memory. Threads that read along rows, along columns or
// along diagonals through a texture touch about as many lines of the cache; from an ordinary array, rows are read
// whole, and a column takes a line for each element.
// GPU only: the SIMT device has no textures and no caches.
// Source: "Texture Memory" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "texture.hpp"

using namespace course;

constexpr int block_size = 256;

struct from_texture {
  cudaTextureObject_t image;
  __device__ float operator()(int x, int y, int) const { return tex2D<float>(image, float(x) + 0.5f, float(y) + 0.5f); }
};
struct from_array {
  const float* data;
  __device__ float operator()(int x, int y, int width) const { return data[y * width + x]; }
};

// [kernel]
/// Thread t of line l reads (t, l), (l, t), or (t, (t + l) % size): along a row, a column, a diagonal.
template <class Source>
__global__ void walk(Source source, int direction, int size, float* out) {
  const int t = int(blockIdx.x * blockDim.x + threadIdx.x), line = int(blockIdx.y);
  if (t >= size) return;
  const int x = direction == 1 ? line : t, y = direction == 0 ? line : direction == 1 ? t : (t + line) % size;
  out[line * size + t] = source(x, y, size);
}
// [kernel]

int main(int count, char** arguments) {
  const int size = size_to_run(count, arguments, usual_size(67, 8192), 1 << 14);
  std::vector<float> values;
  for (int i = 0; i < size * size; ++i) values.push_back(float(i % 65521));
  const image<float> picture(size, size, values);
  const texture view(picture, cudaTextureDesc{});
  const device_array<float> array(values), out(values.size());
  const dim3 grid(unsigned(blocks_for(size, block_size)), unsigned(size));
  const char* names[] = {"rows", "columns", "diagonals"};
  bool right = true;
  for (int direction = 0; direction < 3; ++direction) {
    double us[2];
    for (int form = 0; form < 2; ++form) {
      out.poison();
      us[form] = time_us([&] {
        if (form == 0) {
          walk<<<grid, block_size>>>(from_texture{view}, direction, size, out.data());
        } else {
          walk<<<grid, block_size>>>(from_array{array.data()}, direction, size, out.data());
        }
      });
      const std::vector<float> got = out.on_host();
      for (int line = 0; line < size; ++line) {
        for (int t = 0; t < size; ++t) {
          const int x = direction == 1 ? line : t, y = direction == 0 ? line : direction == 1 ? t : (t + line) % size;
          right &= got[std::size_t(line) * size + t] == values[std::size_t(y) * size + x];
        }
      }
    }
    const double bytes = 8.0 * size * size;
    std::printf("%d x %d along %s: texture %s, array %s\n", size, size, names[direction], rate(bytes, us[0]).c_str(),
                rate(bytes, us[1]).c_str());
  }
  return verdict(right);
}
