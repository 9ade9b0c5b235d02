// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of a block by ranges of bits that are constants: the compiler knows the votes for the bits of a digit that no
// range has.
#include <gpuprim/block/block_radix_sort.cuh>

#include "../support/radix_sort_check.cuh"

namespace {

struct bit_pair {
  int first, end;
};
/// One to eight bits, at the beginning of a key and at other places.
constexpr bit_pair ranges[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8},
                               {3, 4}, {5, 7}, {4, 8}, {1, 7}, {7, 8}, {2, 2}, {8, 8}};
constexpr int range_count = int(std::size(ranges));

/// Whether keys of a type have the bits of a range.
template <class Key, int Range>
inline constexpr bool has_range = ranges[Range].end <= gpuprim::detail::radix_key<Key>::bits;

/// How arrays hold keys of a type: std::vector<bool> has no array.
template <class Key>
using held = std::conditional_t<std::is_same_v<Key, bool>, unsigned char, Key>;

/// Sorts by each range: part i of the output is sorted by range i.
template <int BlockSize, int Items, class Key>
__global__ void sort_by_bits(const held<Key>* in, held<Key>* out) {
  const gpuprim::this_block block;
  const int first = int(block.thread_rank()) * Items;
  const auto sort = [&]<int Range>(std::integral_constant<int, Range>) {
    if constexpr (has_range<Key, Range>) {
      constexpr bit_pair bits = ranges[Range];
      gpuprim::uninitialized_array<Key, Items> keys;
      for (int i = 0; i < Items; ++i) keys[i] = static_cast<Key>(in[first + i]);
      gpuprim::block_radix_sort<BlockSize>(block, keys.items, gpuprim::ascending.bits(bits.first, bits.end));
      for (int i = 0; i < Items; ++i) out[Range * BlockSize * Items + first + i] = keys[i];
    }
  };
  [&]<int... Range>(std::integer_sequence<int, Range...>) {
    (sort(std::integral_constant<int, Range>{}), ...);
  }(std::make_integer_sequence<int, range_count>{});
}

template <int BlockSize, class Key>
void check_bits() {
  constexpr int items = 2, n = BlockSize * items;
  CAPTURE(BlockSize);
  using radix = gpuprim::detail::radix_key<Key>;
  auto keys = test::make_keys<held<Key>>(n, test::key_kind::random);
  if constexpr (std::is_same_v<Key, bool>) {
    for (auto& key : keys) key %= 2;
  }
  test::device_array<held<Key>> in(keys), out(std::size_t(n * range_count));
  test::run(sort_by_bits<BlockSize, items, Key>, 1, BlockSize, 0, in.data(), out.data());
  const auto got = out.download();
  for (int i = 0; i < range_count; ++i) {
    const auto [first, end] = ranges[i];
    if (end > radix::bits) continue;
    CAPTURE(first, end);
    const auto word = [first = first, end = end](held<Key> key) {
      return std::uint64_t(radix::order(radix::to_word(static_cast<Key>(key)))) % (std::uint64_t{1} << end) >> first;
    };
    const auto at = test::sort_positions(keys, word, gpuprim::sort_direction::ascending);
    CHECK(test::count_unequal({got.begin() + i * n, got.begin() + (i + 1) * n}, keys, at) == 0);
  }
  in.check_unchanged();
  out.check_guards();
}

template <class Key>
void check_sizes() {
  check_bits<32, Key>();
  check_bits<64, Key>();
  check_bits<128, Key>();
  check_bits<256, Key>();
}

}  // namespace

TEST_CASE("Radix sorts by few bits in blocks of every size", "[block][few_schedules]") {
  check_sizes<unsigned char>();
  check_bits<96, unsigned char>();
  check_bits<160, unsigned char>();
  check_bits<224, unsigned char>();
  check_bits<512, unsigned char>();
  check_bits<1024, unsigned char>();
}

TEST_CASE("Radix sorts by few bits of every type", "[block][few_schedules]") {
  check_sizes<bool>();
  check_sizes<signed char>();
  test::unless_sanitized([](auto) {
    check_sizes<unsigned short>();
    check_sizes<int>();
    check_sizes<unsigned>();
    check_sizes<std::uint64_t>();
    check_sizes<float>();
    check_sizes<__half>();
  });
}
