// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a language model chooses its next word: of each row of logits the k largest, their softmax, and of these the
// first ones that together have the probability p, among which a random number chooses.
#include <gpuprim/scan.cuh>
#include <gpuprim/top_k.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int k = 50, block_size = 64;  // a thread for each of the k logits

// [choice]
/// A block chooses the word of a row, whose k largest logits come sorted with their positions. `draws` are uniform
/// random numbers from 0 to 1.
__global__ void choose(const float* logits, const int* positions, const float* draws, float temperature, float p,
                       int* chosen) {
  const gpuprim::this_block block;
  const int row = int(blockIdx.x), rank = int(threadIdx.x);
  const bool is_there = rank < k;
  const float* const of_row = logits + row * k;
  // The first logit is the largest, so that no power overflows.
  const float weight = is_there ? expf((of_row[rank] - of_row[0]) / temperature) : 0.0f;
  float total = 0;
  const float up_to = gpuprim::block_inclusive_scan<block_size>(block, weight, gpuprim::plus{},
                                                                gpuprim::total_to{total});
  // A word counts if those before it have less than p of the total.
  const bool counts = is_there && up_to - weight < p * total;
  const float limit = gpuprim::block_all_reduce<block_size>(block, counts ? up_to : 0.0f, gpuprim::maximum{});
  // The first word whose sum is above the draw; rounding may leave the last one.
  const bool is_below = counts && up_to <= draws[row] * limit;
  const int below = gpuprim::block_all_reduce<block_size>(block, int(is_below), gpuprim::plus{});
  const int last = gpuprim::block_all_reduce<block_size>(block, int(counts), gpuprim::plus{}) - 1;
  if (rank == 0) chosen[row] = positions[row * k + (below < last ? below : last)];
}
// [choice]

int main(int count, char** arguments) {
  const int words = measure::size_to_run(count, arguments, 5000), rows = 8;
  if (words < k) return 1;
  const float temperature = 0.8f, p = 0.9f;
  std::vector<float> logits, draws;
  for (int i = 0; i < rows * words; ++i) {
    const unsigned mixed = (unsigned(i) * 2654435761u) ^ (unsigned(i) * 40503u >> 7);
    logits.push_back(float(mixed >> 8 & 0xffff) / 4096 - 8);
  }
  for (int row = 0; row < rows; ++row) draws.push_back((float(row) + 0.5f) / float(rows));
  const measure::device_array<float> device_logits(logits), device_draws(draws), top(std::size_t(rows) * k);
  const measure::device_array<int> positions(std::size_t(rows) * k), chosen{std::size_t(rows)};

  // [call]
  // The k largest logits of each row, the largest first, and which words they are of.
  cudaError_t e = gpuprim::segmented_top_k_positions(device_logits.data(), gpuprim::fixed_length{words}, rows, k,
                                                     top.data(), positions.data(), gpuprim::largest.sorted());
  if (e == cudaSuccess) {
    e = gpuprim::launch(choose, unsigned(rows), block_size, nullptr, top.data(), positions.data(), device_draws.data(),
                        temperature, p, chosen.data());
  }
  // [call]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  const auto got_top = top.on_host();
  const auto got_positions = positions.on_host(), got = chosen.on_host();
  bool right = true;
  for (int row = 0; row < rows; ++row) {
    const float* const of_row = logits.data() + row * words;
    std::vector<int> at(static_cast<std::size_t>(words));
    std::iota(at.begin(), at.end(), 0);
    std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return of_row[a] > of_row[b]; });
    std::vector<double> up_to;
    double total = 0, limit = 0;
    for (int i = 0; i < k; ++i) {
      right &= got_positions[std::size_t(row * k + i)] == at[std::size_t(i)];
      right &= got_top[std::size_t(row * k + i)] == of_row[at[std::size_t(i)]];
      total += std::exp(double(of_row[at[std::size_t(i)]] - of_row[at[0]]) / double(temperature));
      up_to.push_back(total);
    }
    for (int i = 0; i < k; ++i) {
      if ((i == 0 ? 0 : up_to[std::size_t(i - 1)]) < double(p) * total) limit = up_to[std::size_t(i)];
    }
    // Float sums may choose the neighbour where the draw falls between two words.
    const int place = int(std::find(at.begin(), at.begin() + k, got[std::size_t(row)]) - at.begin());
    const double draw = double(draws[std::size_t(row)]) * limit, slack = 1e-4 * total;
    right &= place < k && up_to[std::size_t(place)] > draw - slack;
    right &= place < k && (place == 0 || up_to[std::size_t(place - 1)] <= draw + slack);
  }
  std::printf("of %d words, the words chosen for %d rows:", words, rows);
  for (int word : got) std::printf(" %d", word);
  std::printf(": %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
