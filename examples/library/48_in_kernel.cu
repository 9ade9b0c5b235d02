// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a kernel: sums of runs of lanes, a histogram of a block, and the place of its largest value, its moments and its
// sum and least value at once.
#include <gpuprim/gpuprim.cuh>

#include "../measure.hpp"

#include <cmath>

constexpr int block_size = 128, items = 4, bins = 10;

struct results {
  unsigned counts[bins];
  gpuprim::extremum<float, int> largest;
  double mean, variance;
  int sum, least;
};

__global__ void describe(const int* in, int* run_sums, results* out) {
  const gpuprim::this_block block;
  const gpuprim::warp_tile<32> warp;
  const int rank = int(block.thread_rank());
  int mine[items];
  for (int i = 0; i < items; ++i) mine[i] = in[i * block_size + rank];

  // [segments]
  const bool begins = rank % 5 == 0;  // every fifth lane begins a run
  const int run = gpuprim::warp_segmented_reduce(warp, mine[0], begins, gpuprim::plus{});
  if (begins) run_sums[rank / 5] = run;
  // [segments]

  // [histogram]
  GPUPRIM_SHARED(counts, unsigned[bins]);
  const auto find = gpuprim::bin_finder<int>(gpuprim::even_bins{bins, 0, 1000});
  gpuprim::block_histogram<block_size>(block, mine, counts, find);  // without `find` the items are bins
  if (rank < bins) out->counts[rank] = counts[rank];
  // [histogram]

  // [operators]
  const gpuprim::extremum placed{float(mine[0]), rank};
  const auto largest = gpuprim::block_reduce<block_size>(block, placed, gpuprim::argmax{});
  const gpuprim::moments one{1, double(mine[0]), {}};
  const auto moments = gpuprim::block_reduce<block_size>(block, one, gpuprim::merge_moments{});
  const gpuprim::each both{gpuprim::tuple{gpuprim::plus{}, gpuprim::minimum{}}};
  const auto [sum, least] = gpuprim::block_reduce<block_size>(block, gpuprim::tuple{mine[0], mine[0]}, both);
  // [operators]
  if (rank != 0) return;
  out->largest = largest;
  out->mean = moments.mean;
  out->variance = moments.variance();
  out->sum = sum;
  out->least = least;
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < items * block_size; ++i) values.push_back(i * 37 % 1000);
  results want{};
  for (int v : values) ++want.counts[v / 100];
  want.least = values[0];
  for (int i = 0; i < block_size; ++i) {
    const int v = values[std::size_t(i)];
    if (float(v) > want.largest.value) want.largest = {float(v), i};
    want.sum += v;
    if (v < want.least) want.least = v;
  }

  constexpr int runs = (block_size + 4) / 5;
  const measure::device_array<int> in(values), run_sums(runs);
  const measure::device_array<results> out(1);
  measure::check(gpuprim::launch(describe, 1, block_size, nullptr, in.data(), run_sums.data(), out.data()));
  const results got = out.on_host()[0];
  const std::vector<int> got_runs = run_sums.on_host();
  bool right = got.largest == want.largest && got.sum == want.sum && got.least == want.least;
  for (int i = 0; i < bins; ++i) right = right && got.counts[i] == want.counts[i];
  for (int i = 0; i < runs; ++i) {  // a run ends with its warp, too
    int sum = 0;
    for (int r = 5 * i; r < 5 * i + 5 && r / 32 == 5 * i / 32 && r < block_size; ++r) sum += values[std::size_t(r)];
    right = right && got_runs[std::size_t(i)] == sum;
  }
  right = right && std::abs(got.mean * block_size - want.sum) < 1e-6;
  std::printf("largest %g at %d, mean %g, variance %g, sum %d, least %d: %s\n", double(got.largest.value),
              got.largest.position, got.mean, got.variance, got.sum, got.least, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
