// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms with the library: of one array by even bins and between levels, and of the colours of an image.
#include <gpuprim/histogram.cuh>

#include "../measure.hpp"

int main() {
  constexpr int n = 30011, bins = 20, ranges = 4, width = 130, height = 50, values = 256;
  std::vector<float> samples;
  std::vector<unsigned char> pixels;
  for (int i = 0; i < n; ++i) samples.push_back(float(unsigned(i) * 2654435761u >> 8) * 0x1p-24f * 1.25f);
  for (int i = 0; i < 4 * width * height; ++i) pixels.push_back(static_cast<unsigned char>(i * i >> 4));
  const std::vector<float> bounds = {0.0f, 0.01f, 0.1f, 0.5f, 1.0f};  // one more than there are bins

  const measure::device_array<float> device_samples(samples), device_bounds(bounds);
  const measure::device_array<unsigned char> device_pixels(pixels);
  const measure::device_array<unsigned> results(bins + ranges + 3 * values);
  const float *in = device_samples.data(), *levels = device_bounds.data();
  const unsigned char* image = device_pixels.data();
  unsigned *counts = results.data(), *between = counts + bins;
  unsigned *red = between + ranges, *green = red + values, *blue = green + values;
  cudaError_t e = cudaSuccess;
  // [calls]
  if (e == cudaSuccess) e = gpuprim::histogram(in, n, counts, gpuprim::even_bins{bins, 0.0f, 1.0f});
  if (e == cudaSuccess) e = gpuprim::histogram(in, n, between, gpuprim::bin_ranges{levels, ranges});
  if (e == cudaSuccess) {  // the first three of four channels
    e = gpuprim::histogram<4>(image, width * height, std::array{red, green, blue}, gpuprim::even_bins{values, 0, 256});
  }
  // [calls]

  const std::vector<unsigned> got = results.on_host();
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
