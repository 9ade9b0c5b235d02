// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// A sample of the keys says above which key the k largest are expected, so that one pass over all keys leaves few.
#include <gpuprim/block/radix_select.cuh>
#include <gpuprim/core/top_k_order.hpp>
#include <gpuprim/core/uninitialized.hpp>
#include <gpuprim/policy/top_k_policy.hpp>

namespace gpuprim::inline v0_1_0::detail {

/// The square root, rounded down.
GPUPRIM_HOST_DEVICE constexpr std::int64_t square_root(std::int64_t x) {
  std::int64_t root = 0;
  for (int bit = 20; bit >= 0; --bit) {
    const std::int64_t larger = root | std::int64_t{1} << bit;
    if (larger * larger <= x) root = larger;
  }
  return root;
}

/// A number that a random count of the mean x exceeds hardly ever: six standard deviations above it, and more where the
/// mean is so low that the distribution is far from normal.
GPUPRIM_HOST_DEVICE constexpr std::int64_t add_margin(std::int64_t x) { return x + 6 * square_root(x) + 8; }

/// How a policy samples n keys for the k largest: every stratum of n / size neighbours gives one key of the sample.
template <top_k_policy Policy>
struct top_k_sampling {
  static constexpr std::int64_t size = std::int64_t{Policy.block_size} * Policy.sample_items;

  /// The rank in the sample of the key that is hardly ever among the k largest. One more for the rounded quotient.
  GPUPRIM_HOST_DEVICE static constexpr std::int64_t find_rank(std::int64_t n, std::int64_t k) {
    return detail::add_margin(k / (n / size) + 1);
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
  const std::int64_t length = n / Sampling::size, rest = n % Sampling::size;
  const std::int64_t first = j * length + j * rest / Sampling::size;
  const std::int64_t behind = (j + 1) * length + (j + 1) * rest / Sampling::size;
  std::uint32_t mixed = (std::uint32_t(j) + 1) * 0x9e3779b9u;
  mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
  mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
  mixed ^= mixed >> 16;
  return first + std::int64_t(std::uint64_t(behind - first) * mixed >> 32);
}

/// The limit that the sample of n keys gives for the k largest. A block calls it.
template <top_k_policy Policy, class In, class Ranking>
__device__ __forceinline__ auto sample_limit(radix_counters<Policy.block_size>& counters, const In& in, std::int64_t n,
                                             std::int64_t k, const Ranking& ranks) {
  using sampling = top_k_sampling<Policy>;
  const int rank = int(this_block::thread_rank());
  uninitialized_array<input_value<In>, Policy.sample_items> keys;
#pragma unroll
  for (int i = 0; i < Policy.sample_items; ++i) {
    keys[i] = in[detail::find_sampled<sampling>(n, i * Policy.block_size + rank)];
  }
  uninitialized_array<typename Ranking::word, Policy.sample_items> words;
#pragma unroll
  for (int i = 0; i < Policy.sample_items; ++i) words[i] = ranks.rank(keys[i]);
  return detail::block_find_limit<Policy.block_size, typename Ranking::word>(
      counters, Ranking::bits, int(sampling::find_rank(n, k)), int(sampling::size), n, [&](const auto& take) {
#pragma unroll
        for (int i = 0; i < Policy.sample_items; ++i) {
          take(words[i], detail::find_sampled<sampling>(n, i * Policy.block_size + rank));
        }
      });
}

}  // namespace gpuprim::detail
