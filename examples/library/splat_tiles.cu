// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The splats that lie over each tile of an image, from the nearest to the farthest: what a renderer of Gaussian splats
// finds before it blends the splats of a tile in that order. A splat makes a pair with each tile that it lies over. The
// scan of the numbers of tiles says where the pairs of each splat begin, and a pair finds its splat by a search in
// these offsets, so that a large splat is not the work of one thread. A sort by tile and depth brings the pairs of a
// tile together, and a search for each tile finds where they begin.
// Source: Kerbl, Kopanas, Leimkuehler and Drettakis, "3D Gaussian splatting for real-time radiance field rendering",
// 2023.
#include <gpuprim/core/fancy_iterators.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int columns = 40, rows = 23, tiles = columns * rows;  // of 16 x 16 pixels

/// A splat in the image: its middle and its radius in pixels, and how far away it is.
struct splat {
  float x, y, radius, depth;
};

/// The tiles that a splat lies over; none where it is outside of the image.
struct rectangle {
  int left, top, width, height;
};

/// The tile of a pixel in a row or column of tiles; `most` behind the last of them.
__host__ __device__ int tile_of(float pixel, int most) { return int(fminf(fmaxf(floorf(pixel / 16), 0), float(most))); }

__host__ __device__ rectangle tiles_of(const splat& s) {
  const int left = tile_of(s.x - s.radius, columns), right = tile_of(s.x + s.radius + 16, columns);
  const int top = tile_of(s.y - s.radius, rows), bottom = tile_of(s.y + s.radius + 16, rows);
  return {left, top, right - left, bottom - top};
}

struct count_tiles {
  __host__ __device__ int operator()(const splat& s) const { return tiles_of(s).width * tiles_of(s).height; }
};

// [pair]
struct pair_key {
  std::uint16_t tile;
  float depth;
};

/// The key and the splat of pair i.
struct make_pair {
  const splat* splats;
  const int* offsets;  // of the pairs of each splat
  int n;

  __host__ __device__ gpuprim::tuple<pair_key, int> operator()(int i) const {
    const int at = gpuprim::thread_upper_bound(offsets, n, i) - 1;  // the last splat that begins up to here
    const rectangle over = tiles_of(splats[at]);
    const int k = i - offsets[at], tile = (over.top + k / over.width) * columns + over.left + k % over.width;
    return {pair_key{std::uint16_t(tile), splats[at].depth}, at};
  }
};
// [pair]

/// What pairs are sorted by.
struct tile_and_depth {
  __host__ __device__ gpuprim::tuple<std::uint16_t, float> operator()(const pair_key& k) const {
    return {k.tile, k.depth};
  }
};

struct tile_is_less {
  __host__ __device__ bool operator()(const pair_key& k, int tile) const { return k.tile < tile; }
  __host__ __device__ bool operator()(int tile, const pair_key& k) const { return tile < k.tile; }
};

int main(int count, char** arguments) {
  using measure::check;
  const int n = measure::size_to_run(count, arguments, 5000, 1 << 20);
  std::vector<splat> all;
  for (int i = 0; i < n; ++i) {
    const unsigned random = unsigned(i) * 2654435761u ^ unsigned(i) * 40503u >> 5;
    const float radius = i % 100 == 0 ? 120 : float(1 + random % 20);
    all.push_back({float(random >> 8 & 1023) - 100, float(random >> 18 & 511) - 50, radius, float(random % 50) / 4});
  }
  const measure::device_array<splat> splat_array(all);
  const measure::device_array<int> offset_array(all.size() + 1), range_array(tiles + 1);
  const splat* const splats = splat_array.data();
  int *const offsets = offset_array.data(), *const ranges = range_array.data();

  // [offsets]
  // Where the pairs of each splat begin, and how many there are in all, which the host has to know for their memory.
  int pairs = 0;
  check(gpuprim::transform_exclusive_scan(splats, n, gpuprim::with_total(offsets, offsets + n), gpuprim::plus{},
                                          count_tiles{}));
  check(cudaMemcpy(&pairs, offsets + n, sizeof pairs, cudaMemcpyDeviceToHost));
  // [offsets]
  const measure::device_array<pair_key> key_array{std::size_t(pairs)};
  const measure::device_array<int> splat_of_pair{std::size_t(pairs)};
  pair_key* const keys = key_array.data();
  int* const splat_of = splat_of_pair.data();
  // [pairs]
  // The pairs, sorted in place. The splats of tile t are splat_of[ranges[t]] to splat_of[ranges[t + 1] - 1].
  const gpuprim::positions<int> numbers;  // 0, 1, 2, ...: those of the pairs, and those of the tiles
  check(gpuprim::transform(numbers, pairs, gpuprim::outputs(keys, splat_of), make_pair{splats, offsets, n}));
  check(gpuprim::sort_pairs(keys, splat_of, pairs, keys, splat_of, gpuprim::ascending.by(tile_and_depth{})));
  check(gpuprim::lower_bound(keys, pairs, numbers, tiles + 1, ranges, tile_is_less{}));
  // [pairs]

  std::vector<std::vector<int>> lists(tiles);
  for (int i = 0; i < n; ++i) {
    const auto [left, top, width, height] = tiles_of(all[std::size_t(i)]);
    for (int y = top; y < top + height; ++y) {
      for (int x = left; x < left + width; ++x) lists[std::size_t(y * columns + x)].push_back(i);
    }
  }
  std::vector<int> want, want_ranges{0};
  for (std::vector<int>& list : lists) {
    std::stable_sort(list.begin(), list.end(),
                     [&](int a, int b) { return all[std::size_t(a)].depth < all[std::size_t(b)].depth; });
    want.insert(want.end(), list.begin(), list.end());
    want_ranges.push_back(int(want.size()));
  }
  const bool right = range_array.on_host() == want_ranges && splat_of_pair.on_host() == want;
  std::printf("%d splats over %d tiles make %d pairs: %s\n", n, tiles, pairs, right ? "right" : "wrong");
  return right ? 0 : 1;
}
