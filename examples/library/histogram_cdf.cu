// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histogram equalisation: a dull image uses few levels of grey, and an equalised one all of them about equally. The
// prefix sum of the histogram says how many pixels are not brighter than each level, which is the cumulative
// distribution of the levels; a pixel's new level is that share of the whole range.
#include <gpuprim/histogram.cuh>
#include <gpuprim/scan.cuh>

#include <gpuprim/launch/launch.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

using level = unsigned char;
constexpr int levels = 256;

__host__ __device__ level equalised(unsigned not_brighter, int n) {
  return level(std::uint64_t(not_brighter) * (levels - 1) / unsigned(n));
}

__global__ void equalise(level* pixels, int n, const unsigned* not_brighter) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) pixels[i] = equalised(not_brighter[pixels[i]], n);
}

int main(int count, char** arguments) {
  using measure::check;
  const int n = measure::size_to_run(count, arguments, 50000), block_size = 256;
  std::vector<level> image;  // sums of two random levels: those in the middle are frequent
  for (int i = 0; i < n; ++i) {
    const unsigned random = unsigned(i) * 2654435761u;
    image.push_back(level(80 + (random >> 27) + (random >> 16) % 32));
  }
  const measure::device_array<level> pixels(image);
  const measure::device_array<unsigned> counts(levels);

  // [calls]
  check(gpuprim::histogram(pixels.data(), n, counts.data(), gpuprim::even_bins{levels, 0, levels}));
  check(gpuprim::inclusive_scan(counts.data(), levels, counts.data(), gpuprim::plus{}));  // in place
  check(gpuprim::launch(equalise, (n - 1) / block_size + 1, block_size, nullptr, pixels.data(), n, counts.data()));
  // [calls]

  std::vector<unsigned> not_brighter(levels);
  for (const level value : image) ++not_brighter[value];
  for (std::size_t i = 1; i < levels; ++i) not_brighter[i] += not_brighter[i - 1];
  std::vector<level> want;
  for (const level value : image) want.push_back(equalised(not_brighter[value], n));
  const std::vector<level> got = pixels.on_host();
  const bool right = got == want;
  const auto [darkest, brightest] = std::minmax_element(image.begin(), image.end());
  const auto [new_darkest, new_brightest] = std::minmax_element(got.begin(), got.end());
  std::printf("%d pixels of levels %d to %d are spread from %d to %d: %s\n", n, *darkest, *brightest, *new_darkest,
              *new_brightest, right ? "right" : "wrong");
  return right ? 0 : 1;
}
