// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks share that take tiles in order: tickets, counts, prefixes, and the clearing of all of it.
#include <gpuprim/core/shared.cuh>
#include <gpuprim/grid/tile_counts.cuh>
#include <gpuprim/grid/tile_order.cuh>
#include <gpuprim/grid/tile_prefix.cuh>

#include "../support/reduce_check.cuh"
#include "../support/schedules.cuh"

#include <algorithm>

namespace {

namespace lib = gpuprim::detail;
using lib::prefix_use;

/// Draws a block's next tile.
__device__ int draw(const lib::tile_order& order) {
  GPUPRIM_SHARED(drawn, int);
  if (threadIdx.x == 0) drawn = order.take();
  __syncthreads();
  const int tile = drawn;
  __syncthreads();
  return tile;
}

/// out[i] = the aggregates since the last tile before i with a boundary, where tile i has one.
template <class T, class Op>
__global__ void find_open_prefixes(const T* aggregates, const int* boundaries, T* out, Op op, lib::tile_order order,
                                   lib::tile_prefix<T> prefixes) {
  for (int tile = draw(order); tile < prefixes.tiles; tile = draw(order)) {
    if (threadIdx.x == 0) prefixes.publish(tile, aggregates[tile], boundaries[tile]);
    const bool is_wanted = boundaries[tile] > 0;
    if (threadIdx.x / 32 == 0 && (is_wanted || prefixes.ends_node(tile))) {
      const auto before =
          prefixes.before(prefixes.ask(tile), tile, is_wanted ? prefix_use::wanted : prefix_use::unwanted, op);
      if (threadIdx.x == 0 && is_wanted && before.present) out[tile] = before.value;
    }
  }
  order.leave([&] { prefixes.clear(prefixes.tiles); });
}

/// out[i] = the counts before tile i.
template <int BlockSize>
__global__ void find_places(const int* counts, int tiles, std::int64_t* out, lib::tile_order order,
                            lib::tile_counts shared_counts) {
  GPUPRIM_SHARED(of_warps, std::uint64_t[BlockSize / 32]);
  lib::tile_counts::reader<BlockSize> places{shared_counts.counts};
  for (int tile = draw(order); tile < tiles; tile = draw(order)) {
    if (threadIdx.x == 0) shared_counts.publish(tile, unsigned(counts[tile]));
    places.advance(places.ask(tile), tile, of_warps);
    if (threadIdx.x == 0) out[tile] = places.before;
  }
  order.leave([&] { shared_counts.clear(tiles); });
}

/// Memory that is zero, for launches one after the other, which leave it so.
using zeroed = test::device_array<unsigned char>;
zeroed make_state(std::int64_t bytes) { return zeroed(std::vector<unsigned char>(std::size_t(bytes), 0)); }

template <class T, class Op>
std::vector<T> open_prefixes_of(const std::vector<T>& in, const std::vector<int>& boundaries, Op op, unsigned blocks,
                                unsigned block_size = 64) {
  using order = lib::tile_order;
  using prefix = lib::tile_prefix<T>;
  const auto tiles = std::int64_t(in.size());
  const zeroed state = make_state(order::bytes + prefix::bytes(tiles));
  test::device_array<T> aggregates(in), out(in.size());
  test::device_array<int> on_device(boundaries);
  test::run(find_open_prefixes<T, Op>, blocks, block_size, 0, aggregates.data(), on_device.data(), out.data(), op,
            order::lay_over(state.data()), prefix::lay_over(state.data() + order::bytes, tiles));
  out.check_guards();
  state.check_unchanged();
  return out.download();
}

template <class T, class Op>
void check_open_prefixes(Op op, int tiles, unsigned blocks, const std::vector<int>& with_boundary) {
  CAPTURE(tiles, blocks);
  std::vector<T> in;
  std::vector<int> boundaries(std::size_t(tiles), 0);
  for (int i = 0; i < tiles; ++i) in.push_back(test::make_value<T>(i));
  for (int i : with_boundary) boundaries[std::size_t(i)] = 1;
  const auto got = open_prefixes_of(in, boundaries, op, blocks);
  for (int i : with_boundary) {
    if (i == 0) continue;
    int begin = i - 1;
    while (begin > 0 && boundaries[std::size_t(begin)] == 0) --begin;
    T want = in[std::size_t(begin)];
    for (int k = begin + 1; k < i; ++k) want = op(want, in[std::size_t(k)]);
    CHECK(bool(got[std::size_t(i)] == want));
  }
}

template <int BlockSize>
void check_places(std::vector<int> numbers_of_tiles, unsigned blocks) {
  using order = lib::tile_order;
  const int most = *std::max_element(numbers_of_tiles.begin(), numbers_of_tiles.end());
  const zeroed state = make_state(order::bytes + lib::tile_counts::bytes(most));
  for (int tiles : numbers_of_tiles) {
    CAPTURE(tiles, blocks);
    std::vector<int> in;
    std::vector<std::int64_t> want;
    std::int64_t sum = 0;
    for (int i = 0; i < tiles; ++i) {
      in.push_back(int(test::scramble(std::uint64_t(i)) % 60000));
      want.push_back(sum);
      sum += in.back();
    }
    test::device_array<int> counts(in);
    test::device_array<std::int64_t> out(in.size());
    test::run(find_places<BlockSize>, blocks, BlockSize, 0, counts.data(), tiles, out.data(),
              order::lay_over(state.data()), lib::tile_counts::lay_over(state.data() + order::bytes, most));
    CHECK(out.download() == want);
    out.check_guards();
    state.check_unchanged();
  }
}

/// Sums that are not exact, so that another order of the additions would show.
std::vector<float> inexact_floats(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(float(test::scramble(std::uint64_t(i))) * 1e-9f);
  return values;
}
struct add_floats {  // without an identity
  GPUPRIM_HOST_DEVICE float operator()(float a, float b) const { return a + b; }
};

const std::vector<int> tile_edges{1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 1, 128, 130};

}  // namespace

TEST_CASE("A prefix since a boundary", "[grid][sanitizer]") {
  std::vector<int> all, few{0, 1, 30, 31, 32, 63, 70, 95, 96, 300};
  for (int i = 0; i < 100; ++i) all.push_back(i);
  for (unsigned blocks : {1u, 4u, 7u}) {
    check_open_prefixes<test::affine>(test::then{}, 310, blocks, few);
    check_open_prefixes<test::affine>(test::then{}, 100, blocks, all);
    check_open_prefixes<test::affine>(test::then{}, 97, blocks, {});  // no tile has one: nothing to wait for
    check_open_prefixes<test::affine>(test::then{}, 97, blocks, {96});
  }
  test::unless_sanitized([](auto) {
    check_open_prefixes<test::affine>(test::then{}, 2100, 5, {3, 1022, 1024, 2048, 2099});
    check_open_prefixes<test::affine>(test::then{}, 2100, 5, {2099});
    check_open_prefixes<int>(gpuprim::plus{}, 33000, 4, {5, 31000, 32999});
  });
}

TEST_CASE("The items before each tile are counted", "[grid][sanitizer]") {
  for (unsigned blocks : {1u, 3u, 7u}) {
    check_places<32>(tile_edges, blocks);
    check_places<64>({300, 7, 301}, blocks);  // more tiles than are asked for at once
  }
  check_places<32>({8191, 8193}, 5);
}

TEST_CASE("Prefixes of floats are the same bits in every run", "[grid]") {
  const auto in = inexact_floats(1100);
  std::vector<int> boundaries(1100, 0);
  for (const int tile : {0, 500, 1099}) boundaries[std::size_t(tile)] = 1;
  const auto prefix_of = [&](auto op, int tile, unsigned blocks, unsigned block_size) {
    return open_prefixes_of(in, boundaries, op, blocks, block_size)[std::size_t(tile)];
  };
  for (const int tile : {500, 1099}) {
    const float with_identity = prefix_of(gpuprim::plus<float>{}, tile, 4, 64);
    const float without = prefix_of(add_floats{}, tile, 4, 64);
    for (unsigned blocks : {1u, 2u, 3u, 7u}) {
      CHECK(prefix_of(gpuprim::plus<float>{}, tile, blocks, 32) == with_identity);
      CHECK(prefix_of(add_floats{}, tile, blocks, 64) == without);
    }
  }
}

TEST_CASE("Tiles wait for tiles before them under TSan", "[grid][tsan][few_schedules]") {
  check_open_prefixes<test::affine>(test::then{}, 70, 4, {3, 40, 69});
  check_places<64>({70, 33}, 4);
}

#if defined(SIMT_DEVICE)
namespace {

/// Block 0 sets a flag, counts, and then sets a value, for which block 1 does not wait.
__global__ void flag_before_value(unsigned* words, int* seen) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicExch(&words[0], 1u);
    atomicAdd(&words[2], 1u);
    atomicExch(&words[1], 1u);
  } else {
    while (atomicAdd(&words[0], 0u) == 0) {
    }
    *seen = int(atomicAdd(&words[1], 0u));
  }
}

}  // namespace

TEST_CASE("Look-back under 1,000 schedules at 1 to 7 resident blocks", "[grid]") {
  const auto in = inexact_floats(100);
  std::vector<int> boundaries(100, 0);
  boundaries[0] = boundaries[99] = 1;
  const float want = open_prefixes_of(in, boundaries, add_floats{}, 1, 32)[99];
  test::under_many_schedules([&](unsigned seed) {
    const unsigned blocks = 1 + seed / 7 % 9;
    CHECK(open_prefixes_of(in, boundaries, add_floats{}, blocks, 32)[99] == want);
    check_open_prefixes<test::affine>(test::then{}, 70, blocks, {3, int(32 + seed % 30), 69});
    check_places<32>({int(33 + seed % 40)}, blocks);
  });
}

TEST_CASE("Two delays show a flag that is set before what it stands for", "[grid][not_asan]") {
  int wrong = 0;
  const int schedules = test::under_all_delays(2, [&] {
    const zeroed words(std::vector<unsigned char>(12, 0));
    test::device_array<int> seen(1);
    test::run(flag_before_value, 2u, 32u, 0, reinterpret_cast<unsigned*>(words.data()), seen.data());
    wrong += seen.download()[0] != 1;
  });
  CHECK(wrong > 0);
  CHECK(wrong < schedules);
}

TEST_CASE("Look-back under all schedules of two delays", "[grid][not_asan]") {
  const int prefixes = test::under_all_delays(2, [] { check_open_prefixes<test::affine>(test::then{}, 4, 3, {1, 3}); });
  const int places = test::under_all_delays(2, [] { check_places<32>({4}, 3); });
  CHECK(prefixes > 100);
  CHECK(places > 100);
}
#endif
