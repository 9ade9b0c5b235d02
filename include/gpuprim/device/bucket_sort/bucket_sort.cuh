// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/rounding.hpp>
#include <gpuprim/device/bucket_sort/bucket_counts_kernel.cuh>
#include <gpuprim/device/bucket_sort/bucket_end_kernel.cuh>
#include <gpuprim/device/bucket_sort/bucket_pass_kernel.cuh>
#include <gpuprim/launch/found_shape.cuh>
#include <gpuprim/launch/memory_lease.cuh>
#include <gpuprim/launch/workspace.cuh>
#include <gpuprim/policy/sort_policy.hpp>

#include <algorithm>
#include <bit>

namespace gpuprim::inline v0_2_0::detail {

/// A sort by buckets: a pass or two move the keys of a bucket together, and a block sorts a bucket, or some neighbours.
/// Keys without values keep no order in a bucket until then; keys with values keep theirs, and `StablePasses` moves
/// them, by the digits of their bucket's number. `LongSorter` sorts the few buckets that no block holds, as segments,
/// and all keys as one where there are many such buckets, too many keys to be counted, or too little shared memory.
template <class Choice>
struct bucket_sort {
  static constexpr bucket_policy Policy = Choice::policy;
  using Digits = typename Choice::digits;
  using Value = typename Choice::value;
  using LongSorter = typename Choice::long_sorter;
  using StablePasses = typename Choice::stable_passes;
  using key = typename Digits::key;
  using buffers = sort_buffers<key, Value>;
  using state_type = bucket_state<Digits>;
  using long_state = typename LongSorter::state_type;
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  static constexpr int key_bytes = int(sizeof(key)), value_bytes = has_values ? int(sizeof(Value)) : 0;
  static constexpr int counting_size = 1024, counting_items = 8, pass_size = 512, end_size = 512;
  static constexpr int pass_items(bucket_step step) {
    return (step == bucket_step::only ? Policy.only_pass_bytes : Policy.pass_bytes) / key_bytes;
  }
  static constexpr int tile_keys(bucket_step step) { return pass_size * pass_items(step); }
  using end_shape = sort_shape<end_size, Policy.end_bytes / (std::max)(key_bytes, value_bytes), 8>;
  using values_in = std::conditional_t<has_values, const Value*, no_values>;
  /// A block counts so many keys without values, if they have few words.
  static constexpr int most_few = has_values ? 0 : 8 * end_shape::tile_items;
  using end_arrays = sort_arrays<Digits, const key*, values_in, key, Value>;

  static constexpr int few_words = sort_cells_shared<end_shape, end_arrays>::cells;

  Digits order;
  std::int64_t n;

  /// Whether keys that are not sorted in place are moved once.
  static constexpr bool has_one_pass(std::int64_t keys) { return keys <= Policy.one_pass_keys; }
  /// Buckets of fewer keys than `least_keys` would not be worth a block, and fewer of them than `spread` would leave
  /// multiprocessors without one.
  static constexpr bucket_numbers find_numbers(std::int64_t keys, int most_buckets) {
    constexpr std::int64_t least_keys = 1024, spread = 256;
    constexpr int most_of_pass = has_values ? digit_passes::bins : state_type::most_pass_digits;
    const int most = has_one_pass(keys) ? (std::min)(most_buckets, most_of_pass) : most_buckets;
    const auto limit = [&](std::int64_t number) { return int((std::min)(number, std::int64_t{most})); };
    const std::int64_t least = (std::min)((keys - 1) / least_keys + 1, spread);
    const int even = limit((std::max)((keys - 1) / Policy.even_keys + 1, least));
    return {even, (std::max)(limit((keys - 1) / Policy.uneven_keys + 1), even), keys > Policy.one_look_keys};
  }
  /// What is enough for fewer keys too. The other buffers come to it.
  static constexpr workspace_size find_own_size(std::int64_t keys) {
    if (keys <= 0) return {};
    const int buckets = most_buckets(keys);
    memory_parts parts;
    long_state state{};
    LongSorter::lay_out_lists(parts, keys, state_type::most_large(keys), state);
    std::int64_t scratch = align_up(state_type::scratch_bytes(buckets, state_type::most_large(keys))) + parts.used;
    if constexpr (has_values) scratch += StablePasses::state_bytes(keys);
    return {align_up(state_type::zeroed_bytes(buckets)) + LongSorter::zeroed_bytes, scratch};
  }
  static constexpr std::int64_t buffer_bytes(std::int64_t keys) {
    return align_up(keys * key_bytes) + align_up(keys * value_bytes);
  }
  static buffers lay_over(char* memory, std::int64_t keys) {
    return {reinterpret_cast<key*>(memory), reinterpret_cast<Value*>(memory + align_up(keys * key_bytes))};
  }
  static constexpr workspace_size find_workspace_size(std::int64_t keys) {
    if (keys <= 0) return {};
    workspace_size size = find_own_size(keys);
    size.scratch_bytes += buffer_bytes(keys);
    return size;
  }

  /// Says that keys are sorted by buckets, or why not: `does_not_fit` if the GPU has too little memory for a block, or
  /// there are too many keys to be counted.
  outcome find_fit() const {
    if (n > Policy.most_keys) return {does_not_fit};
    const outcome of_end{find_end_shape().error};
    if constexpr (has_values) return of_end;
    else return of_end.failed() ? of_end : outcome{find_pass_shape<bucket_step::high, const key*>().error};
  }

  /// Sorts from the input to `out`, by way of `other`. With one pass by buckets `other` may be where the input is.
  template <class Keys, class Values>
  outcome run(const Keys& keys, const Values& values, const buffers& out, const buffers& other, void* zeroed,
              char* scratch, const options& how) const {
    const int buckets = most_buckets(n), large_ones = state_type::most_large(n);
    const auto state = state_type::lay_over(zeroed, scratch, buckets, large_ones);
    long_state long_segments{};
    LongSorter::lay_out_zeroed(static_cast<char*>(zeroed) + align_up(state_type::zeroed_bytes(buckets)), long_segments);
    memory_parts parts{scratch + align_up(state_type::scratch_bytes(buckets, large_ones))};
    LongSorter::lay_out_lists(parts, n, large_ones, long_segments);
    const LongSorter longs{order, 0, Digits::bits};
    outcome done = find_fit();
    if (done.code == does_not_fit) {
      const int passes = longs.count_passes(keys, values, out);
      done = LongSorter::note_rows({n, 1}, long_segments, passes, how);
      if (done.failed()) return done;
      const sort_arrays<Digits, Keys, Values, key, Value> input{order, keys, values, out.keys, out.values, 0, n};
      return longs.template run<std::uint64_t>(input, long_segments, out, other, passes, how);
    }
    if (done.failed()) return done;
    if constexpr (has_values) done = move_pairs(keys, values, out, other, state, parts.memory + parts.used, how);
    else done = move_keys(keys, out.keys, other.keys, state, how);

    end_arrays all{order, out.keys, {}, out.keys, out.values, 0, n};
    if constexpr (has_values) all.values = out.values;
    const int passes = longs.count_passes(all.keys, all.values, out);
    if (!done.failed()) done = end(all, state, long_segments, passes, how);
    return done.failed() ? done : longs.template run<std::uint64_t>(all, long_segments, out, other, passes, how);
  }

 private:
  static constexpr int most_buckets(std::int64_t keys) {
    return find_numbers((std::min)(keys, std::int64_t{Policy.most_keys}), Policy.most_buckets).uneven;
  }
  static int count_bits(int buckets) { return std::bit_width(unsigned((std::max)(buckets - 1, 1))); }

  StablePasses stable_passes(const state_type& state, int bits) const {
    return {bucket_digits<Digits>{order, state.map, state.parts}, n, 0, bits};
  }
  template <class Keys, class Values>
  outcome move_pairs(const Keys& keys, const Values& values, const buffers& out, const buffers& other,
                     const state_type& state, char* memory, const options& how) const {
    const auto shared = StablePasses::lay_over_state(nullptr, memory, n);
    const digit_passes passes{shared.begins, shared.tickets[0], shared.look_back[0], StablePasses::count_words(n)};
    bucket_numbers numbers{};
    const outcome done = count(keys, bucket_step::low, 0, passes, state, how, numbers);
    if (done.failed()) return done;
    const auto stable = stable_passes(state, count_bits(numbers.uneven));
    return stable.run_counted_passes(keys, values, out, other, shared, how);
  }
  template <class Keys>
  bool moves_once(const Keys& keys, const key* out) const {
    bool is_in_place = false;
    if constexpr (std::is_same_v<Keys, const key*>) is_in_place = keys == out;
    return has_one_pass(n) && !is_in_place;
  }
  template <class Keys>
  outcome move_keys(const Keys& keys, key* out, key* other, const state_type& state, const options& how) const {
    const bool in_one_pass = moves_once(keys, out);
    const int bits = count_bits(most_buckets(n)), low_bits = in_one_pass ? bits : bits / 2;
    bucket_numbers numbers{};
    outcome done = count(keys, in_one_pass ? bucket_step::only : bucket_step::low, low_bits, {}, state, how, numbers);
    if (!done.failed() && in_one_pass) return pass<bucket_step::only>(keys, out, low_bits, state, how);
    if (!done.failed()) done = pass<bucket_step::high>(keys, other, low_bits, state, how);
    if (done.failed()) return done;
    return pass<bucket_step::low>(static_cast<const key*>(other), out, low_bits, state, how);
  }

  /// Says how many buckets there are.
  template <class Keys>
  outcome count(const Keys& keys, bucket_step last_step, int low_bits, const digit_passes& passes,
                const state_type& state, const options& how, bucket_numbers& numbers) const {
    constexpr auto kernel = &bucket_counts_kernel<counting_size, end_shape::tile_items, Digits, Keys>;
    auto found =
        detail::find_shape<kernel, 0, all_shared_bytes>((n - 1) / (counting_size * counting_items) + 1, counting_size);
    if (found.error != cudaSuccess) return {found.error};
    constexpr int count_bytes = int(sizeof(std::uint32_t));
    const int room = found.grid.dynamic_shared_bytes / count_bytes;
    numbers = find_numbers(n, (std::min)(Policy.most_buckets, room));
    found.grid.dynamic_shared_bytes = numbers.uneven * count_bytes;
    constexpr std::int64_t least_task = 1024, tasks = 512;
    const auto task_keys = std::clamp(n / tasks, least_task, std::int64_t{end_shape::tile_items / 5 * 4});
    const bucket_shape shape{low_bits,
                             std::uint32_t(tile_keys(last_step)),
                             std::uint32_t(task_keys),
                             most_few,
                             few_words,
                             state_type::most_large(n)};
    return {gpuprim::launch(found.when, kernel, found.grid, how, order, keys, n, numbers, shape, state, passes)};
  }

  template <bucket_step Step, class Keys>
  static constexpr auto find_pass_kernel() {
    constexpr int blocks =
        Step == bucket_step::only ? Policy.only_pass_blocks_per_multiprocessor : Policy.pass_blocks_per_multiprocessor;
    return &bucket_pass_kernel<pass_size, pass_items(Step), blocks, Digits, Keys>;
  }
  template <bucket_step Step, class Keys>
  static found_shape find_pass_shape() {
    constexpr int shared_bytes = int(sizeof(bucket_pass_shared<Digits, tile_keys(Step)>));
    return detail::find_shape<find_pass_kernel<Step, Keys>(), 0, shared_bytes>(1, pass_size);
  }
  template <bucket_step Step, class Keys>
  outcome pass(const Keys& keys, key* to, int low_bits, const state_type& state, const options& how) const {
    constexpr auto kernel = find_pass_kernel<Step, Keys>();
    const std::int64_t tiles = (n - 1) / tile_keys(Step) + 1, highs = ((most_buckets(n) - 1) >> low_bits) + 1;
    const std::int64_t blocks = Step == bucket_step::low ? tiles + highs - 1 : tiles;  // a high digit has a short tile
    constexpr std::int64_t bytes = pass_items(Step) * key_bytes;
    const auto found = find_pass_shape<Step, Keys>().with_blocks(blocks);
    return detail::launch_main(found, kernel, bytes, how, order, keys, to, n, low_bits, Step, state);
  }

  static constexpr auto end_kernel = &bucket_end_kernel<end_shape, most_few, Policy.end_blocks_per_multiprocessor,
                                                        end_arrays, typename LongSorter::shape, long_state>;
  static found_shape find_end_shape() {
    return detail::find_shape<end_kernel, 0, int(sizeof(sort_block_shared<end_shape, end_arrays>))>(1, end_size);
  }
  outcome end(const end_arrays& all, const state_type& state, const long_state& long_segments, int long_passes,
              const options& how) const {
    const int blocks = find_numbers((std::min)(n, std::int64_t{Policy.most_keys}), Policy.most_buckets).even;
    const auto found = find_end_shape().with_blocks(blocks);
    if (found.error != cudaSuccess) return {found.error};
    return {gpuprim::launch(found.when, end_kernel, found.grid, how, all, state, long_segments, long_passes)};
  }
};

}  // namespace gpuprim::detail
