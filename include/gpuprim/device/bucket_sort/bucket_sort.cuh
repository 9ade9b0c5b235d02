// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/bucket_sort/bucket_counts_kernel.cuh>
#include <gpuprim/device/bucket_sort/bucket_end_kernel.cuh>
#include <gpuprim/device/bucket_sort/bucket_pass_kernel.cuh>
#include <gpuprim/launch/chosen_launch.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/outcome.cuh>
#include <gpuprim/launch/workspace.cuh>
#include <gpuprim/policy/sort_policy.hpp>

namespace gpuprim::inline v0_1_0::detail {

/// A sort of keys by buckets: keys go to the bucket of their highest bits, in one pass or two, and a block ends some
/// neighbouring buckets at once. `LargeSorter` sorts the few that no block holds. Where keys crowd in few buckets, the
/// launches do nothing but say so.
template <bucket_policy Policy, class Digits, class Key, class LargeSorter>
struct bucket_sort {
  using word = typename Digits::word;
  static constexpr int word_bytes = int(sizeof(word));
  static constexpr int counting_size = 1024, pass_size = 512, end_size = 512;
  static constexpr int pass_items = Policy.pass_bytes / word_bytes, tile_keys = pass_size * pass_items;
  static constexpr int cell_bits = Policy.cell_bits;
  using end_shape = sort_shape<end_size, Policy.end_bytes / word_bytes, 8>;

  Digits order;
  std::int64_t n;

  static constexpr std::int64_t least_keys = Policy.least_keys, most_keys = Policy.most_keys;
  static constexpr bool takes(std::int64_t keys) { return keys >= least_keys && keys <= most_keys; }
  static constexpr int find_bits(std::int64_t keys) {
    int bits = 1;
    while (bits < bucket_state::most_bits && (keys >> bits) > Policy.bucket_keys) ++bits;
    return bits;
  }
  static constexpr std::int64_t most_tasks(std::int64_t keys) { return std::int64_t{1} << find_bits(keys); }
  static constexpr std::int64_t align(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }
  static constexpr std::int64_t state_bytes(std::int64_t keys) {
    return align(bucket_state::scratch_bytes(most_tasks(keys)));
  }
  static constexpr std::int64_t most_large_keys(std::int64_t keys) { return keys / bucket_state::least_share_large; }
  static constexpr workspace_size find_workspace_size(std::int64_t keys) {
    const std::int64_t large = LargeSorter::find_listed_bytes(most_large_keys(keys), bucket_state::most_large);
    return {align(bucket_state::zeroed_bytes) + LargeSorter::zeroed_bytes, state_bytes(keys) + align(large)};
  }

  /// Sorts from `keys` to `out`, by way of `other`. Afterwards `way` has how keys are to be sorted: if by digits, the
  /// output has nothing yet.
  template <class Keys>
  outcome run(const Keys& keys, Key* out, Key* other, void* zeroed, void* scratch, cudaStream_t stream,
              const sort_way*& way) const {
    const auto state = bucket_state::lay_over(zeroed, scratch);
    way = state.way;
    const int bits = find_bits(n);
    bool has_two_passes = bits > bucket_state::most_pass_bits;
    if constexpr (std::is_same_v<Keys, const Key*>) has_two_passes |= keys == out;
    const int low_bits = has_two_passes ? bits / 2 : bits;
    outcome done = count(keys, bits, low_bits, state, stream);
    const launch_in start{stream};
    if (!done.failed() && has_two_passes) done = pass(keys, other, low_bits, false, state, start);
    if (!done.failed()) {
      done = has_two_passes ? pass(static_cast<const Key*>(other), out, low_bits, true, state, start)
                            : pass(keys, out, low_bits, true, state, start);
    }
    if (!done.failed()) done = end(out, state, stream);
    if (done.failed() || n < Policy.least_large_keys) return done;
    char* const large_memory = static_cast<char*>(scratch) + state_bytes(n);
    return LargeSorter{order, 0, Digits::bits}.sort_listed(
        {state.large, state.large_found}, bucket_state::most_large, most_large_keys(n), out, other,
        static_cast<char*>(zeroed) + align(bucket_state::zeroed_bytes), large_memory, stream);
  }

  /// Describes the first launch that moves keys.
  template <class Keys>
  outcome describe(const Keys& keys, Key* out, launch_plan& plan) const {
    return pass(keys, out, find_bits(n), true, bucket_state{}, describe_first{plan});
  }

 private:
  template <class Keys>
  outcome count(const Keys& keys, int bits, int low_bits, const bucket_state& state, cudaStream_t stream) const {
    constexpr auto kernel =
        &bucket_counts_kernel<counting_size, end_shape::tile_items, tile_keys, Digits, Keys>;
    constexpr int shared_bytes = bucket_state::most_buckets * int(sizeof(std::uint32_t));
    const auto found = detail::find_shape<kernel, 1, shared_bytes>((n - 1) / (counting_size * 16) + 1, counting_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, order, keys, n, bits, low_bits,
                            n < Policy.least_large_keys ? 0 : bucket_state::most_large, state)};
  }
  template <class Keys, class Start>
  outcome pass(const Keys& keys, Key* to, int low_bits, bool is_last_pass, const bucket_state& state,
               const Start& start) const {
    constexpr auto kernel =
        &bucket_pass_kernel<pass_size, pass_items, Policy.pass_blocks_per_multiprocessor, Digits, Keys, Key>;
    constexpr int shared_bytes = int(sizeof(bucket_pass_shared<word, tile_keys>));
    auto found = detail::find_shape<kernel, 0, shared_bytes>(1, pass_size);
    if (found.error != cudaSuccess) return {found.error};
    const std::int64_t tiles = (n - 1) / tile_keys + 1, highs = is_last_pass ? (1 << find_bits(n)) >> low_bits : 1;
    found.grid.grid_size = int(tiles + highs - 1);
    return start(found, kernel, std::int64_t{pass_items} * sizeof(Key), order, keys, to, n, low_bits, is_last_pass,
                 state);
  }
  outcome end(Key* keys, const bucket_state& state, cudaStream_t stream) const {
    using arrays = sort_arrays<Digits, const Key*, no_values, Key, no_values>;
    constexpr auto kernel = &bucket_end_kernel<end_shape, cell_bits, Policy.end_blocks_per_multiprocessor, arrays>;
    constexpr int shared_bytes = int(sizeof(bucket_end_shared<end_shape, cell_bits, arrays>));
    auto found = detail::find_shape<kernel, 0, shared_bytes>(1, end_size);
    if (found.error != cudaSuccess) return {found.error};
    found.grid.grid_size = int(most_tasks(n));
    const arrays all{order, keys, {}, keys, nullptr, 0, n};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, all, state)};
  }
};

}  // namespace gpuprim::detail
