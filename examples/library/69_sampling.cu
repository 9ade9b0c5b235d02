// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a language model chooses its next word: of each row of logits the k largest, their softmax, and of these the
// first ones that together have the probability p, among which a random number chooses.
#include <gpuprim/scan.cuh>
#include <gpuprim/top_k.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <vector>

constexpr int k = 50, block_size = 64;  // a thread for each of the k logits

/// A logit that is NaN counts as minus infinity: its word is chosen only if no word of the row has a probability.
__host__ __device__ float known(float logit) { return logit == logit ? logit : -INFINITY; }

/// Reads logits as an array of what they count as.
struct known_logits {
  using value_type = float;
  using reference = float;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;

  const float* logits;

  __host__ __device__ float operator[](std::int64_t i) const { return known(logits[i]); }
};

// [choice]
/// A block chooses the word of a row, whose k largest logits come sorted with their positions. `draws` are uniform
/// random numbers from 0 to 1. Whatever p and the logits are, a word of the row is chosen, and none of probability 0 if
/// the row has another.
__global__ void choose(const float* logits, const int* positions, const float* draws, float temperature, float p,
                       int* chosen) {
  const gpuprim::this_block block;
  const int row = int(blockIdx.x), rank = int(threadIdx.x);
  const bool is_there = rank < k;
  const float logit = is_there ? known(logits[row * k + rank]) : -INFINITY;
  const float largest = gpuprim::block_all_reduce<block_size>(block, logit, gpuprim::maximum{});
  // No power overflows. Equal logits weigh the same where infinite ones have no difference, or the temperature is 0.
  const float weight = !is_there ? 0.0f : logit == largest ? 1.0f : expf((logit - largest) / temperature);
  float total = 0;
  const float up_to =
      gpuprim::block_inclusive_scan<block_size>(block, weight, gpuprim::plus{}, gpuprim::total_to{total});
  // A word counts if those before it have less than p of the total. The first one counts even if p is 0.
  const float before = up_to - weight;
  const bool counts = weight > 0 && (before == 0 || before < p * total);
  const float limit = gpuprim::block_all_reduce<block_size>(block, counts ? up_to : 0.0f, gpuprim::maximum{});
  // The first word whose sum is above the draw; rounding may leave the last one.
  const bool is_above = counts && (up_to > draws[row] * limit || up_to == limit);
  const int first = gpuprim::block_all_reduce<block_size>(block, is_above ? rank : k, gpuprim::minimum{});
  if (rank == 0) chosen[row] = positions[row * k + first];
}
// [choice]

/// Logits of a row, and which words may be chosen of it.
enum class row_kind { usual, some_nan, one_word, no_word, all_nan };
constexpr int kinds = 5;

int main(int count, char** arguments) {
  const int words = measure::size_to_run(count, arguments, 5000), rows = 8 + kinds;
  if (words < k) return 1;
  const float temperature = 0.8f;
  std::vector<float> logits, draws;
  for (int i = 0; i < rows * words; ++i) {
    const unsigned mixed = (unsigned(i) * 2654435761u) ^ (unsigned(i) * 40503u >> 7);
    const float usual = float(mixed >> 8 & 0xffff) / 4096 - 8;
    const int row = i / words, word = i % words;
    // The first rows are usual ones, and the last ones what a model gives that is masked or broken.
    switch (row < rows - kinds ? row_kind::usual : row_kind(row - (rows - kinds))) {
      case row_kind::usual:
        logits.push_back(usual);
        break;
      case row_kind::some_nan:
        logits.push_back(word % 3 == 0 ? usual : std::nanf(""));
        break;
      case row_kind::one_word:
        logits.push_back(word == words / 2 ? usual : -INFINITY);
        break;
      case row_kind::no_word:
        logits.push_back(-INFINITY);
        break;
      case row_kind::all_nan:
        logits.push_back(std::nanf(""));
        break;
    }
  }
  for (int row = 0; row < rows; ++row) draws.push_back(float(row) / float(rows - 1));
  const measure::device_array<float> device_logits(logits), device_draws(draws), top(std::size_t(rows) * k);
  const measure::device_array<int> positions(std::size_t(rows) * k), chosen { std::size_t(rows) };

  bool right = true;
  std::vector<int> shown;
  for (const float p : {0.0f, 1.0f, 0.9f}) {
    // [call]
    // The k largest logits of each row, the largest first, and which words they are of.
    cudaError_t e =
        gpuprim::segmented_top_k_positions(known_logits{device_logits.data()}, gpuprim::fixed_length{words}, rows, k,
                                           top.data(), positions.data(), gpuprim::largest.sorted());
    if (e == cudaSuccess) {
      e = gpuprim::launch(choose, unsigned(rows), block_size, nullptr, top.data(), positions.data(),
                          device_draws.data(), temperature, p, chosen.data());
    }
    // [call]
    if (e != cudaSuccess) {
      std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
      return 1;
    }
    const auto got_top = top.on_host();
    const auto got_positions = positions.on_host(), got = chosen.on_host();
    for (int row = 0; row < rows; ++row) {
      const float* const of_row = logits.data() + row * words;
      const auto logit = [&](int word) { return known(of_row[word]); };
      std::vector<int> at(static_cast<std::size_t>(words));
      std::iota(at.begin(), at.end(), 0);
      std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return logit(a) > logit(b); });
      std::vector<double> up_to;
      double total = 0, limit = 0;
      for (int i = 0; i < k; ++i) {
        const int word = at[std::size_t(i)];
        right &= got_positions[std::size_t(row * k + i)] == word;
        right &= got_top[std::size_t(row * k + i)] == logit(word);
        total += logit(word) == logit(at[0]) ? 1.0 : std::exp(double(logit(word) - logit(at[0])) / double(temperature));
        up_to.push_back(total);
      }
      for (int i = 0; i < k; ++i) {
        if (i == 0 || up_to[std::size_t(i - 1)] < double(p) * total) limit = up_to[std::size_t(i)];
      }
      // Float sums may choose the neighbour where the draw falls between two words.
      const int word = got[std::size_t(row)], place = int(std::find(at.begin(), at.begin() + k, word) - at.begin());
      const double draw = double(draws[std::size_t(row)]) * limit, slack = 1e-4 * total;
      right &= place < k && up_to[std::size_t(place)] > draw - slack;
      right &= place < k && (place == 0 || up_to[std::size_t(place - 1)] <= draw + slack);
      // A word that is minus infinity is chosen only where all are.
      right &= place < k && (logit(word) > -INFINITY || logit(at[0]) == -INFINITY);
    }
    shown = got;
  }
  std::printf("of %d words, the words chosen for %d rows:", words, rows);
  for (int word : shown) std::printf(" %d", word);
  std::printf(": %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
