// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Sorts of segments against std::stable_sort.
#include <gpuprim/device/segmented_sort.cuh>

#include "radix_sort_check.cuh"

namespace test {

/// Shapes so small that few keys make segments of every class: of keys of 4 bytes the classes end with 4, 8, 16, 32, 64
/// and 192 keys, and a tile of a long segment has 256.
constexpr gpuprim::segmented_sort_policies sort_tiny_segments{
    .tiny = {.lanes = 2, .items = 2},
    .narrow = {.lanes = 4, .items = 2},
    .middle = {.lanes = 8, .items = 2},
    .wide = {.lanes = 16, .items = 2},
    .tiles_block_size = 64,
    .tiles_blocks_per_multiprocessor = 1,
    .few = {.block_size = 64, .lane_bytes = 4, .digit_bits = 6},
    .some = {.block_size = 64, .lane_bytes = 12, .digit_bits = 6},
    .many = {.block_size = 64, .lane_bytes = 16, .digit_bits = 6},
    .most_small_items = 0,
    .look_back_tiles = 4,
};

/// The same, with one launch for all segments but the long ones.
constexpr gpuprim::segmented_sort_policies sort_in_one_launch(gpuprim::segmented_sort_policies shapes) {
  shapes.most_small_items = 1LL << 40;
  return shapes;
}

/// Segments of every class, on both sides of the bounds of classes, with empty ones at both ends.
inline std::vector<int> mixed_lengths() {
  return {0,   0,   1,   2,   3,   4,   5, 8, 0,   9,   16, 17,  32,   33, 63, 64, 65, 128,
          191, 192, 193, 255, 256, 257, 5, 7, 512, 513, 2,  700, 1300, 20, 6,  40, 12, 0};
}

/// The positions of keys when each segment is sorted; what lies before and behind the segments stays where it is.
template <class Key, class Word>
std::vector<int> sort_segment_positions(const std::vector<Key>& keys, const std::vector<int>& offsets, const Word& word,
                                        gpuprim::sort_direction direction) {
  std::vector<int> at(keys.size());
  std::iota(at.begin(), at.end(), 0);
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::vector<Key> own(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
    const std::vector<int> sorted = sort_positions(own, word, direction);
    for (std::size_t i = 0; i < sorted.size(); ++i) at[std::size_t(offsets[s]) + i] = offsets[s] + sorted[i];
  }
  return at;
}

inline std::vector<int> make_offsets(const std::vector<int>& lengths, int first) {
  std::vector<int> offsets{first};
  for (int length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

/// What an output holds where nothing was written.
template <class T>
T poisoned() {
  T value;
  std::memset(static_cast<void*>(&value), guarded_bytes::poison, sizeof value);
  return value;
}

/// Whether all bits of keys tell them apart.
template <class Digits>
inline constexpr bool is_sorted_whole = false;
template <class Key, gpuprim::sort_direction Direction>
inline constexpr bool is_sorted_whole<gpuprim::detail::whole_digits<Key, Direction>> = true;

/// Sorts segments of keys and positions by the policies, and compares with the oracle, which sorts by `word(key)`. The
/// first segment begins with key 3, and behind the last there are keys too.
template <gpuprim::segmented_sort_policies Policies, class Key, class Order, class Word>
void check_segmented_sort_with(const std::vector<Key>& keys, const std::vector<int>& offsets, const Order& order,
                               gpuprim::sort_direction direction, const Word& word, const sort_setup& setup) {
  const auto n = std::int64_t(keys.size()), segments = std::int64_t(offsets.size()) - 1;
  CAPTURE(n, segments, setup.in_misalignment, setup.out_misalignment, setup.is_in_place);
  const auto at = sort_segment_positions(keys, offsets, word, direction);
  std::vector<int> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  device_array<int> where(offsets);
  // Without values numbers are told apart by all of their bits.
  const auto alone = [&] {
    if constexpr (is_sorted_whole<decltype(gpuprim::detail::digits_of_sort<Key, gpuprim::detail::no_values>(order))>) {
      const auto whole = [](Key key) { return gpuprim::detail::radix_key<Key>::to_word(key); };
      return sort_segment_positions(keys, offsets, whole, direction);
    } else {
      return at;
    }
  }();
  const auto run = [&]<class Value>(const auto& values, Value* values_out, const auto& in, Key* out) {
    const auto digits = gpuprim::detail::digits_of_sort<Key, Value>(order);
    using digits_type = std::remove_const_t<decltype(digits)>;
    using sorter = gpuprim::detail::segmented_sorter<Policies, digits_type, Key, Value, Order::compared>;
    sorter sort{digits, n, 0, 0};
    REQUIRE_FALSE(gpuprim::detail::find_bits(order, sort).failed());
    gpuprim::workspace workspace(sorter::find_workspace_size(n, segments));
    const gpuprim::detail::offset_segments<const int*> spans{where.data(), segments, n};
    const auto done = gpuprim::detail::run_segmented_sort(sort, spans, static_cast<const Key*>(in), values,
                                                          {out, values_out}, {.workspace = &workspace});
    REQUIRE(done.code == cudaSuccess);
    check_zero(workspace);
  };
  if (setup.is_in_place) {
    {
      device_array<Key> sorted(keys, setup.in_misalignment);
      run(gpuprim::detail::no_values{}, static_cast<gpuprim::detail::no_values*>(nullptr), sorted.data(),
          sorted.data());
      CHECK(count_unequal(sorted.download(), keys, alone) == 0);
      sorted.check_guards();
    }
    device_array<Key> sorted(keys, setup.in_misalignment);
    device_array<int> values(positions);
    run(static_cast<const int*>(values.data()), values.data(), sorted.data(), sorted.data());
    CHECK(count_unequal(sorted.download(), keys, at) == 0);
    CHECK(values.download() == at);
    sorted.check_guards();
    values.check_guards();
    return;
  }
  auto want_keys = keys;
  auto want_values = positions;
  for (int i = 0; i < int(n); ++i) {
    if (i >= offsets.front() && i < offsets.back()) continue;
    want_keys[std::size_t(i)] = poisoned<Key>();
    want_values[std::size_t(i)] = poisoned<int>();
  }
  device_array<Key> in(keys, setup.in_misalignment);
  device_array<int> values(positions);
  {
    device_array<Key> out(keys.size(), setup.out_misalignment);
    run(gpuprim::detail::no_values{}, static_cast<gpuprim::detail::no_values*>(nullptr), in.data(), out.data());
    CHECK(count_unequal(out.download(), want_keys, alone) == 0);
    out.check_guards();
  }
  device_array<Key> out(keys.size(), setup.out_misalignment);
  device_array<int> values_out(keys.size());
  run(static_cast<const int*>(values.data()), values_out.data(), in.data(), out.data());
  CHECK(count_unequal(out.download(), want_keys, at) == 0);
  CHECK(count_unequal(values_out.download(), want_values, at) == 0);
  in.check_unchanged();
  values.check_unchanged();
  where.check_unchanged();
  out.check_guards();
  values_out.check_guards();
}

/// Does so with a launch for each class, and with one for all.
template <gpuprim::segmented_sort_policies Policies, class Key, class Order, class Word>
void check_segmented_sort_by(const std::vector<Key>& keys, const std::vector<int>& offsets, const Order& order,
                             gpuprim::sort_direction direction, const Word& word, const sort_setup& setup = {}) {
  check_segmented_sort_with<Policies>(keys, offsets, order, direction, word, setup);
  check_segmented_sort_with<sort_in_one_launch(Policies)>(keys, offsets, order, direction, word, setup);
}

template <gpuprim::segmented_sort_policies Policies, class Key,
          gpuprim::sort_direction Direction = gpuprim::sort_direction::ascending>
void check_segmented_sort(const std::vector<int>& lengths, key_kind kind, const sort_setup& setup = {},
                          unsigned seed = 1) {
  CAPTURE(int(kind), seed, sizeof(Key));
  const auto offsets = make_offsets(lengths, 3);
  const auto keys = make_keys<Key>(offsets.back() + 2, kind, seed);
  using radix = gpuprim::detail::radix_key<Key>;
  const auto word = [](Key key) { return radix::order(radix::to_word(key)); };
  check_segmented_sort_by<Policies>(keys, offsets, gpuprim::radix_order<Direction>{}, Direction, word, setup);
}

}  // namespace test
