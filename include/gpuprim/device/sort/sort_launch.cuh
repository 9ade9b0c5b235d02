// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/device/sort/digit_counts_kernel.cuh>
#include <gpuprim/device/sort/sort_cluster_kernel.cuh>
#include <gpuprim/device/sort/sort_pass_kernel.cuh>
#include <gpuprim/launch/cluster_fit.cuh>
#include <gpuprim/launch/scratch_lease.cuh>
#include <gpuprim/launch/workspace_lease.cuh>
#include <gpuprim/policy/sort_policy.hpp>

namespace gpuprim::inline v0_1_0::detail {

/// Shared memory that a block may have on every GPU for a pass over memory.
inline constexpr int most_sort_bytes = 62 * 1024;

/// The tile of a policy. ItemBytes: of a key or of the value that goes with it, whichever has more.
template <sort_policy Policy, int ItemBytes>
struct radix_tile {
  static constexpr int bins = 1 << Policy.digit_bits;
  static constexpr int items = Policy.lane_bytes > ItemBytes ? Policy.lane_bytes / ItemBytes : 1;
  static constexpr int bytes(int size) { return size * items * ItemBytes + size / warp_size * bins * 4 + bins * 8; }
  static constexpr int find_block_size() {
    int size = Policy.block_size;
    while (size > bins && size > warp_size && bytes(size) > most_sort_bytes) size -= warp_size;
    return size;
  }
  using shape = sort_shape<find_block_size(), items, Policy.digit_bits>;
};

/// A radix sort of `n` keys by their bits from `first_bit` to `end_bit`, for one kind of digits and of arrays.
template <sort_policies Policies, class Digits, class Key, class Value>
struct radix_sort {
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int value_bytes = has_values ? int(sizeof(Value)) : 0;
  static constexpr int item_bytes = int(sizeof(Key)) > value_bytes ? int(sizeof(Key)) : value_bytes;
  using few = typename radix_tile<Policies.few, item_bytes>::shape;
  using some = typename radix_tile<Policies.some, item_bytes>::shape;
  using many = typename radix_tile<Policies.many, item_bytes>::shape;
  using counting = typename radix_tile<Policies.counts, int(sizeof(Key))>::shape;
  static constexpr int digit_bits = many::digit_bits, digits = most_digits<Digits, digit_bits>;
  static_assert(counting::digit_bits == digit_bits);
  using buffers = sort_buffers<Key, Value>;
  template <class KeysIn, class ValuesIn>
  using arrays = sort_arrays<Digits, KeysIn, ValuesIn, Key, Value>;

  static constexpr std::int64_t part_tiles = Policies.part_bytes / int(sizeof(Key)) / many::tile_items;
  static constexpr std::int64_t part_items = part_tiles * many::tile_items;
  static_assert(part_items > 0 && part_items <= digit_look_back<many::bins>::most_items);
  static constexpr std::int64_t count_part_tiles(std::int64_t n) {
    const std::int64_t most = n < part_items ? n : part_items;
    return (most + many::tile_items - 1) / many::tile_items;
  }
  static constexpr std::int64_t align(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }
  /// Of what the launches share, and of the buffers in which keys and values lie after every other pass.
  static constexpr std::int64_t state_bytes(std::int64_t n) {
    return align(sort_state::scratch_bytes(digits, count_part_tiles(n)));
  }
  static constexpr std::int64_t key_bytes(std::int64_t n) { return align(n * std::int64_t(sizeof(Key))); }
  static constexpr std::int64_t buffer_bytes(std::int64_t n) { return key_bytes(n) + align(n * value_bytes); }
  static buffers lay_over(char* memory, std::int64_t n) {
    return {reinterpret_cast<Key*>(memory), reinterpret_cast<Value*>(memory + key_bytes(n))};
  }
  static constexpr workspace_size find_workspace_size(std::int64_t n) {
    if (n <= 0) return {};
    return {sort_state::zeroed_bytes(digits), state_bytes(n) + buffer_bytes(n)};
  }
  static constexpr workspace_size find_own_size(std::int64_t n) {
    if (n <= 0) return {};
    return {sort_state::zeroed_bytes(digits), state_bytes(n)};
  }

  Digits order;
  std::int64_t n;
  int first_bit, end_bit;

  /// At least one, which moves the keys to the output.
  int count_passes() const {
    return end_bit > first_bit ? (end_bit - first_bit + digit_bits - 1) / digit_bits : 1;
  }

  /// Does the launch with which the keys fit one cluster, if there is one. False if not.
  template <class KeysIn, class ValuesIn>
  bool run_in_cluster(const KeysIn& keys, const ValuesIn& values, const buffers& out, cudaStream_t stream,
                      outcome& done) const {
    const arrays<KeysIn, ValuesIn> all{order, keys, values, out.keys, out.values, 0, n};
    return try_clusters<few, 1>(all, stream, done) || try_clusters<some, 1>(all, stream, done);
  }

  /// Sorts by passes over memory, from `keys` and `values` to `out` or `other`, alternately. The last pass writes to
  /// `out`.
  template <class KeysIn, class ValuesIn>
  outcome run_passes(const KeysIn& keys, const ValuesIn& values, const buffers& out, const buffers& other,
                     const sort_state& state, cudaStream_t stream) const {
    const outcome done = count_digits(keys, state, stream);
    int launches = 0;
    const auto go = [&](const auto& from, const auto& beside, const buffers& to, int pass) {
      return run_pass(from, beside, to, pass, launches, state, stream);
    };
    return done.failed() ? done : detail::pass_alternately(keys, values, count_passes(), out, other, go);
  }

 private:
  template <class Shape, int ClusterSize, class Arrays>
  bool try_clusters(const Arrays& all, cudaStream_t stream, outcome& done) const {
    if constexpr (Shape::block_size == 0 || ClusterSize > Policies.cluster_blocks) {
      return false;
    } else {
      if (n > std::int64_t(ClusterSize) * Shape::tile_items) {
        return try_clusters<Shape, 2 * ClusterSize>(all, stream, done);
      }
      constexpr auto kernel = &sort_cluster_kernel<Shape, Arrays>;
      constexpr int shared_bytes = int(sizeof(sort_cluster_shared<Shape, Arrays>));
      const auto found = detail::find_cluster_shape<kernel, shared_bytes, ClusterSize>(Shape::block_size);
      if (found.error == does_not_fit) return false;
      done = {found.error};
      if (!done.failed()) done = {gpuprim::launch(found.when, kernel, found.grid, stream, all, first_bit, end_bit)};
      return true;
    }
  }

  template <class KeysIn>
  outcome count_digits(const KeysIn& keys, const sort_state& state, cudaStream_t stream) const {
    constexpr auto kernel = &digit_counts_kernel<counting, Digits, KeysIn>;
    constexpr int blocks = Policies.counts.blocks_per_multiprocessor;
    const std::int64_t block_items = counting::tile_items;
    const auto found = detail::find_shape<kernel, blocks>((n + block_items - 1) / block_items, counting::block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, stream, order, keys, n, first_bit, end_bit, state,
                            count_part_tiles(n) * many::bins)};
  }

  template <class KeysIn, class ValuesIn>
  outcome run_pass(const KeysIn& keys, const ValuesIn& values, const buffers& to, int pass, int& launches,
                   const sort_state& state, cudaStream_t stream) const {
    constexpr auto kernel = &sort_pass_kernel<many, arrays<KeysIn, ValuesIn>, Policies.many.blocks_per_multiprocessor>;
    constexpr int shared_bytes = int(sizeof(sort_pass_shared<many, arrays<KeysIn, ValuesIn>>));
    const int bit = first_bit + pass * digit_bits;
    const std::int64_t words = count_part_tiles(n) * many::bins;
    const unsigned long long* begins = state.begins + pass * many::bins;
    for (std::int64_t first = 0; first < n; first += part_items, ++launches) {
      const std::int64_t left = n - first, items = left < part_items ? left : part_items;
      const std::int64_t tiles = (items + many::tile_items - 1) / many::tile_items;
      auto found = detail::find_shape<kernel, 0, shared_bytes>(tiles, many::block_size);
      if (found.error != cudaSuccess) return {found.error};
      found.grid.grid_size = int(tiles);
      const int turn = launches % 2;
      unsigned long long* const later = state.later + turn * many::bins;
      const sort_step<many::bins> step{bit,
                                       detail::digit_mask<digit_bits>(bit, end_bit),
                                       begins,
                                       later,
                                       state.tickets[turn],
                                       {state.look_back[turn]},
                                       state.tickets[1 - turn],
                                       state.look_back[1 - turn],
                                       words};
      const arrays<KeysIn, ValuesIn> part{order, keys, values, to.keys, to.values, first, items};
      const cudaError_t error = gpuprim::launch(found.when, kernel, found.grid, stream, part, step);
      if (error != cudaSuccess) return {error};
      begins = later;
    }
    return {};
  }
};

}  // namespace gpuprim::detail
