// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Top-k: the best scores with their positions, the nearest points with their names, structs by a projection, and the
// largest keys of a block in a kernel. Of equal keys those at the lowest positions are taken.
#include <gpuprim/compact.cuh>
#include <gpuprim/top_k.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int block_size = 256, items = 4, tile = block_size * items;

// [kernel]
/// Each block keeps the k largest of its keys, in their order.
__global__ void largest_of_tiles(const float* in, int k, float* out) {
  const gpuprim::this_block block;
  float keys[items];
  for (int i = 0; i < items; ++i) keys[i] = in[blockIdx.x * tile + threadIdx.x * items + i];
  bool taken[items];
  gpuprim::block_top_k<block_size>(block, keys, k, taken);
  gpuprim::block_compact<block_size>(block, keys, taken, out + blockIdx.x * k);
}
// [kernel]

// [projection]
struct point {
  float x, y;
};
struct squared_distance {
  __host__ __device__ float operator()(const point& p) const { return p.x * p.x + p.y * p.y; }
};
// [projection]

/// The positions of the k first keys of a sort that keeps the order of equal ones.
template <class Key, class Before>
std::vector<int> sorted_positions(const std::vector<Key>& keys, int k, Before before) {
  std::vector<int> at(keys.size());
  std::iota(at.begin(), at.end(), 0);
  std::stable_sort(at.begin(), at.end(),
                   [&](int a, int b) { return before(keys[std::size_t(a)], keys[std::size_t(b)]); });
  at.resize(std::size_t(k));
  return at;
}

int main(int count, char** arguments) {
  const int tiles = measure::size_to_run(count, arguments, 40 * tile) / tile + 1, n = tiles * tile, k = 10;
  const std::size_t results = k;
  std::vector<float> scores;
  std::vector<int> distances, names;
  std::vector<point> points;
  for (int i = 0; i < n; ++i) {
    scores.push_back(float((unsigned(i) * 2654435761u) >> 12 & 0xffff) / 65536);
    distances.push_back(int((unsigned(i) * 40503u) >> 3 & 0xfff));
    names.push_back(1000 + 3 * i);
    points.push_back({float(distances.back() % 64 - 20), float(distances.back() / 64 - 30)});
  }
  const measure::device_array<float> device_scores(scores), best(results), of_tiles(std::size_t(tiles) * results);
  const measure::device_array<int> device_distances(distances), device_names(names), positions(results);
  const measure::device_array<int> nearest(results), nearest_names(results);
  const measure::device_array<point> device_points(points), nearest_points(results);
  const float* const in = device_scores.data();

  // [calls]
  // The ten best scores, the best one first, and where they are.
  cudaError_t e = gpuprim::top_k_positions(in, n, k, best.data(), positions.data(), gpuprim::largest.sorted());
  // The ten nearest points, in any order, and their names.
  if (e == cudaSuccess) {
    e = gpuprim::top_k_pairs(device_distances.data(), device_names.data(), n, k, nearest.data(), nearest_names.data(),
                             gpuprim::smallest);
  }
  // [calls]
  // [by]
  // The ten points that are nearest to the origin, the nearest one first.
  const auto order = gpuprim::smallest.by(squared_distance{}).sorted();
  if (e == cudaSuccess) e = gpuprim::top_k(device_points.data(), n, k, nearest_points.data(), order);
  // [by]
  if (e == cudaSuccess) {
    e = gpuprim::launch(largest_of_tiles, unsigned(tiles), block_size, nullptr, in, k, of_tiles.data());
  }
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  const auto want = sorted_positions(scores, k, [](float a, float b) { return a > b; });
  bool right = positions.on_host() == want;
  for (int i = 0; i < k; ++i) right &= best.on_host()[std::size_t(i)] == scores[std::size_t(want[std::size_t(i)])];
  std::vector<int> want_names, got_names = nearest_names.on_host();
  for (int at : sorted_positions(distances, k, [](int a, int b) { return a < b; })) want_names.push_back(1000 + 3 * at);
  std::sort(want_names.begin(), want_names.end());
  std::sort(got_names.begin(), got_names.end());
  right &= got_names == want_names;
  const squared_distance far;
  const auto got_points = nearest_points.on_host();
  const auto want_points = sorted_positions(points, k, [&](const point& a, const point& b) { return far(a) < far(b); });
  for (std::size_t i = 0; i < results; ++i) {
    const point &got = got_points[i], &wanted = points[std::size_t(want_points[i])];
    right &= got.x == wanted.x && got.y == wanted.y;
  }
  const auto got_tiles = of_tiles.on_host();
  for (int t = 0; t < tiles; ++t) {
    const std::vector<float> keys(scores.begin() + t * tile, scores.begin() + (t + 1) * tile);
    auto at = sorted_positions(keys, k, [](float a, float b) { return a > b; });
    std::sort(at.begin(), at.end());
    for (int i = 0; i < k; ++i) right &= got_tiles[std::size_t(t * k + i)] == keys[std::size_t(at[std::size_t(i)])];
  }
  std::printf("the best of %d scores: %.4f at %d; %d nearest of %d points; %d of each of %d tiles: %s\n", n,
              best.on_host()[0], positions.on_host()[0], k, n, k, tiles, right ? "right" : "wrong");
  return right ? 0 : 1;
}
