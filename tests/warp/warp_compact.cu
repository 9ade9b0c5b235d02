// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_compact.cuh>

#include "../support/scan_check.cuh"
#include "../support/tiles.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 64;

/// What a lane writes.
template <class T>
struct found {
  gpuprim::kept_place rank;
  gpuprim::compacted<T> first, second;  // of what is kept, and at once of the rest
  int size, leader;
};

template <class Tile, class T>
__device__ found<T> compact_twice(const Tile& tile, const T& value, bool keep) {
  return {gpuprim::warp_rank(tile, keep), gpuprim::warp_compact(tile, value, keep),
          gpuprim::warp_compact(tile, value, !keep), int(tile.size()), int(tile.shfl(threadIdx.x, 0))};
}

/// A block has the flags of its index: thread i keeps its value if bit i is set.
template <bool Cooperative, int Size, class T>
__global__ void compact_tiles(const T* in, const std::uint64_t* keep, found<T>* out) {
  const bool mine = keep[blockIdx.x] >> threadIdx.x & 1;
  found<T>& result = out[blockIdx.x * threads + threadIdx.x];
  if constexpr (Cooperative) {
    result = compact_twice(cg::tiled_partition<Size>(cg::this_thread_block()), in[threadIdx.x], mine);
  } else {
    result = compact_twice(gpuprim::warp_tile<Size>{}, in[threadIdx.x], mine);
  }
}

/// Lanes outside of `chosen` have no part.
template <class T>
__global__ void compact_coalesced(const T* in, const std::uint64_t* keep, found<T>* out, std::uint64_t chosen) {
  if (chosen >> threadIdx.x & 1) {
    out[blockIdx.x * threads + threadIdx.x] =
        compact_twice(cg::coalesced_threads(), in[threadIdx.x], keep[blockIdx.x] >> threadIdx.x & 1);
  }
}

/// How many results of a group, whose lanes have these numbers, are wrong.
template <class T>
int count_wrong(const std::vector<int>& lanes, const std::vector<T>& in, std::uint64_t keep, const found<T>* got) {
  int wrong = 0, before = 0, number = 0;
  std::vector<T> kept, rest;
  for (int lane : lanes) (keep >> lane & 1 ? kept : rest).push_back(in[std::size_t(lane)]);
  const auto fits = [](const gpuprim::compacted<T>& c, const std::vector<T>& want, std::size_t rank, const T& own) {
    return c.count == int(want.size()) && c.is_there == (rank < want.size()) &&
           c.value == (c.is_there ? want[rank] : own);
  };
  for (int lane : lanes) {
    const found<T>& f = got[lane];
    const auto rank = std::size_t(number++);
    wrong += !(f.rank.place == before && f.rank.count == int(kept.size()) && f.size == int(lanes.size()));
    wrong += !fits(f.first, kept, rank, in[std::size_t(lane)]) + !fits(f.second, rest, rank, in[std::size_t(lane)]);
    before += int(keep >> lane & 1);
  }
  return wrong;
}

/// None, all, one at each end of a tile and of a warp, every second, some.
std::vector<std::uint64_t> make_patterns() {
  std::vector<std::uint64_t> patterns{0,
                                      ~std::uint64_t{0},
                                      1,
                                      1u << 31,
                                      std::uint64_t{1} << 63,
                                      0x8080808080808080u,
                                      0x0101010101010101u,
                                      0xaaaaaaaaaaaaaaaau,
                                      0x7fffffff00000001u};
  for (unsigned i = 0; i < 12; ++i) {
    const std::uint64_t some = std::uint64_t(test::scramble(i)) << 32 | test::scramble(i + 100);
    const std::uint64_t others = std::uint64_t(test::scramble(i + 200)) << 32 | test::scramble(i + 300);
    patterns.push_back(i % 3 == 0 ? some : i % 3 == 1 ? some & others : some | others);
  }
  return patterns;
}

template <bool Cooperative, int Size, class T>
void check_tile() {
  const auto in = test::make_values<T>(threads);
  const auto patterns = make_patterns();
  test::device_array<T> input(in);
  test::device_array<std::uint64_t> keep(patterns);
  test::device_array<found<T>> output(patterns.size() * threads);
  test::run(compact_tiles<Cooperative, Size, T>, unsigned(patterns.size()), threads, 0, input.data(), keep.data(),
            output.data());
  const auto got = output.download();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    CAPTURE(Cooperative, Size, patterns[p]);
    int wrong = 0;
    for (int first = 0; first < threads; first += Size) {
      std::vector<int> lanes;
      for (int i = 0; i < Size; ++i) lanes.push_back(first + i);
      wrong += count_wrong(lanes, in, patterns[p], got.data() + p * threads);
    }
    CHECK(wrong == 0);
  }
  output.check_guards();
  input.check_unchanged();
}

template <class T>
void check_coalesced() {
  const auto in = test::make_values<T>(threads);
  const auto patterns = make_patterns();
  test::device_array<T> input(in);
  test::device_array<std::uint64_t> keep(patterns);
  for (std::uint64_t chosen : {~std::uint64_t{0}, std::uint64_t{0xffff}, std::uint64_t{0xa5a5a5a500000100},
                               std::uint64_t{0x7fffffff80000001}}) {
    test::device_array<found<T>> output(patterns.size() * threads);
    test::run(compact_coalesced<T>, unsigned(patterns.size()), threads, 0, input.data(), keep.data(), output.data(),
              chosen);
    const auto got = output.download();
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      CAPTURE(chosen, patterns[p]);
      int wrong = 0;
      // The hardware may split the lanes that are here into several groups; each is the lanes that name one leader.
      for (int leader = 0; leader < threads; ++leader) {
        std::vector<int> lanes;
        for (int i = 0; i < threads; ++i) {
          if ((chosen >> i & 1) && got[p * threads + std::size_t(i)].leader == leader) lanes.push_back(i);
        }
        wrong += count_wrong(lanes, in, patterns[p], got.data() + p * threads);
      }
      CHECK(wrong == 0);
    }
    output.check_guards();
  }
}

}  // namespace

TEST_CASE("warp compaction in tiles of every size", "[warp][sanitizer][tsan]") {
  test::for_every_tile([&]<bool Cooperative, int Size>() { check_tile<Cooperative, Size, int>(); });
}

TEST_CASE("warp compaction of every element type", "[warp]") {
  check_tile<false, 32, signed char>();
  check_tile<true, 16, short>();
  check_tile<false, 4, double>();
  check_tile<true, 32, test::point3>();
  check_tile<false, 16, test::matrix2>();
  check_tile<false, 32, test::span_of_positions>();
}

TEST_CASE("warp compaction in coalesced groups", "[warp]") {
  check_coalesced<int>();
  check_coalesced<test::span_of_positions>();
}
