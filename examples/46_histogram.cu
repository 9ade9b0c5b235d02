// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms with the library: of one array by even bins and between levels, and of the colours of an image.
#include <gpuprim/histogram.cuh>

#include <cstdio>
#include <vector>

int main() {
  constexpr int n = 30011, bins = 20, ranges = 4, width = 130, height = 50, values = 256;
  std::vector<float> samples;
  std::vector<unsigned char> pixels;
  for (int i = 0; i < n; ++i) samples.push_back(float(unsigned(i) * 2654435761u >> 8) * 0x1p-24f * 1.25f);
  for (int i = 0; i < 4 * width * height; ++i) pixels.push_back(static_cast<unsigned char>(i * i >> 4));
  const std::vector<float> bounds = {0.0f, 0.01f, 0.1f, 0.5f, 1.0f};  // one more than there are bins

  float *in = nullptr, *levels = nullptr;
  unsigned char* image = nullptr;
  unsigned* counts = nullptr;
  std::vector<unsigned> got(bins + ranges + 3 * values);
  cudaError_t e = cudaMalloc(&in, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&levels, bounds.size() * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&image, pixels.size());
  if (e == cudaSuccess) e = cudaMalloc(&counts, got.size() * sizeof(unsigned));
  if (e == cudaSuccess) e = cudaMemcpy(in, samples.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(levels, bounds.data(), bounds.size() * sizeof(float), cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(image, pixels.data(), pixels.size(), cudaMemcpyHostToDevice);

  unsigned *between = counts + bins, *red = between + ranges, *green = red + values, *blue = green + values;
  // [calls]
  if (e == cudaSuccess) e = gpuprim::histogram(in, n, counts, gpuprim::even_bins{bins, 0.0f, 1.0f});
  if (e == cudaSuccess) e = gpuprim::histogram(in, n, between, gpuprim::bin_ranges{levels, ranges});
  if (e == cudaSuccess) {  // the first three of four channels
    e = gpuprim::histogram<4>(image, width * height, std::array{red, green, blue}, gpuprim::even_bins{values, 0, 256});
  }
  // [calls]
  if (e == cudaSuccess) e = cudaMemcpy(got.data(), counts, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (void* p :
       {static_cast<void*>(in), static_cast<void*>(levels), static_cast<void*>(image), static_cast<void*>(counts)}) {
    (void)cudaFree(p);
  }

  std::vector<unsigned> want(got.size());
  int outside = 0;
  for (float x : samples) {
    if (!(x < 1.0f)) {  // in no bin
      ++outside;
      continue;
    }
    ++want[std::size_t(x * float(bins))];
    std::size_t range = 0;
    while (bounds[range + 1] <= x) ++range;
    ++want[bins + range];
  }
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (i % 4 < 3) ++want[bins + ranges + i % 4 * values + pixels[i]];
  }
  const bool right = got == want;
  std::printf("%d samples, %d outside, and %d pixels: %s (%s)\n", n, outside, width * height, right ? "right" : "wrong",
              cudaGetErrorString(e));
  return e == cudaSuccess && right ? 0 : 1;
}
