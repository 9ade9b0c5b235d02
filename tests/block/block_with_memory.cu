// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_merge.cuh>
#include <gpuprim/block/block_radix_sort.cuh>
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/core/shared.cuh>

#include "../support/radix_sort_check.cuh"

#include <algorithm>
#include <functional>

namespace {

/// Of pairs, of keys and of sorts by digits, whichever need more.
template <int BlockSize, int Items, class Key, class Value>
inline constexpr int needed_bytes =
    std::max({gpuprim::block_sort_bytes<BlockSize, Items, Key, Value>, gpuprim::block_sort_bytes<BlockSize, Items, Key>,
              gpuprim::block_radix_sort_bytes<BlockSize, Items, Key, Value>});

/// What a block writes, in this order.
enum form { by_digits, by_order, merged, all_forms };

/// All calls one after the other through one piece of memory: a missing barrier mixes two.
template <int BlockSize, int Items, class Key, class Value>
__global__ void __launch_bounds__(BlockSize) sort_pairs(const Key* in, Key* keys_out, Value* values_out, int valid) {
  const gpuprim::block_with_memory block(gpuprim::dynamic_shared<uint4>(), needed_bytes<BlockSize, Items, Key, Value>);
  const int n = BlockSize * Items, first = int(block.thread_rank()) * Items;
  Key keys[Items];
  Value values[Items];
  const auto begin = [&] {
    for (int i = 0; i < Items; ++i) {
      keys[i] = in[first + i];
      values[i] = static_cast<Value>(first + i);
    }
  };
  const auto put = [&](form which) {
    unsigned ranks[Items];
    for (int i = 0; i < Items; ++i) ranks[i] = unsigned(n - 1 - first - i);
    for (int turn = 0; turn < 2; ++turn) {  // there and back
      gpuprim::block_scatter_to_blocked<BlockSize>(block, keys, ranks);
      gpuprim::block_scatter_to_blocked<BlockSize>(block, values, ranks);
    }
    for (int i = 0; i < Items; ++i) {
      keys_out[which * n + first + i] = keys[i];
      values_out[which * n + first + i] = values[i];
    }
  };
  begin();
  gpuprim::block_radix_sort<BlockSize>(block, keys, values, gpuprim::ascending, valid);
  put(by_digits);
  begin();
  gpuprim::block_sort<BlockSize>(block, keys, values, std::less<>{}, valid);
  put(by_order);
  begin();
  gpuprim::block_striped_to_blocked<BlockSize>(block, keys);
  gpuprim::block_blocked_to_striped<BlockSize>(block, keys);
  gpuprim::block_blocked_to_warp_striped<BlockSize>(block, values);
  gpuprim::block_warp_striped_to_blocked<BlockSize>(block, values);
  gpuprim::block_sort<BlockSize>(block, keys, values, std::less<>{}, n / 2);
  gpuprim::block_merge<BlockSize>(block, keys, values, n / 2, std::less<>{}, n / 2);
  put(merged);
}

template <int BlockSize, int Items, class Key, class Value>
void check(test::key_kind kind, int valid) {
  constexpr int n = BlockSize * Items, bytes = needed_bytes<BlockSize, Items, Key, Value>;
  CAPTURE(BlockSize, Items, bytes, valid);
  const auto keys = test::make_keys<Key>(n, kind);
  test::device_array<Key> in(keys);
  test::device_array<Key> keys_out(std::size_t(all_forms * n));
  test::device_array<Value> values_out(std::size_t(all_forms * n));
  const auto kernel = sort_pairs<BlockSize, Items, Key, Value>;
  if (bytes > gpuprim::detail::most_static_shared_bytes) {
    REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess);
  }
  REQUIRE(gpuprim::launch(gpuprim::start::in_order, kernel, {1, BlockSize, bytes}, nullptr, in.data(), keys_out.data(),
                          values_out.data(), valid) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto got = keys_out.download();
  const auto got_values = values_out.download();
  for (int which = 0; which < all_forms; ++which) {
    CAPTURE(which);
    const int count = which == merged ? n / 2 : std::min(valid, n);
    std::vector<int> at(std::size_t{unsigned(count)});
    for (int i = 0; i < count; ++i) at[std::size_t(i)] = i;
    std::stable_sort(at.begin(), at.end(), [&](int a, int b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
      wrong += got[std::size_t(which * n + i)] != keys[std::size_t(at[std::size_t(i)])];
      wrong += got_values[std::size_t(which * n + i)] != static_cast<Value>(at[std::size_t(i)]);
    }
    CHECK(wrong == 0);
  }
  in.check_unchanged();
  keys_out.check_guards();
  values_out.check_guards();
}

template <int BlockSize, int Items, class Key, class Value>
void check_counts() {
  constexpr int n = BlockSize * Items;
  check<BlockSize, Items, Key, Value>(test::key_kind::random, gpuprim::detail::all_values);
  for (int valid : {0, Items, n / 3, n - 1}) check<BlockSize, Items, Key, Value>(test::key_kind::few_distinct, valid);
}

}  // namespace

TEST_CASE("A block sorts, merges and exchanges through memory of its caller", "[block][tsan][sanitizer]") {
  check_counts<64, 3, unsigned, double>();
}

TEST_CASE("Blocks of every size sort pairs through memory of their caller", "[block]") {
  check_counts<32, 5, unsigned short, unsigned>();
  check_counts<96, 2, double, unsigned short>();
  check_counts<128, 4, int, long long>();
  check_counts<256, 7, unsigned char, int>();
}

TEST_CASE("A block sorts pairs of more than 48 KiB", "[block]") {
  static_assert(gpuprim::block_sort_bytes<512, 16, int, double> > gpuprim::detail::most_static_shared_bytes);
  check<512, 16, int, double>(test::key_kind::random, 512 * 16 - 5);
  check<1024, 8, long long, long long>(test::key_kind::few_distinct, gpuprim::detail::all_values);
}
