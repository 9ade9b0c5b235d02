// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges of a block, and loads and stores of tiles, which are made of them.
#include <gpuprim/block/block_exchange.cuh>
#include <gpuprim/block/block_load_store.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

#include <numeric>

namespace cg = cooperative_groups;

namespace {

/// What exchange_block writes, in this order: each thread's values, by its rank.
enum form { striped, from_striped, warp_striped, from_warp_striped, scattered, scattered_striped, forms };

/// Every exchange, one after the other: a missing barrier mixes two. The inverse ones begin with the values as they
/// are.
template <int BlockSize, int Items, class T>
__global__ void exchange_block(const T* in, const int* ranks, T* out) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank()), first = rank * Items, n = BlockSize * Items;
  gpuprim::uninitialized_array<T, Items> values;
  int signed_ranks[Items];
  unsigned unsigned_ranks[Items];
  for (int i = 0; i < Items; ++i) {
    const int position = ranks[first + i];
    unsigned_ranks[i] = unsigned(position);
    signed_ranks[i] = position % 5 == 3 ? -1 - position : position;
  }
  const auto begin = [&] {
    for (int i = 0; i < Items; ++i) values[i] = in[first + i];
  };
  const auto put = [&](form which) {
    for (int i = 0; i < Items; ++i) out[which * n + first + i] = values[i];
  };
  begin();
  gpuprim::block_blocked_to_striped<BlockSize>(block, values.items);
  put(striped);
  begin();
  gpuprim::block_striped_to_blocked<BlockSize>(block, values.items);
  put(from_striped);
  if constexpr (BlockSize % 32 == 0) {
    begin();
    gpuprim::block_blocked_to_warp_striped<BlockSize>(block, values.items);
    put(warp_striped);
    begin();
    gpuprim::block_warp_striped_to_blocked<BlockSize>(block, values.items);
    put(from_warp_striped);
  }
  begin();
  gpuprim::block_scatter_to_blocked<BlockSize>(block, values.items, signed_ranks);
  put(scattered);
  begin();
  gpuprim::block_scatter_to_striped<BlockSize>(block, values.items, unsigned_ranks);
  put(scattered_striped);
}

template <int BlockSize, int Items, class T>
void check(dim3 shape = BlockSize) {
  CAPTURE(BlockSize, Items, sizeof(T));
  constexpr int n = BlockSize * Items;
  const auto values = test::make_values<T>(n);
  int factor = 7;
  while (std::gcd(factor, n) != 1) ++factor;
  std::vector<int> ranks;
  for (int i = 0; i < n; ++i) ranks.push_back((i * factor + 5) % n);
  test::device_array<T> input(values), output(std::size_t(forms) * values.size());
  test::device_array<int> positions(ranks);
  test::run(exchange_block<BlockSize, Items, T>, 1, shape, 0, input.data(), positions.data(), output.data());
  const auto got = output.download();
  const auto count_wrong = [&](form which, const auto& find_source) {
    int wrong = 0;
    for (int to = 0; to < n; ++to) {
      const int from = find_source(to / Items, to % Items);
      wrong += from >= 0 && !(got[std::size_t(which * n + to)] == values[std::size_t(from)]);
    }
    return wrong;
  };
  std::vector<int> sources(values.size());
  for (int i = 0; i < n; ++i) sources[std::size_t(ranks[std::size_t(i)])] = i;
  CHECK(count_wrong(striped, [](int rank, int i) { return i * BlockSize + rank; }) == 0);
  CHECK(count_wrong(from_striped, [](int rank, int i) {
          const int number = rank * Items + i;
          return number % BlockSize * Items + number / BlockSize;
        }) == 0);
  if (BlockSize % 32 == 0) {
    CHECK(count_wrong(warp_striped, [](int rank, int i) { return rank / 32 * 32 * Items + i * 32 + rank % 32; }) == 0);
    CHECK(count_wrong(from_warp_striped, [](int rank, int i) {
            const int number = rank % 32 * Items + i;
            return (rank / 32 * 32 + number % 32) * Items + number / 32;
          }) == 0);
  }
  CHECK(count_wrong(scattered, [&](int rank, int i) {
          const int position = rank * Items + i;
          return position % 5 == 3 ? -1 : sources[std::size_t(position)];
        }) == 0);
  CHECK(count_wrong(scattered_striped, [&](int rank, int i) { return sources[std::size_t(i * BlockSize + rank)]; }) ==
        0);
  input.check_unchanged();
  positions.check_unchanged();
  output.check_guards();
}

/// An iterator that computes its elements, and one that writes twice the value.
template <class T>
struct counting {
  using value_type = T;
  using difference_type = std::int64_t;
  using pointer = const T*;
  using reference = T;
  using iterator_category = std::random_access_iterator_tag;
  T first;
  __device__ T operator[](std::int64_t i) const { return T(first + T(i)); }
};
template <class T>
struct doubling {
  T* to;
  struct slot {
    T& at;
    __device__ void operator=(T value) const { at = T(value + value); }
  };
  __device__ slot operator[](std::int64_t i) const { return {to[i]}; }
};

/// Tile after tile, each with the elements that are left: loads, and stores them by the same way.
template <gpuprim::tile_transfer Way, int BlockSize, int Items, class T>
__global__ void copy_tiles(const T* in, int n, const T fill, T* loaded, T* stored) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank());
  constexpr int tile = BlockSize * Items;
  for (int base = 0; base < n; base += tile) {
    gpuprim::uninitialized_array<T, Items> values;
    if (base + tile <= n) {
      gpuprim::block_load<BlockSize, Way>(block, in + base, values.items);
      gpuprim::block_store<BlockSize, Way>(block, values.items, stored + base);
    } else {
      for (int i = 0; i < Items; ++i) values[i] = fill;
      if (n % 2 == 0) gpuprim::block_load<BlockSize, Way>(block, in + base, values.items, n - base);
      else gpuprim::block_load<BlockSize, Way>(block, in + base, values.items, n - base, fill);
      gpuprim::block_store<BlockSize, Way>(block, values.items, stored + base, n - base);
    }
    for (int i = 0; i < Items; ++i) loaded[base + rank * Items + i] = values[i];
  }
}

template <gpuprim::tile_transfer Way, int BlockSize, int Items, class T>
void check_way(std::size_t misalignment = 0) {
  constexpr int tile = BlockSize * Items;
  CAPTURE(int(Way), BlockSize, Items, sizeof(T), misalignment);
  const T fill = test::make_start<T>(0);
  for (int n : {1, Items, tile - 1, tile, 2 * tile + tile / 2, 2 * tile + tile / 2 + 1}) {
    const int tiles = (n + tile - 1) / tile;
    const auto values = test::make_values<T>(n);
    test::device_array<T> input(values, misalignment), loaded(std::size_t(tiles * tile)),
        stored(values.size(), misalignment);
    test::run(copy_tiles<Way, BlockSize, Items, T>, 1, BlockSize, 0, input.data(), n, fill, loaded.data(),
              stored.data());
    CHECK(test::count_wrong(stored.download(), 0, values, n) == 0);
    const auto got = loaded.download();
    int wrong = 0;
    for (int at = 0; at < tiles * tile; ++at) {
      const int rank = at % tile / Items, i = at % Items;
      const int element = Way == gpuprim::tile_transfer::striped ? at / tile * tile + i * BlockSize + rank : at;
      wrong += !(got[std::size_t(at)] == (element < n ? values[std::size_t(element)] : fill));
    }
    CHECK(wrong == 0);
    input.check_unchanged();
    stored.check_guards();
  }
}

template <int BlockSize, int Items, class T>
void check_ways() {
  using enum gpuprim::tile_transfer;
  check_way<direct, BlockSize, Items, T>();
  check_way<striped, BlockSize, Items, T>();
  for (std::size_t elements : {0, 1, 3}) check_way<vectorised, BlockSize, Items, T>(elements * alignof(T));
  check_way<transposed, BlockSize, Items, T>(alignof(T));
  if constexpr (BlockSize % 32 == 0) check_way<warp_transposed, BlockSize, Items, T>();
}

template <gpuprim::tile_transfer Way>
__global__ void copy_by_iterators(float* out) {
  const gpuprim::this_block block;
  double values[3];
  gpuprim::block_load<64, Way>(block, counting<int>{5}, values);  // of another type than the values
  gpuprim::block_store<64, Way>(block, values, doubling<float>{out}, 190);
}

/// Each exchange twice in a row, which has them use all of their shared memory at once if a barrier is missing.
template <int BlockSize, int Items>
__global__ void exchange_twice(const int* in, const int* ranks, int* out) {
  const gpuprim::this_block block;
  const int first = int(block.thread_rank()) * Items;
  int values[Items], places[Items];
  for (int i = 0; i < Items; ++i) {
    values[i] = in[first + i];
    places[i] = ranks[first + i];
  }
  const auto repeat = [&](const auto& exchange) {
    exchange();
    exchange();
  };
  repeat([&] { gpuprim::block_blocked_to_striped<BlockSize>(block, values); });
  repeat([&] { gpuprim::block_striped_to_blocked<BlockSize>(block, values); });
  repeat([&] { gpuprim::block_blocked_to_warp_striped<BlockSize>(block, values); });
  repeat([&] { gpuprim::block_warp_striped_to_blocked<BlockSize>(block, values); });
  repeat([&] { gpuprim::block_scatter_to_blocked<BlockSize>(block, values, places); });
  repeat([&] { gpuprim::block_scatter_to_striped<BlockSize>(block, values, places); });
  gpuprim::block_striped_to_blocked<BlockSize>(block, values);
  for (int i = 0; i < Items; ++i) out[first + i] = values[i];
}

/// The first pairs undo each other, and each scatter turns all values round.
template <int BlockSize, int Items>
void check_twice() {
  const auto values = test::make_values<int>(BlockSize * Items);
  std::vector<int> ranks(values.size());
  std::iota(ranks.rbegin(), ranks.rend(), 0);
  test::device_array<int> input(values), positions(ranks), output(values.size());
  test::run(exchange_twice<BlockSize, Items>, 1, BlockSize, 0, input.data(), positions.data(), output.data());
  // The last two scatters have read striped values as blocked ones in between.
  std::vector<int> want = values, striped(values.size());
  std::reverse(want.begin(), want.end());
  for (int i = 0; i < BlockSize * Items; ++i) {
    striped[std::size_t(i)] = want[std::size_t(i % Items * BlockSize + i / Items)];
  }
  std::reverse(striped.begin(), striped.end());
  CHECK(output.download() == striped);
}

}  // namespace

TEST_CASE("exchanges of a block, by the vectors that a thread has", "[block][sanitizer]") {
  check<64, 1, int>();
  check<64, 2, int>();
  check<96, 3, int>();
  check<128, 4, int>();
  check<256, 5, int>();
  check<128, 8, int>();
  check<96, 12, int>();
  check<256, 16, int>();
  check<64, 24, int>();
  check<32, 32, int>();
  check<32, 64, int>();
  check<1024, 4, int>();
  check<375, 32, int>();  // all of static shared memory, without room for gaps
}

TEST_CASE("exchanges of blocks that are no multiple of a warp, and of several dimensions", "[block]") {
  check<1, 4, int>();
  check<7, 8, int>();
  check<33, 16, short>();
  check<100, 3, test::affine>();
  check<96, 8, int>(dim3(8, 12));
  check<105, 4, float>(dim3(3, 5, 7));
}

TEST_CASE("exchanges of a block of every element type", "[block]") {
  check<64, 7, signed char>();
  check<64, 16, unsigned char>();
  check<96, 32, unsigned char>();
  check<64, 6, test::triple<signed char>>();
  check<64, 8, short>();
  check<64, 5, __half>();
  check<64, 4, double>();
  check<64, 9, std::int64_t>();
  check<64, 4, test::point3>();
  check<64, 8, test::point3>();
  check<32, 6, test::triple<std::int64_t>>();
  check<64, 4, test::matrix2>();
  check<32, 3, test::matrix2>();
  check<64, 4, test::span_of_positions>();
  check<64, 8, test::loose_word>();
}

TEST_CASE("exchanges of a small block", "[block][tsan]") {
  check<64, 4, int>();
  check<96, 3, test::point3>();
  check_twice<96, 3>();
  check_twice<64, 8>();
  check_way<gpuprim::tile_transfer::transposed, 64, 4, int>();
  check_way<gpuprim::tile_transfer::warp_transposed, 64, 4, int>();
}

TEST_CASE("loads and stores of tiles by every way", "[block][sanitizer]") {
  check_ways<64, 4, int>();
  check_ways<96, 3, float>();
  check_ways<100, 8, short>();
  check_ways<64, 16, unsigned char>();
  check_ways<64, 2, double>();
  check_ways<32, 4, test::point3>();
  check_ways<64, 4, test::span_of_positions>();
}

TEST_CASE("loads and stores of tiles by iterators", "[block]") {
  const auto check_by = [](auto kernel) {
    test::device_array<float> out(190);
    test::run(kernel, 1, 64, 0, out.data());
    const auto got = out.download();
    for (int i = 0; i < 190; ++i) CHECK(got[std::size_t(i)] == float(2 * (i + 5)));
    out.check_guards();
  };
  check_by(copy_by_iterators<gpuprim::tile_transfer::direct>);
  check_by(copy_by_iterators<gpuprim::tile_transfer::striped>);
  check_by(copy_by_iterators<gpuprim::tile_transfer::vectorised>);
  check_by(copy_by_iterators<gpuprim::tile_transfer::transposed>);
  check_by(copy_by_iterators<gpuprim::tile_transfer::warp_transposed>);
}
