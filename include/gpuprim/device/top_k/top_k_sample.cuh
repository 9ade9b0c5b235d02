// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A sample of the keys says above which key the k largest are expected, so that one pass over all keys leaves few.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/core/top_k_order.hpp>
#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/device/top_k/top_k_parts.cuh>
#include <gpuprim/policy/top_k_policy.hpp>

namespace gpuprim::inline v0_2_0::detail {
GPUPRIM_REFUSE_HOST_CALLS

/// The square root, rounded down.
GPUPRIM_HOST_DEVICE constexpr int square_root(int x) {
  int bit = 1, root = 0;
  while (bit < 1 << 15 && 4 * bit * bit <= x) bit *= 2;
  for (; bit > 0; bit /= 2) {
    if ((root + bit) * (root + bit) <= x) root += bit;
  }
  return root;
}

/// How a policy samples n keys for the k largest: every stratum of n / size neighbours gives one key of the sample.
template <top_k_policy Policy>
struct top_k_sampling {
  static constexpr std::int64_t size = std::int64_t{Policy.block_size} * Policy.sample_items;

  /// `alone`: elements that one block can hold. The rank is five standard deviations above the mean number of the k
  /// largest in the sample, and more as the distribution is far from normal where that is low.
  GPUPRIM_HOST_DEVICE static constexpr top_k_sample find(std::int64_t n, std::int64_t k, std::int64_t alone) {
    if (n <= alone || n < Policy.least_sampled || n < 2 * size || k >= n / 8) return {};
    constexpr int unit = 64;  // the mean is a fraction
    const int mean = int(unit * k / (n / size)), rank = (mean + 40 * detail::square_root(mean)) / unit + 3;
    const top_k_sample found{rank, rank * (n / size + 1) > alone};
    const std::int64_t candidates = count_candidates(n, found);
    return candidates <= n / 4 && candidates <= Policy.most_candidates ? found : top_k_sample{};
  }
  /// Candidates that hardly ever are exceeded.
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_candidates(std::int64_t n, const top_k_sample& sample) {
    const int most = sample.rank + sample.spare();
    return (most + 6 * detail::square_root(most) + 8) * (n / size + 1);
  }
};

/// Where key j of the sample is: anywhere in its stratum, so that no input which repeats itself deceives the sample.
template <class Sampling>
GPUPRIM_HOST_DEVICE inline std::int64_t find_sampled(std::int64_t n, int j) {
  constexpr auto size = std::uint32_t(Sampling::size);
  const auto length = std::uint32_t(n / Sampling::size), rest = std::uint32_t(n % Sampling::size);
  const std::uint32_t longer = std::uint32_t(j) * rest / size;  // of the strata before, those with one key more
  const std::uint32_t own = length + (std::uint32_t(j + 1) * rest / size - longer);
  std::uint32_t mixed = (std::uint32_t(j) + 1) * 0x9e3779b9u;
  mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
  mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
  mixed ^= mixed >> 16;
  return std::int64_t(std::uint64_t(std::uint32_t(j)) * length + longer + (std::uint64_t(own) * mixed >> 32));
}

/// What a sample says: a limit that the k largest hardly ever are below, and the highest word of the sample.
template <class Word>
struct top_k_range {
  top_k_limit<Word> limit;
  Word highest;
};

/// Takes a sample of n keys and evaluates it. Each block that works on them does that by itself, and finds the same.
/// `meanwhile()` is called while the sample is on its way.
template <top_k_policy Policy, class In, class Ranking, class Meanwhile>
__device__ __forceinline__ auto take_sample(radix_counters<Policy.block_size>& counters, const In& in, std::int64_t n,
                                            const top_k_sample& sample, const Ranking& ranks,
                                            const Meanwhile& meanwhile) {
  using sampling = top_k_sampling<Policy>;
  using word = typename Ranking::word;
  constexpr int block_size = Policy.block_size, items = Policy.sample_items;
  const int thread = int(this_block::thread_rank());
  uninitialized_array<typename Ranking::key_type, items> keys;
#pragma unroll
  for (int i = 0; i < items; ++i) keys[i] = in[detail::find_sampled<sampling>(n, i * block_size + thread)];
  meanwhile();
  uninitialized_array<word, items> words;
  word highest = 0;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    words[i] = ranks.rank(keys[i]);
    highest = highest < words[i] ? words[i] : highest;
  }
  if (!sample.reaches()) highest = word(~word(0));
  else highest = detail::join_block<block_size>(highest, maximum<word>{});
  // The keys of the sample are in the order of their places.
  auto limit = detail::block_find_limit<block_size, word>(counters, Ranking::bits, sample.rank, int(sampling::size),
                                                          sample.spare(), int(sampling::size), [&](const auto& take) {
#pragma unroll
                                                            for (int i = 0; i < items; ++i)
                                                              take(words[i], i * block_size + thread);
                                                          });
  if (sampling::size > limit.place) limit.place = detail::find_sampled<sampling>(n, int(limit.place));
  return top_k_range<word>{limit, highest};
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim::detail
