// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Radix sorts against std::stable_sort.
#include <gpuprim/device/sort.cuh>
#include <gpuprim/device/sort_in_buffers.cuh>

#include "device.cuh"
#include "types.cuh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>

namespace test {

/// Shapes so small that few keys take every path: in one block, in a cluster of up to four, and in passes over memory
/// with several parts.
constexpr gpuprim::sort_policies sort_in_clusters{
    .few = {.block_size = 64, .lane_bytes = 16, .digit_bits = 6},
    .several = {.block_size = 64, .lane_bytes = 32, .digit_bits = 6, .most_items = 3},
    .many = {.block_size = 64, .lane_bytes = 28, .digit_bits = 6},
    .counts = {.block_size = 64, .blocks_per_multiprocessor = 1, .lane_bytes = 16, .digit_bits = 6},
    .cluster_blocks = 4,
    .cluster_items = 160,
    .cluster_bytes = 1 << 14,
    .several_tiles = 3,
    .part_bytes = 4096,
};
constexpr gpuprim::sort_policies sort_in_memory{
    .few = {.block_size = 0, .digit_bits = 6},
    .several = {.block_size = 64, .lane_bytes = 32, .digit_bits = 6, .most_items = 3},
    .many = {.block_size = 64, .lane_bytes = 28, .digit_bits = 6},
    .counts = {.block_size = 64, .blocks_per_multiprocessor = 1, .lane_bytes = 16, .digit_bits = 6},
    .several_tiles = 3,
    .part_bytes = 4096,
};

/// What keys a test sorts.
enum class key_kind { random, few_distinct, all_equal, ascending, descending, extreme };

template <class Key>
Key make_key(std::uint64_t bits) {
  if constexpr (std::is_integral_v<Key>) {
    return static_cast<Key>(bits);
  } else {  // any bits: infinities, NaN and both zeros are among them
    gpuprim::detail::unsigned_of<int(sizeof(Key))> word = 0;
    std::memcpy(&word, &bits, sizeof word);
    Key key;
    std::memcpy(static_cast<void*>(&key), &word, sizeof key);
    return key;
  }
}

template <class Key>
std::vector<Key> make_keys(std::int64_t n, key_kind kind, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<Key> keys;
  keys.reserve(std::size_t(n));
  using radix = gpuprim::detail::radix_key<Key>;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random();
    Key key = make_key<Key>(bits);
    if (kind == key_kind::few_distinct) key = make_key<Key>(bits % 3 * 0x9e3779b97f4a7c15u);
    if (kind == key_kind::all_equal) key = make_key<Key>(0x3c003c003c003c00u);
    if (kind == key_kind::extreme) {  // the keys that padding may be mistaken for, and both zeros
      const std::uint64_t words[] = {0, ~std::uint64_t{0}, std::uint64_t{1} << (8 * sizeof(Key) - 1),
                                     (std::uint64_t{1} << (8 * sizeof(Key) - 1)) - 1};
      key = make_key<Key>(words[bits % 4]);
    }
    keys.push_back(key);
  }
  const auto before = [](Key a, Key b) { return radix::order(radix::to_word(a)) < radix::order(radix::to_word(b)); };
  if (kind == key_kind::ascending) std::stable_sort(keys.begin(), keys.end(), before);
  if (kind == key_kind::descending) std::stable_sort(keys.rbegin(), keys.rend(), before);
  return keys;
}

/// The positions of keys when they are sorted; the oracle compares words that the standard library's own comparison
/// agrees with wherever there is no NaN.
template <class Key, class Word>
std::vector<int> sort_positions(const std::vector<Key>& keys, const Word& word, gpuprim::sort_direction direction) {
  std::vector<int> at(keys.size());
  std::iota(at.begin(), at.end(), 0);
  std::stable_sort(at.begin(), at.end(), [&](int a, int b) {
    const auto first = word(keys[std::size_t(a)]), second = word(keys[std::size_t(b)]);
    return direction == gpuprim::sort_direction::ascending ? first < second : second < first;
  });
  return at;
}

/// Whether two are the same, numbers bit for bit. Structs that have bytes between their members are compared by `==`: a
/// copy need not keep those.
template <class T>
bool is_same_value(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>) {
    return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
  } else {
    return a == b;
  }
}

template <class T>
std::size_t count_unequal(const std::vector<T>& got, const std::vector<T>& from, const std::vector<int>& at) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < at.size(); ++i) wrong += !is_same_value(got[i], from[std::size_t(at[i])]);
  return wrong;
}

struct sort_setup {
  std::size_t in_misalignment = 0, out_misalignment = 0;  ///< bytes
  bool is_in_place = false;
};

/// Sorts keys and positions by the policies, and compares with the oracle, which sorts by `word(key)`.
template <gpuprim::sort_policies Policies, class Key, class Order, class Word>
void check_sort_by(const std::vector<Key>& keys, const Order& order, gpuprim::sort_direction direction,
                   const Word& word, const sort_setup& setup = {}) {
  const auto n = std::int64_t(keys.size());
  CAPTURE(n, setup.in_misalignment, setup.out_misalignment, setup.is_in_place);
  const auto at = sort_positions(keys, word, direction);
  std::vector<int> positions(keys.size());
  std::iota(positions.begin(), positions.end(), 0);
  const auto digits = gpuprim::detail::digits_of<Key>(order);
  using digits_type = std::remove_const_t<decltype(digits)>;
  const auto run = [&]<class Value>(const auto& values, Value* values_out, const auto& in, Key* out) {
    using radix = gpuprim::detail::radix_sort<Policies, digits_type, Key, Value>;
    radix sort{digits, n, 0, 0};
    REQUIRE_FALSE(gpuprim::detail::find_bits(order, sort).failed());
    gpuprim::workspace workspace(radix::find_workspace_size(n));
    const auto done = gpuprim::detail::run_sort(sort, static_cast<const Key*>(in), values,
                                                gpuprim::detail::sort_buffers<Key, Value>{out, values_out},
                                                {.workspace = &workspace});
    REQUIRE(done.code == cudaSuccess);
    check_zero(workspace);
  };
  if (setup.is_in_place) {
    {
      device_array<Key> sorted(keys, setup.in_misalignment);
      run(gpuprim::detail::no_values{}, static_cast<gpuprim::detail::no_values*>(nullptr), sorted.data(),
          sorted.data());
      CHECK(count_unequal(sorted.download(), keys, at) == 0);
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
  device_array<Key> in(keys, setup.in_misalignment), out(keys.size(), setup.out_misalignment);
  device_array<int> values(positions), values_out(keys.size());
  run(gpuprim::detail::no_values{}, static_cast<gpuprim::detail::no_values*>(nullptr), in.data(), out.data());
  CHECK(count_unequal(out.download(), keys, at) == 0);
  run(static_cast<const int*>(values.data()), values_out.data(), in.data(), out.data());
  CHECK(count_unequal(out.download(), keys, at) == 0);
  CHECK(values_out.download() == at);
  in.check_unchanged();
  values.check_unchanged();
  out.check_guards();
  values_out.check_guards();
}

template <gpuprim::sort_policies Policies, class Key>
void check_sort(std::int64_t n, key_kind kind, const sort_setup& setup = {}, unsigned seed = 1) {
  CAPTURE(int(kind), seed, sizeof(Key));
  const auto keys = make_keys<Key>(n, kind, seed);
  using radix = gpuprim::detail::radix_key<Key>;
  const auto word = [](Key key) { return radix::order(radix::to_word(key)); };
  check_sort_by<Policies>(keys, gpuprim::ascending, gpuprim::sort_direction::ascending, word, setup);
  check_sort_by<Policies>(keys, gpuprim::descending, gpuprim::sort_direction::descending, word, setup);
}

}  // namespace test
