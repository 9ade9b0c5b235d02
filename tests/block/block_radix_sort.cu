// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_radix_sort.cuh>

#include "../support/radix_sort_check.cuh"

#include <cooperative_groups.h>
#include <cuda_fp8.h>

#include <tuple>

namespace cg = cooperative_groups;

namespace {

/// What sort_block writes of keys, in this order, and of values.
enum form { alone, with_values, striped, striped_with_values, forms };

/// Every sort, one after the other: a missing barrier mixes two.
template <int BlockSize, int Items, class Key, class Order>
__global__ void sort_block(const Key* in, Key* keys_out, int* values_out, Order order, int count) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank()), first = rank * Items, n = BlockSize * Items;
  gpuprim::uninitialized_array<Key, Items> keys;
  int values[Items];
  const auto begin = [&] {
    for (int i = 0; i < Items; ++i) {
      keys[i] = in[first + i];
      values[i] = first + i;
    }
  };
  const auto put = [&](form which, bool is_striped, bool has_values) {
    for (int i = 0; i < Items; ++i) {
      const int at = which * n + (is_striped ? i * BlockSize + rank : first + i);
      keys_out[at] = keys[i];
      if (has_values) values_out[at] = values[i];
    }
  };
  begin();
  gpuprim::block_radix_sort<BlockSize>(block, keys.items, order, count);
  put(alone, false, false);
  begin();
  gpuprim::block_radix_sort<BlockSize>(block, keys.items, values, order, count);
  put(with_values, false, true);
  begin();
  gpuprim::block_radix_sort_to_striped<BlockSize>(block, keys.items, order, count);
  put(striped, true, false);
  begin();
  gpuprim::block_radix_sort_to_striped<BlockSize>(block, keys.items, values, order, count);
  put(striped_with_values, true, true);
}

template <int BlockSize, int Items, class Key, class Order, class Word>
void check_by(const std::vector<Key>& keys, const Order& order, gpuprim::sort_direction direction, const Word& word,
              int count) {
  constexpr int n = BlockSize * Items;
  CAPTURE(BlockSize, Items, count);
  test::device_array<Key> in(keys), keys_out(std::size_t(forms * n));
  test::device_array<int> values_out(std::size_t(forms * n));
  test::run(sort_block<BlockSize, Items, Key, Order>, 1, BlockSize, 0, in.data(), keys_out.data(), values_out.data(),
            order, count);
  const int valid = count < n ? count : n;
  const std::vector<Key> sorted(keys.begin(), keys.begin() + valid);
  const auto at = test::sort_positions(sorted, word, direction);
  const auto got = keys_out.download();
  const auto got_values = values_out.download();
  for (int which = 0; which < forms; ++which) {
    CAPTURE(which);
    const std::vector<Key> own(got.begin() + which * n, got.begin() + which * n + valid);
    CHECK(test::count_unequal(own, keys, at) == 0);
    if (which % 2 == 0) continue;
    CHECK(std::vector<int>(got_values.begin() + which * n, got_values.begin() + which * n + valid) == at);
  }
  in.check_unchanged();
  keys_out.check_guards();
  values_out.check_guards();
}

template <int BlockSize, int Items, class Key>
void check(test::key_kind kind, int count = gpuprim::detail::all_values) {
  const auto keys = test::make_keys<Key>(BlockSize * Items, kind);
  using radix = gpuprim::detail::radix_key<Key>;
  const auto word = [](Key key) { return radix::order(radix::to_word(key)); };
  check_by<BlockSize, Items>(keys, gpuprim::ascending, gpuprim::sort_direction::ascending, word, count);
  check_by<BlockSize, Items>(keys, gpuprim::descending, gpuprim::sort_direction::descending, word, count);
}

struct pixel {
  unsigned char red, green, blue;
};
struct by_color {
  GPUPRIM_HOST_DEVICE gpuprim::tuple<unsigned char, unsigned char, unsigned char> operator()(const pixel& p) const {
    return {p.green, p.red, p.blue};
  }
};

}  // namespace

TEST_CASE("Radix sorts of a block", "[block][tsan][sanitizer]") {
  check<64, 3, unsigned>(test::key_kind::random);
  check<256, 2, float>(test::key_kind::extreme);
}

TEST_CASE("Radix sorts of blocks of every size", "[block]") {
  for (const auto kind : {test::key_kind::random, test::key_kind::few_distinct, test::key_kind::all_equal}) {
    check<32, 1, int>(kind);
    check<96, 5, unsigned short>(kind);
    check<128, 4, double>(kind);
    check<512, 1, signed char>(kind);
    check<1024, 1, unsigned>(kind);
  }
}

TEST_CASE("Radix sorts of the first keys of a block", "[block]") {
  for (int count : {1, 2, 31, 32, 33, 100, 191, 192}) check<64, 3, unsigned>(test::key_kind::extreme, count);
}

TEST_CASE("Radix sorts of a block by bits and by members", "[block]") {
  const auto keys = test::make_keys<unsigned>(64 * 4, test::key_kind::random);
  for (const auto& [first, end] : {std::pair{3, 9}, {0, 5}, {17, 32}, {4, 4}, {32, 32}}) {
    const auto word = [first = first, end = end](unsigned key) {
      return std::uint64_t(key) % (std::uint64_t{1} << end) >> first;
    };
    check_by<64, 4>(keys, gpuprim::ascending.bits(first, end), gpuprim::sort_direction::ascending, word, 256);
  }
  std::vector<pixel> pixels;
  for (unsigned key : keys) {
    pixels.push_back({std::uint8_t(key % 3), std::uint8_t(key / 3 % 4), std::uint8_t(key >> 8)});
  }
  const auto word = [](const pixel& p) { return std::tuple(p.green, p.red, p.blue); };
  check_by<64, 4>(pixels, gpuprim::descending.by(by_color{}), gpuprim::sort_direction::descending, word, 200);
}

TEST_CASE("Radix sorts of a block of 8-bit floats and of integers of 128 bits", "[block]") {
  check<64, 3, __nv_fp8_e4m3>(test::key_kind::random);
  check<128, 2, __nv_fp8_e5m2>(test::key_kind::extreme);
  std::vector<gpuprim::int128> keys;
  for (unsigned key : test::make_keys<unsigned>(64 * 3, test::key_kind::random)) {
    keys.push_back((gpuprim::int128(int(key % 7) - 3) << (key % 2 == 0 ? 64 : 100)) + key);
  }
  const auto itself = [](const gpuprim::int128& key) { return key; };
  check_by<64, 3>(keys, gpuprim::ascending, gpuprim::sort_direction::ascending, itself, 64 * 3);
  check_by<64, 3>(keys, gpuprim::descending, gpuprim::sort_direction::descending, itself, 100);
  const auto upper = [](const gpuprim::int128& key) { return key >> 64; };
  check_by<64, 3>(keys, gpuprim::ascending.bits(64, 128), gpuprim::sort_direction::ascending, upper, 64 * 3);
}
