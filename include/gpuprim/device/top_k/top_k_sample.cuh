// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A sample of the keys says above which key the k largest are expected, so that one pass over all keys leaves few.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/core/top_k_order.hpp>
#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/policy/top_k_policy.hpp>

namespace gpuprim::inline v0_1_0::detail {

/// The square root, rounded down.
GPUPRIM_HOST_DEVICE constexpr int square_root(int x) {
  int bit = 1, root = 0;
  while (bit < 1 << 15 && 4 * bit * bit <= x) bit *= 2;
  for (; bit > 0; bit /= 2) {
    if ((root + bit) * (root + bit) <= x) root += bit;
  }
  return root;
}

/// A number that a random count of the mean x exceeds hardly ever: six standard deviations above it, and more where the
/// mean is so low that the distribution is far from normal.
GPUPRIM_HOST_DEVICE constexpr int add_margin(int x) { return x + 6 * detail::square_root(x) + 8; }

/// How a policy samples n keys for the k largest: every stratum of n / size neighbours gives one key of the sample.
template <top_k_policy Policy>
struct top_k_sampling {
  static constexpr std::int64_t size = std::int64_t{Policy.block_size} * Policy.sample_items;

  /// The rank in the sample of the key that is hardly ever among the k largest. One more for the rounded quotient.
  GPUPRIM_HOST_DEVICE static constexpr int find_rank(std::int64_t n, std::int64_t k) {
    return detail::add_margin(int(k / (n / size)) + 1);
  }
  /// Candidates that hardly ever are exceeded.
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t count_candidates(std::int64_t n, std::int64_t k) {
    return detail::add_margin(find_rank(n, k)) * (n / size + 1);
  }
  /// Whether a sample pays: if it leaves a small part of the keys, for which there is room.
  GPUPRIM_HOST_DEVICE static constexpr bool pays(std::int64_t n, std::int64_t k) {
    if (n < Policy.least_sampled || n < 2 * size || k >= n / 8) return false;
    const std::int64_t candidates = count_candidates(n, k);
    return candidates <= n / 4 && candidates <= Policy.most_candidates;
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

/// A part of the blocks takes its part of the sample of n keys.
template <top_k_policy Policy, class In, class Ranking>
__device__ __forceinline__ void take_sample(const In& in, std::int64_t n, int part, int parts, const Ranking& ranks,
                                            typename Ranking::word* sampled) {
  using sampling = top_k_sampling<Policy>;
  const int own = (int(sampling::size) - 1) / parts + 1, end = (part + 1) * own;
#pragma unroll 4
  for (int j = part * own + int(this_block::thread_rank()); j < end; j += Policy.block_size) {
    if (j < sampling::size) sampled[j] = ranks.rank(in[detail::find_sampled<sampling>(n, j)]);
  }
}

/// The limit that the sample of n keys gives for the k largest. A block calls it.
template <top_k_policy Policy, class Ranking>
__device__ __forceinline__ auto sample_limit(radix_counters<Policy.block_size>& counters, std::int64_t n,
                                             std::int64_t k, const typename Ranking::word* sampled) {
  using sampling = top_k_sampling<Policy>;
  using word = typename Ranking::word;
  const int rank = int(this_block::thread_rank());
  uninitialized_array<word, Policy.sample_items> words;
#pragma unroll
  for (int i = 0; i < Policy.sample_items; ++i) words[i] = sampled[i * Policy.block_size + rank];
  // The keys of the sample are in the order of their places.
  auto limit = detail::block_find_limit<Policy.block_size, word>(
      counters, Ranking::bits, sampling::find_rank(n, k), int(sampling::size), sampling::size, [&](const auto& take) {
#pragma unroll
        for (int i = 0; i < Policy.sample_items; ++i) take(words[i], i * Policy.block_size + rank);
      });
  if (limit.place < sampling::size) limit.place = detail::find_sampled<sampling>(n, int(limit.place));
  return limit;
}

}  // namespace gpuprim::detail
