// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/gather.cuh>

#include <bit>

namespace gpuprim::inline v0_2_0 {
GPUPRIM_REFUSE_HOST_CALLS

/// An input whose elements are the positions 0 to n - 1 in a random order, which depends on n and the seed alone.
/// `copy(shuffled_positions{n, seed}, n, out)` writes a random permutation.
class shuffled_positions {
 public:
  /// What std::iterator_traits asks for.
  using value_type = std::int64_t;
  /// Elements are made where they are read.
  using reference = std::int64_t;
  /// None is in memory.
  using pointer = void;
  /// What elements are counted in.
  using difference_type = std::int64_t;
  /// Any element can be read.
  using iterator_category = std::random_access_iterator_tag;

  /// The order of n positions that belongs to a seed.
  shuffled_positions(std::int64_t n, std::uint64_t seed)
      : n_(n > 1 ? std::uint64_t(n) : 1), bits_(int(std::bit_width(n_ - 1))) {
    if (bits_ < least_bits) bits_ = least_bits;
    for (std::uint32_t& key : keys_) {  // splitmix64
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t mixed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
      mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
      key = static_cast<std::uint32_t>((mixed ^ mixed >> 31) >> 32);
    }
  }

  /// Which position comes at place i.
  GPUPRIM_HOST_DEVICE std::int64_t operator[](std::int64_t i) const {
    auto at = static_cast<std::uint64_t>(i);
    // A permutation of the numbers of so many bits: what leaves the range comes back into it along its cycle.
    do at = mix(at);
    while (at >= n_);
    return static_cast<std::int64_t>(at);
  }

 private:
  static constexpr int rounds = 24, least_bits = 4;

  /// A number of two halves through a Feistel network, of which the upper has at most as many bits as the lower.
  GPUPRIM_HOST_DEVICE std::uint64_t mix(std::uint64_t number) const {
    constexpr std::uint64_t multiplier = 0xd256d193u;
    const int upper_bits = bits_ / 2, lower_bits = bits_ - upper_bits;
    const auto upper_mask = static_cast<std::uint32_t>((std::uint64_t{1} << upper_bits) - 1);
    const auto lower_mask = static_cast<std::uint32_t>((std::uint64_t{1} << lower_bits) - 1);
    auto upper = static_cast<std::uint32_t>(number >> lower_bits);
    auto lower = static_cast<std::uint32_t>(number) & lower_mask;
    for (std::uint32_t key : keys_) {
      const std::uint64_t product = multiplier * upper;
      const auto mixed = static_cast<std::uint32_t>(product) << (lower_bits - upper_bits) |
                         static_cast<std::uint32_t>(std::uint64_t{lower} >> upper_bits);
      upper = (static_cast<std::uint32_t>(product >> 32) ^ key ^ lower) & upper_mask;
      lower = mixed & lower_mask;
    }
    return std::uint64_t{upper} << lower_bits | lower;
  }

  std::uint64_t n_;
  int bits_;
  std::uint32_t keys_[rounds];
};

/// Writes n elements in a random order, which depends on n and the seed alone.
///
/// @pre   `in`: a pointer or a random-access iterator to n elements that the device can read. `out`: room for as many
///        results, which are converted to its type as by assignment, apart from the input.
/// @sync  asynchronous on `how.stream`; can be captured into a graph.
/// @order the same for one n and seed on every GPU; of the n! orders it is one of at most 2^64.
/// @cost  one launch and no workspace; a random access to `in` for each element, and some dozens of instructions.
/// @return as transform.
/// @source Mitchell, Stokes, Frank and Holmes, "Bandwidth-optimal random shuffling for GPUs", 2022; std::shuffle.
/// @example examples/library/91_gather.cu
template <class In, class Out>
[[nodiscard]] cudaError_t shuffle(In in, std::int64_t n, Out out, std::uint64_t seed, const options& how = {}) {
  static_assert(detail::takes_results<Out, input_value<In>>,
                "gpuprim::shuffle: the output must take the elements of the input");
  return gpuprim::gather(in, shuffled_positions{n, seed}, n, out, how);
}

GPUPRIM_END_REFUSE_HOST_CALLS
}  // namespace gpuprim
