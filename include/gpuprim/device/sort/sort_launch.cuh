// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/arguments/segments.cuh>
#include <gpuprim/device/common/sort_block_kernel.cuh>
#include <gpuprim/device/sort/digit_counts_kernel.cuh>
#include <gpuprim/device/sort/sort_cluster_kernel.cuh>
#include <gpuprim/device/sort/sort_pass_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/policy/shared_memory.hpp>
#include <gpuprim/policy/sort_policy.hpp>

#include <algorithm>

namespace gpuprim::inline v0_2_0::detail {

/// Shared memory that a block may have on every GPU for a pass over memory.
inline constexpr int most_sort_bytes = shared_bytes_of_every_gpu - 1024;

/// The tile of a policy for keys and values of so many bytes.
template <sort_policy Policy, int KeyBytes, int ValueBytes = 0>
struct radix_tile {
  static constexpr int bins = 1 << Policy.digit_bits, fit = Policy.lane_bytes / (KeyBytes + ValueBytes);
  static constexpr int items = std::clamp(fit, 1, Policy.most_items);
  static constexpr int bytes(int size) {
    return size * items * KeyBytes + (std::max)(size / warp_size * bins * 4, size * items * ValueBytes) + bins * 8;
  }
  static constexpr int find_block_size() {
    int size = Policy.block_size;
    while (size > bins && size > warp_size && bytes(size) > most_sort_bytes) size -= warp_size;
    return size;
  }
  static constexpr bool fits = bytes(find_block_size()) <= most_sort_bytes;
  using shape = sort_shape<find_block_size(), items, Policy.digit_bits>;
  /// A sorted input has no power of two of keys for each digit in a tile, which would all meet in one bank.
  using odd_shape = sort_shape<find_block_size(), (items - 1) / 2 * 2 + 1, Policy.digit_bits>;
};

/// A radix sort of `n` keys by their bits from `first_bit` to `end_bit`, for one kind of digits and of arrays.
template <sort_policies Policies, class Digits, class Key, class Value>
struct radix_sort {
  using digits_type = Digits;
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int value_bytes = has_values ? int(sizeof(Value)) : 0;
  using few = typename radix_tile<Policies.few, int(sizeof(Key))>::shape;
  using several_tile = radix_tile<Policies.several, int(sizeof(Key)), value_bytes>;
  using many_tile = radix_tile<Policies.many, int(sizeof(Key)), value_bytes>;
  /// Whether keys and values are short enough to be moved in passes on every GPU.
  static constexpr bool fits = several_tile::fits && many_tile::fits;
  using several = typename several_tile::odd_shape;
  using many = typename many_tile::odd_shape;
  using counting = typename radix_tile<Policies.counts, int(sizeof(Key))>::shape;
  static constexpr int digit_bits = many::digit_bits, digits = most_digits<Digits, digit_bits>;
  static_assert(counting::digit_bits == digit_bits && several::digit_bits == digit_bits);
  static_assert(Digits::bits <= most_sorted_bits,
                "gpuprim::sort, sort_pairs: a projection makes numbers of at most "
                "384 bits in all of a key; a comparison may look at more");
  using buffers = sort_buffers<Key, Value>;
  template <class KeysIn, class ValuesIn>
  using arrays = sort_arrays<Digits, KeysIn, ValuesIn, Key, Value>;

  template <class Shape>
  static constexpr std::int64_t count_tiles(std::int64_t keys) {
    return detail::ceil_div(keys, Shape::tile_items);
  }
  static constexpr std::int64_t several_items = Policies.several_tiles * std::int64_t{several::tile_items};
  static constexpr std::int64_t part_tiles = Policies.part_bytes / int(sizeof(Key)) / many::tile_items;
  static_assert(part_tiles > 0 && part_tiles * many::tile_items <= digit_look_back<many::bins>::most_items);
  /// Launches of a pass, and the tiles of each but the last, which may have fewer.
  static constexpr std::int64_t count_parts(std::int64_t n) {
    return n <= several_items ? 1 : (count_tiles<many>(n) - 1) / part_tiles + 1;
  }
  static constexpr std::int64_t count_part_tiles(std::int64_t n) {
    return n <= several_items ? count_tiles<several>(n) : (count_tiles<many>(n) - 1) / count_parts(n) + 1;
  }
  /// What is enough for fewer keys too.
  static constexpr std::int64_t most_part_tiles(std::int64_t n) {
    return (std::max)(count_tiles<several>((std::min)(n, several_items)), (std::min)(count_tiles<many>(n), part_tiles));
  }
  /// Of what the launches share, and of the buffers in which keys and values lie after every other pass.
  static constexpr std::int64_t state_bytes(std::int64_t n) {
    return align_up(sort_state::scratch_bytes(digits, most_part_tiles(n)));
  }
  static constexpr std::int64_t key_bytes(std::int64_t n) { return align_up(n * std::int64_t(sizeof(Key))); }
  static constexpr std::int64_t buffer_bytes(std::int64_t n) { return key_bytes(n) + align_up(n * value_bytes); }
  static buffers lay_over(char* memory, std::int64_t n) {
    return {reinterpret_cast<Key*>(memory), reinterpret_cast<Value*>(memory + key_bytes(n))};
  }
  static sort_state lay_over_state(void* zeroed, void* scratch, std::int64_t n) {
    return sort_state::lay_over(zeroed, scratch, digits, count_part_tiles(n));
  }
  /// What earlier tiles tell those of a pass.
  static constexpr std::int64_t count_words(std::int64_t n) { return count_part_tiles(n) * many::bins; }
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
  int count_passes() const { return end_bit > first_bit ? detail::ceil_div(end_bit - first_bit, digit_bits) : 1; }

  /// Does the launch with which one block holds the keys, or one cluster, if there is one. False if not.
  template <class KeysIn, class ValuesIn>
  bool run_in_one_launch(const KeysIn& keys, const ValuesIn& values, const buffers& out, const options& how,
                         outcome& done) const {
    const arrays<KeysIn, ValuesIn> all{order, keys, values, out.keys, out.values, 0, n};
    return run_in_block(all, how, done) || run_in_cluster<Policies.cluster_blocks>(all, how, done);
  }

  /// Sorts by passes over memory, from `keys` and `values` to `out` or `other`, alternately. The last pass writes to
  /// `out`.
  template <class KeysIn, class ValuesIn>
  outcome run_passes(const KeysIn& keys, const ValuesIn& values, const buffers& out, const buffers& other,
                     const sort_state& state, const options& how) const {
    const outcome done = count_digits(keys, state, how);
    return done.failed() ? done : run_counted_passes(keys, values, out, other, state, how);
  }
  /// Sorts by passes where an earlier launch has counted the digits, and cleared what the first pass needs.
  template <class KeysIn, class ValuesIn>
  outcome run_counted_passes(KeysIn keys, ValuesIn values, const buffers& out, const buffers& other,
                             const sort_state& state, const options& how) const {
    outcome done;
    if (count_passes() % 2 == 1) {
      done = detail::copy_if_in_place(keys, out.keys, other.keys, n, how);
      if constexpr (has_values) {
        if (!done.failed()) done = detail::copy_if_in_place(values, out.values, other.values, n, how);
      }
    }
    int launches = 0;
    const auto go = [&](const auto& from, const auto& beside, const buffers& to, int pass) {
      return run_pass(from, beside, to, pass, launches, state, how);
    };
    return done.failed() ? done : detail::pass_alternately(keys, values, count_passes(), out, other, go);
  }

 private:
  static constexpr std::int64_t item_bytes = std::int64_t(sizeof(Key)) + value_bytes;

  template <class Arrays>
  bool run_in_block(const Arrays& all, const options& how, outcome& done) const {
    if constexpr (few::block_size > 0) {
      if (n > few::tile_items) return false;
      constexpr auto kernel = &sort_block_kernel<few, 1, Arrays, fixed_segments>;
      constexpr int shared_bytes = int(sizeof(sort_block_shared<few, Arrays>));
      const auto found = detail::find_shape<kernel, 0, shared_bytes>(1, few::block_size);
      const fixed_segments whole{n, 1};
      const segment_list one{.count = 1};
      done = detail::launch_main(found, kernel, few::items * item_bytes, how, all, whole, one, first_bit, end_bit);
      return true;
    } else {
      return false;
    }
  }

  /// With ClusterSize blocks, or fewer if these have little to do then or do not fit.
  template <int ClusterSize, class Arrays>
  bool run_in_cluster(const Arrays& all, const options& how, outcome& done) const {
    if constexpr (few::block_size > 0 && ClusterSize > 1) {
      constexpr int fewer = ClusterSize / 2;
      constexpr int held_bytes = int(sizeof(Key)) + (has_values ? int(sizeof(std::uint32_t)) : 0);
      constexpr int most = (std::min)(ClusterSize * few::tile_items, Policies.cluster_bytes / held_bytes);
      if (n > most) return false;
      if (n > std::int64_t{fewer} * Policies.cluster_items) {
        constexpr auto kernel = &sort_cluster_kernel<few, Arrays>;
        constexpr int shared_bytes = int(sizeof(sort_cluster_shared<few, Arrays>));
        const auto found = detail::find_cluster_shape<kernel, shared_bytes, ClusterSize>(few::block_size);
        if (found.error != does_not_fit) {
          const auto share = unsigned((n - 1) / (ClusterSize * warp_size) + 1) * warp_size;
          done = detail::launch_main(found.with_blocks(ClusterSize), kernel, few::items * item_bytes, how, all, share,
                                     first_bit, end_bit);
          return true;
        }
      }
      return run_in_cluster<fewer>(all, how, done);
    } else {
      return false;
    }
  }

  template <class KeysIn>
  outcome count_digits(const KeysIn& keys, const sort_state& state, const options& how) const {
    constexpr auto kernel = &digit_counts_kernel<counting, Digits, KeysIn>;
    constexpr int blocks = Policies.counts.blocks_per_multiprocessor;
    const std::int64_t block_items = counting::tile_items;
    const auto found = detail::find_shape<kernel, blocks>(detail::ceil_div(n, block_items), counting::block_size);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, kernel, found.grid, how, order, keys, n, first_bit, end_bit, state,
                            count_words(n))};
  }

  template <class KeysIn, class ValuesIn>
  outcome run_pass(const KeysIn& keys, const ValuesIn& values, const buffers& to, int pass, int& launches,
                   const sort_state& state, const options& how) const {
    using arrays_type = arrays<KeysIn, ValuesIn>;
    const arrays_type all{order, keys, values, to.keys, to.values, 0, n};
    if (n <= several_items) {
      return run_parts<several, Policies.several.blocks_per_multiprocessor>(all, pass, launches, state, how);
    }
    return run_parts<many, Policies.many.blocks_per_multiprocessor>(all, pass, launches, state, how);
  }

  template <class Shape, int BlocksPerMultiprocessor, class Arrays>
  outcome run_parts(const Arrays& all, int pass, int& launches, const sort_state& state, const options& how) const {
    constexpr auto kernel = &sort_pass_kernel<Shape, Arrays, BlocksPerMultiprocessor>;
    constexpr int shared_bytes = int(sizeof(sort_pass_shared<Shape, Arrays>)), bins = Shape::bins;
    const int bit = first_bit + pass * digit_bits;
    const std::int64_t part_items = count_part_tiles(n) * Shape::tile_items;
    const unsigned long long* begins = state.begins + pass * bins;
    for (std::int64_t first = 0; first < n; first += part_items, ++launches) {
      const std::int64_t items = (std::min)(n - first, part_items), tiles = count_tiles<Shape>(items);
      const auto found = detail::find_shape<kernel, 0, shared_bytes>(1, Shape::block_size).with_blocks(tiles);
      const int turn = launches % 2;
      unsigned long long* const later = state.later + turn * bins;
      const sort_step<bins> step{bit,
                                 detail::digit_mask<digit_bits>(bit, end_bit),
                                 begins,
                                 later,
                                 state.tickets[turn],
                                 {state.look_back[turn]},
                                 state.tickets[1 - turn],
                                 state.look_back[1 - turn],
                                 count_words(n)};
      const Arrays part{order, all.keys, all.values, all.keys_out, all.values_out, first, items};
      const outcome started = detail::launch_main(found, kernel, Shape::items * item_bytes, how, part, step);
      if (started.failed()) return started;
      begins = later;
    }
    return {};
  }
};

}  // namespace gpuprim::detail
