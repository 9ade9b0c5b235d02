// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's operators on values that are more than a number, in a warp and in a block.
#include <gpuprim/block/block_reduce.cuh>
#include <gpuprim/core/extremum.hpp>
#include <gpuprim/core/moments.hpp>
#include <gpuprim/core/tuple.hpp>

#include "../support/device.cuh"
#include "../support/types.cuh"

namespace test {
GPUPRIM_HOST_DEVICE bool operator<(const point3& a, const point3& b) { return a.x < b.x; }
}  // namespace test

namespace {

/// A result of the whole block and one of its last warp, each from the first `valid` values.
template <int BlockSize, class T, class Op>
__global__ void reduce_block(const T* in, T* out, int valid, Op op) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank()), last_warp = (BlockSize - 1) / 32 * 32;
  const T all = valid == BlockSize ? gpuprim::block_reduce<BlockSize>(block, in[rank], op)
                                   : gpuprim::block_reduce<BlockSize>(block, in[rank], op, valid);
  if (rank == 0) out[0] = all;
  if (rank < last_warp) return;
  const T some = gpuprim::warp_reduce(gpuprim::warp_tile<32>{}, in[rank], op, 17);
  if (rank == last_warp) out[1] = some;
}

template <int BlockSize, class T, class Op>
void check(const std::vector<T>& in, Op op) {
  test::device_array<T> input(in);
  for (int valid : {1, BlockSize / 2 + 1, BlockSize}) {
    CAPTURE(BlockSize, valid);
    test::device_array<T> output(2);
    test::run(reduce_block<BlockSize, T, Op>, 1, BlockSize, 0, input.data(), output.data(), valid, op);
    const auto got = output.download();
    CHECK(bool(got[0] == test::fold(std::vector<T>(in.begin() + 1, in.begin() + valid), op, in[0])));
    const auto warp = in.begin() + (BlockSize - 1) / 32 * 32;
    CHECK(bool(got[1] == test::fold(std::vector<T>(warp + 1, warp + 17), op, *warp)));
    output.check_guards();
  }
  input.check_unchanged();
}

/// Minima of unsigned numbers that are kept as ints: not what a minimum of ints, or its instruction, gives.
template <int BlockSize>
void check_other_type() {
  std::vector<int> in;
  for (int i = 0; i < BlockSize; ++i) in.push_back(i % 3 == 0 ? -i - 1 : i + 5);
  check<BlockSize>(in, gpuprim::minimum<unsigned>{});
  check<BlockSize>(in, gpuprim::maximum<unsigned>{});
}

/// Many values are equal, so that the position decides.
template <int BlockSize, class T, class Position>
void check_extrema() {
  std::vector<gpuprim::extremum<T, Position>> in;
  for (int i = 0; i < BlockSize; ++i) {
    in.push_back({test::make_value<T>(std::uint64_t(i)), Position(7 * i % BlockSize)});
  }
  check<BlockSize>(in, gpuprim::argmin{});
  check<BlockSize>(in, gpuprim::argmax{});
}

}  // namespace

TEST_CASE("argmin and argmax in a block", "[block][sanitizer]") {
  check_extrema<96, float, int>();
  check_extrema<64, double, std::int64_t>();
}

TEST_CASE("argmin and argmax of every kind of value", "[block]") {
  check_extrema<256, signed char, unsigned short>();
  check_extrema<512, float, int>();
  check_extrema<64, __half, unsigned>();
  check_extrema<96, test::point3, int>();
}

TEST_CASE("the identities of argmin and argmax are no element", "[block]") {
  using value = gpuprim::extremum<float, int>;
  const value some{3.0f, 5}, least = gpuprim::identity_element<gpuprim::argmin, value>::value(),
                             greatest = gpuprim::identity_element<gpuprim::argmax, value>::value();
  CHECK(gpuprim::argmin{}(some, least) == some);
  CHECK(gpuprim::argmin{}(least, some) == some);
  CHECK(gpuprim::argmax{}(some, greatest) == some);
  CHECK(gpuprim::argmax{}(greatest, some) == some);
}

namespace {

/// The moments of the numbers of a block, the later half of which may be none.
template <int BlockSize>
__global__ void find_moments(const int* in, int numbers, gpuprim::moments* out) {
  const gpuprim::this_block block;
  const int rank = int(block.thread_rank());
  const gpuprim::moments mine = rank < numbers ? gpuprim::moments{1, double(in[rank]), {}} : gpuprim::moments{};
  const auto all = gpuprim::block_all_reduce<BlockSize>(block, mine, gpuprim::merge_moments{});
  out[rank] = all;
}

}  // namespace

TEST_CASE("moments in a block", "[block][sanitizer]") {
  constexpr int threads = 128;
  std::vector<int> in;
  for (int i = 0; i < threads; ++i) in.push_back(int(test::scramble(std::uint64_t(i)) % 17) - 8);
  test::device_array<int> input(in);
  for (int numbers : {1, threads / 2, threads}) {  // powers of two of small integers: nothing is rounded
    double mean = 0, sums[3] = {};
    for (int i = 0; i < numbers; ++i) mean += double(in[std::size_t(i)]) / numbers;
    for (int i = 0; i < numbers; ++i) {
      const double gap = in[std::size_t(i)] - mean;
      sums[0] += gap * gap, sums[1] += gap * gap * gap, sums[2] += gap * gap * gap * gap;
    }
    test::device_array<gpuprim::moments> output(threads);
    test::run(find_moments<threads>, 1, threads, 0, input.data(), numbers, output.data());
    for (const auto& got : output.download()) {
      CHECK((got.count == numbers && got.mean == mean));
      CHECK((got.sums[0] == sums[0] && got.sums[1] == sums[1] && got.sums[2] == sums[2]));
    }
    output.check_guards();
  }
}

TEST_CASE("several reductions at once in a block", "[block][sanitizer]") {
  using gpuprim::each, gpuprim::tuple;
  std::vector<tuple<int, float, gpuprim::extremum<float, int>>> mixed;
  std::vector<tuple<test::affine, int>> ordered;
  std::vector<tuple<short, short>> small;
  for (int i = 0; i < 96; ++i) {
    const auto at = std::uint64_t(i);
    mixed.push_back({test::make_value<int>(at), {test::make_value<float>(at), {{test::make_value<float>(at + 5), i}}}});
    ordered.push_back({test::make_value<test::affine>(at), {test::make_value<int>(at)}});
    small.push_back({test::make_value<short>(at), {test::make_value<short>(at + 5)}});
  }
  check<96>(mixed, each{tuple{gpuprim::plus{}, gpuprim::minimum{}, gpuprim::argmax{}}});
  check<96>(ordered, each{tuple{test::then{}, gpuprim::maximum{}}});
  check<96>(small, each{tuple{gpuprim::minimum{}, gpuprim::maximum{}}});
}

TEST_CASE("operators that fix another type than the values'", "[block]") {
  check_other_type<64>();
  check_other_type<96>();
  check_other_type<256>();
}
