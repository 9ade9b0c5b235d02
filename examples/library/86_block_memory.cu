// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of the caller's for the calls of a block: a block samples the next word of a language model from one
// row of logits, by the k largest (top-k) and of these the first that together have the probability p (top-p, the
// nucleus). It loads, selects, sorts, scans and reduces through one buffer.
#include <gpuprim/compact.cuh>
#include <gpuprim/exchange.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/sort.cuh>
#include <gpuprim/top_k.cuh>

#include "../measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int block_size = 256, items = 8, most_words = block_size * items, k = 50;

// [storage]
/// As much memory as the call needs that needs most of it: not the sum of all.
using sampling_storage = gpuprim::block_storage<
    gpuprim::block_exchange_bytes<block_size, items, float>, gpuprim::block_top_k_bytes<block_size>,
    gpuprim::block_compact_bytes<block_size>, gpuprim::block_radix_sort_bytes<block_size, 1, float, int>,
    gpuprim::block_scan_bytes<block_size, float>, gpuprim::block_reduce_bytes<block_size, float, gpuprim::maximum<>>,
    gpuprim::block_reduce_bytes<block_size, int, gpuprim::minimum<>>>;

/// Between its calls the kernel uses the same memory for the candidates.
union sampling_memory {
  sampling_storage for_calls;
  struct {
    float logits[k];
    int words[k];
  } best;
};
// [storage]

/// A block for each row. `draws` are uniform random numbers from 0 to 1.
// [kernel]
__global__ void __launch_bounds__(block_size)
    sample(const float* logits, int words, const float* draws, float temperature, float p, int* chosen) {
  GPUPRIM_SHARED(memory, sampling_memory);
  const gpuprim::block_with_memory block(memory);
  const int row = int(blockIdx.x), rank = int(threadIdx.x);

  float mine[items];
  gpuprim::block_load<block_size>(block, logits + row * words, mine, words, -INFINITY);
  bool taken[items];
  gpuprim::block_top_k<block_size>(block, mine, k, taken);
  const auto ranked = gpuprim::block_rank<block_size>(block, taken);
  for (int i = 0; i < items; ++i) {  // no barrier is owed behind a call
    if (!taken[i]) continue;
    memory.best.logits[ranked.places[i]] = mine[i];
    memory.best.words[ranked.places[i]] = rank * items + i;
  }
  block.sync();
  const bool is_there = rank < k;
  float logit[] = {is_there ? memory.best.logits[rank] : -INFINITY};
  int word[] = {is_there ? memory.best.words[rank] : 0};
  block.sync();  // owed before the next call: the candidates have been read

  gpuprim::block_radix_sort<block_size>(block, logit, word, gpuprim::descending);
  const float largest = gpuprim::block_all_reduce<block_size>(block, logit[0], gpuprim::maximum{});
  const float weight = is_there ? expf((logit[0] - largest) / temperature) : 0.0f;
  float total = 0;
  const float up_to =
      gpuprim::block_inclusive_scan<block_size>(block, weight, gpuprim::plus{}, gpuprim::total_to{total});
  // A word counts if those before it have less than p of the total, and the first one in any case.
  const bool counts = rank == 0 || (weight > 0 && up_to - weight < p * total);
  const float limit = gpuprim::block_all_reduce<block_size>(block, counts ? up_to : 0.0f, gpuprim::maximum{});
  const bool is_above = counts && (up_to > draws[row] * limit || up_to == limit);
  const int first = gpuprim::block_all_reduce<block_size>(block, is_above ? rank : k, gpuprim::minimum{});
  if (rank == first) chosen[row] = word[0];
}
// [kernel]

int main(int count, char** arguments) {
  const int words = measure::size_to_run(count, arguments, 2000), rows = 8;
  if (words < k || words > most_words) return 1;
  const float temperature = 0.8f;
  std::vector<float> logits, draws;
  for (int i = 0; i < rows * words; ++i) {
    const unsigned mixed = (unsigned(i) * 2654435761u) ^ (unsigned(i) * 40503u >> 7);
    logits.push_back(float(mixed >> 8 & 0xffff) / 4096 - 8);
  }
  for (int row = 0; row < rows; ++row) draws.push_back(float(row) / float(rows - 1));
  const measure::device_array<float> device_logits(logits), device_draws(draws);
  const measure::device_array<int> chosen{std::size_t(rows)};

  bool right = true;
  std::vector<int> shown;
  for (const float p : {0.0f, 1.0f, 0.9f}) {
    const cudaError_t e = gpuprim::launch(sample, unsigned(rows), block_size, nullptr, device_logits.data(), words,
                                          device_draws.data(), temperature, p, chosen.data());
    if (e != cudaSuccess) {
      std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
      return 1;
    }
    shown = chosen.on_host();
    for (int row = 0; row < rows; ++row) {
      const float* const of_row = logits.data() + row * words;
      std::vector<int> at(static_cast<std::size_t>(words));
      std::iota(at.begin(), at.end(), 0);
      std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return of_row[a] > of_row[b]; });
      std::vector<double> up_to;
      double total = 0, limit = 0;
      for (int i = 0; i < k; ++i) {
        total += std::exp(double(of_row[at[std::size_t(i)]] - of_row[at[0]]) / double(temperature));
        up_to.push_back(total);
      }
      for (int i = 0; i < k; ++i) {
        if (i == 0 || up_to[std::size_t(i - 1)] < double(p) * total) limit = up_to[std::size_t(i)];
      }
      // Float sums may choose the neighbour where the draw falls between two words.
      const int place = int(std::find(at.begin(), at.begin() + k, shown[std::size_t(row)]) - at.begin());
      const double draw = double(draws[std::size_t(row)]) * limit, slack = 1e-4 * total;
      right &= place < k && up_to[std::size_t(place)] > draw - slack;
      right &= place < k && (place == 0 || up_to[std::size_t(place - 1)] <= draw + slack);
    }
  }
  std::printf("of %d words, through %d bytes of shared memory:", words, int(sizeof(sampling_memory)));
  for (int word : shown) std::printf(" %d", word);
  std::printf(": %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
