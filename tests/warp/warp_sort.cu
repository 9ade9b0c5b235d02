// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_merge.cuh>
#include <gpuprim/warp/warp_sort.cuh>

#include "../support/sort_check.cuh"
#include "../support/tiles.cuh"

#include <cooperative_groups.h>

#include <functional>

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 64;

/// What a kernel does with the keys of a tile.
enum class job { sort, merge };

/// An order that returns a number and no bool.
struct by_part_as_number {
  GPUPRIM_HOST_DEVICE int operator()(const test::tagged& a, const test::tagged& b) const {
    return test::by_part{}(a, b) ? 2 : 0;
  }
};

/// Sorts or merges the keys of each tile, first alone and then with their positions as values.
template <job Job, bool Cooperative, int Size, class Key, int Items, class Less>
__global__ void sort_tiles(const Key* in, Key* alone, Key* keys_out, int* values_out, int valid, Less less) {
  const int first = int(blockIdx.x * blockDim.x + threadIdx.x) * Items;
  gpuprim::uninitialized_array<Key, Items> keys, own;
  int values[Items];
  for (int i = 0; i < Items; ++i) {
    keys[i] = own[i] = in[first + i];
    values[i] = first + i;
  }
  const auto work = [&](const auto& tile) {
    if constexpr (Job == job::sort && Items == 1) {
      gpuprim::warp_sort(tile, own[0], less, valid);
      gpuprim::warp_sort(tile, keys[0], values[0], less, valid);
    } else if constexpr (Job == job::sort) {
      gpuprim::warp_sort(tile, own.items, less, valid);
      gpuprim::warp_sort(tile, keys.items, values, less, valid);
    } else if constexpr (Items == 1) {
      gpuprim::warp_merge(tile, own[0], less, valid);
      gpuprim::warp_merge(tile, keys[0], values[0], less, valid);
    } else {
      gpuprim::warp_merge(tile, own.items, less, valid);
      gpuprim::warp_merge(tile, keys.items, values, less, valid);
    }
  };
  if constexpr (Cooperative) work(cg::tiled_partition<Size>(cg::this_thread_block()));
  else work(gpuprim::warp_tile<Size>{});
  for (int i = 0; i < Items; ++i) {
    alone[first + i] = own[i];
    keys_out[first + i] = keys[i];
    values_out[first + i] = values[i];
  }
}

template <job Job, bool Cooperative, int Size, class Key, int Items, class Less>
void check_keys(std::vector<Key> keys, int valid, Less less) {
  CAPTURE(Cooperative, Size, Items, valid);
  constexpr int tile_items = Size * Items;
  const std::size_t n = keys.size(), count = std::size_t(std::min(valid, tile_items));
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = int(i);
  test::device_array<Key> input(keys), alone(n), keys_out(n);
  test::device_array<int> values_out(n);
  test::run(sort_tiles<Job, Cooperative, Size, Key, Items, Less>, unsigned(n / Items / threads), threads, 0,
            input.data(), alone.data(), keys_out.data(), values_out.data(), valid, less);
  const auto got = keys_out.download(), got_alone = alone.download();
  const auto got_values = values_out.download();
  int wrong = 0;
  for (std::size_t from = 0; from < n; from += tile_items) {
    test::sort_part(keys, values, from, count, less);
    wrong += test::count_different(got, keys, from, count) + test::count_different(got_alone, keys, from, count) +
             test::count_different(got_values, values, from, count);
  }
  CHECK(wrong == 0);
  input.check_unchanged();
  for (const test::guarded_bytes* array :
       {(test::guarded_bytes*)&alone, (test::guarded_bytes*)&keys_out, (test::guarded_bytes*)&values_out}) {
    array->check_guards();
  }
}

template <bool Cooperative, int Size, class Key, int Items, class Less>
void check_tile(Less less) {
  const auto keys = test::make_keys<Key>(threads * Items);
  for (int valid : {0, 1, Size * Items / 2 + 1, Size * Items - 1, gpuprim::detail::all_values}) {
    check_keys<job::sort, Cooperative, Size, Key, Items>(keys, valid, less);
    if constexpr (Size > 1) {
      auto runs = keys;
      std::vector<int> values(keys.size());
      for (std::size_t from = 0; from < keys.size(); from += Size * Items / 2) {
        test::sort_part(runs, values, from, Size * Items / 2, less);
      }
      check_keys<job::merge, Cooperative, Size, Key, Items>(runs, valid, less);
    }
  }
}

/// Merges of all runs of zeros and ones: whoever merges them merges any.
template <int Size, int Items>
void check_all_merges() {
  constexpr int half = Size / 2 * Items, block_items = threads * Items;
  std::vector<test::tagged> keys;
  for (int a = 0; a <= half; ++a) {
    for (int b = 0; b <= half; ++b) {
      for (int i = 0; i < 2 * half; ++i) {
        keys.push_back({short(i < half ? i >= a : i - half >= b), static_cast<unsigned short>(i)});
      }
    }
  }
  while (keys.size() % block_items != 0) keys.push_back({1, 0});
  check_keys<job::merge, false, Size, test::tagged, Items>(keys, gpuprim::detail::all_values, test::by_part{});
}

__global__ void sort_few(const test::tagged* in, test::tagged* out, unsigned* seen, int valid) {
  const gpuprim::warp_tile<16> tile;
  const int rank = int(tile.thread_rank());
  test::tagged keys[2];
  for (int i = 0; i < 2; ++i) keys[i] = 2 * rank + i < valid ? in[2 * threadIdx.x + i] : test::tagged{-1, 0};
  gpuprim::warp_sort(tile, keys, test::wary_order{seen}, valid);
  for (int i = 0; i < 2; ++i) out[2 * threadIdx.x + i] = keys[i];
}

}  // namespace

TEST_CASE("warp sorts and merges over every tile size", "[warp][sanitizer][tsan]") {
  test::for_every_tile([&]<bool Cooperative, int Size>() {
    check_tile<Cooperative, Size, test::tagged, 1>(test::by_part{});
    check_tile<Cooperative, Size, test::tagged, 3>(test::by_part{});
    check_tile<Cooperative, Size, int, 2>(std::less<>{});
  });
}

TEST_CASE("warp sorts and merges of every number of keys a lane", "[warp]") {
  check_tile<false, 32, test::tagged, 2>(test::by_part{});
  check_tile<false, 32, test::tagged, 4>(test::by_part{});
  check_tile<false, 32, test::tagged, 5>(test::by_part{});
  check_tile<false, 32, test::tagged, 6>(test::by_part{});
  check_tile<false, 32, test::tagged, 7>(test::by_part{});
  check_tile<true, 32, test::tagged, 8>(test::by_part{});
  check_all_merges<8, 1>();
  check_all_merges<8, 3>();
  check_all_merges<8, 4>();
  check_all_merges<16, 5>();
}

TEST_CASE("warp sorts of every key type", "[warp]") {
  check_tile<false, 32, signed char, 4>(std::less<signed char>{});
  check_tile<false, 32, unsigned char, 1>(std::greater<>{});
  check_tile<true, 32, unsigned, 3>(std::greater<unsigned>{});
  check_tile<false, 32, int, 1>(std::less<short>{});  // compares less than the keys have
  check_tile<true, 32, std::int64_t, 8>(std::less<>{});
  check_tile<false, 32, __half, 1>(std::less<>{});
  check_tile<false, 32, float, 5>(std::greater<>{});
  check_tile<false, 32, double, 2>(test::by_part{});
  check_tile<false, 32, test::triple<signed char>, 2>(test::by_part{});
  check_tile<false, 32, test::point3, 4>(test::by_part{});
  check_tile<false, 32, test::matrix2, 2>(test::by_part{});
  check_tile<false, 32, test::span_of_positions, 3>(test::by_part{});
  check_tile<false, 32, test::tagged, 4>(by_part_as_number{});
}

TEST_CASE("The order of a warp sort does not see the keys that do not count", "[warp]") {
  const auto keys = test::make_keys<test::tagged>(64);
  for (int valid = 0; valid <= 33; ++valid) {
    test::device_array<test::tagged> input(keys), output(64);
    test::device_array<unsigned> seen(std::vector<unsigned>{0});
    test::run(sort_few, 1, 32, 0, input.data(), output.data(), seen.data(), valid);
    CHECK(seen.download()[0] == 0);
  }
}
