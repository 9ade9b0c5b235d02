// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_reduce.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

#include <cmath>

namespace cg = cooperative_groups;

namespace {

/// The form without a count.
constexpr int every = -1;

/// Reduces in a row, some of the values in reverse: a missing barrier between them mixes two.
template <int BlockSize, class T, class Op>
__global__ void reduce_block(const T* in, T* out, T* all, T* all_backward, int valid, Op op) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank()), threads = int(block.size());
  const T forward = in[rank], backward = in[threads - 1 - rank];
  if (valid != every) {
    const T one = gpuprim::block_reduce<BlockSize>(block, forward, op, valid);
    const T two = gpuprim::block_reduce<BlockSize>(block, backward, op, valid);
    all[rank] = gpuprim::block_all_reduce<BlockSize>(block, forward, op, valid);
    all_backward[rank] = gpuprim::block_all_reduce<BlockSize>(block, backward, op, valid);
    if (rank == 0) out[0] = one, out[1] = two;
  } else {
    const T one = gpuprim::block_reduce<BlockSize>(block, forward, op);
    const T two = gpuprim::block_reduce<BlockSize>(block, backward, op);
    all[rank] = gpuprim::block_all_reduce<BlockSize>(block, forward, op);
    all_backward[rank] = gpuprim::block_all_reduce<BlockSize>(block, backward, op);
    if (rank == 0) out[0] = one, out[1] = two;
  }
}

template <int BlockSize, class T, class Op>
void check(Op op, dim3 shape) {
  const int threads = int(shape.x * shape.y * shape.z);
  std::vector<T> in;
  for (int i = 0; i < threads; ++i) in.push_back(test::make_value<T>(i));
  test::device_array<T> input(in);
  for (int valid : {every, 0, 1, threads / 2 + 1, threads, threads + 1, 100 * threads}) {
    const int count = valid != every && valid < threads ? valid : threads;
    CAPTURE(BlockSize, threads, valid);
    test::device_array<T> output(2), all(threads), all_backward(threads);
    test::run(reduce_block<BlockSize, T, Op>, 1, shape, 0, input.data(), output.data(), all.data(), all_backward.data(),
              valid, op);
    const auto got = output.download();
    if (count == 0 && !gpuprim::has_identity<Op, T>) continue;
    const T want = test::fold_first(in, count, op);
    const T want_backward = test::fold_first(std::vector<T>(in.rbegin(), in.rend()), count, op);
    CHECK(got[0] == want);
    CHECK(got[1] == want_backward);
    int different = 0;
    for (const T& v : all.download()) different += !(v == want);
    for (const T& v : all_backward.download()) different += !(v == want_backward);
    CHECK(different == 0);
    output.check_guards();
    all.check_guards();
    all_backward.check_guards();
  }
  input.check_unchanged();
}

/// The form with the size at compile time and the one without.
template <int BlockSize, class T, class Op>
void check_both(Op op, dim3 shape = BlockSize) {
  check<BlockSize, T>(op, shape);
  check<gpuprim::runtime_block_size, T>(op, shape);
}

/// Three values of each thread, in every way that takes them.
template <int BlockSize, class T, class Op>
__global__ void reduce_items(const T* in, T* out, T* all, T* tiles, Op op) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank());
  const T values[] = {in[3 * rank], in[3 * rank + 1], in[3 * rank + 2]};
  const T one = gpuprim::block_reduce<BlockSize>(block, values, op);
  if (rank == 0) *out = one;
  all[rank] = gpuprim::block_all_reduce<BlockSize>(block, values, op);
  const gpuprim::warp_tile<16> tile;
  const T of_tile = gpuprim::warp_reduce(tile, values, op), of_all = gpuprim::warp_all_reduce(tile, values, op);
  tiles[rank] = rank % 16 == 0 ? of_tile : of_all;
}

template <int BlockSize, class T, class Op>
void check_items(int threads, Op op) {
  std::vector<T> in;
  for (int i = 0; i < 3 * threads; ++i) in.push_back(test::make_value<T>(std::uint64_t(i)));
  const auto count = std::size_t(threads);
  test::device_array<T> input(in), output(1), all(count), tiles(count);
  test::run(reduce_items<BlockSize, T, Op>, 1, unsigned(threads), 0, input.data(), output.data(), all.data(),
            tiles.data(), op);
  const auto fold = [&](int first, int last) {
    return test::fold(std::vector<T>(in.begin() + first + 1, in.begin() + last), op, in[std::size_t(first)]);
  };
  CHECK(output.download()[0] == fold(0, 3 * threads));
  const auto got_all = all.download(), got_tiles = tiles.download();
  for (int i = 0; i < threads; ++i) {
    CHECK(got_all[std::size_t(i)] == fold(0, 3 * threads));
    CHECK(got_tiles[std::size_t(i)] == fold(i / 16 * 48, i / 16 * 48 + 48));
  }
}

/// Sums in a loop, each of values that the one before has changed, and so rounds otherwise.
template <int BlockSize>
__global__ void sum_in_a_loop(float* out, int rounds) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank());
  float total = 1;
  for (int i = 0; i < rounds; ++i) {
    total = gpuprim::block_all_reduce<BlockSize>(block, total / float(rank + 3), gpuprim::plus{});
  }
  out[rank] = total;
}

template <int BlockSize>
void check_loop(int threads) {
  test::device_array<float> output(static_cast<std::size_t>(threads));
  test::run(sum_in_a_loop<BlockSize>, 1, unsigned(threads), 0, output.data(), 4);
  const auto got = output.download();
  CHECK(got == std::vector<float>(got.size(), got[0]));
  double want = 1, weights = 0;
  for (int i = 0; i < threads; ++i) weights += 1 / double(i + 3);
  for (int i = 0; i < 4; ++i) want *= weights;
  CHECK(std::abs(got[0] - want) < 1e-4 * want);
}

/// A minimum that depends on the order of the operands.
template <int BlockSize>
__global__ void find_zero(float* out, int valid) {
  const float zero = threadIdx.x % 3 == 0 ? 0.0f : -0.0f;
  out[threadIdx.x] = gpuprim::block_all_reduce<BlockSize>(gpuprim::this_block{}, zero, gpuprim::minimum{}, valid);
}

}  // namespace

TEST_CASE("block_all_reduce gives every thread the same bits, again and again", "[block][tsan]") {
  check_loop<96>(96);
  check_loop<256>(256);
  check_loop<100>(100);
  check_loop<gpuprim::runtime_block_size>(160);
  test::device_array<float> output(96);
  test::run(find_zero<96>, 1, 96, 0, output.data(), 70);
  for (float got : output.download()) CHECK(!std::signbit(got));
}

TEST_CASE("block_reduce and warp_reduce of an array a thread", "[block][sanitizer]") {
  check_items<64, int>(64, gpuprim::plus{});
  check_items<96, test::affine>(96, test::then{});
  check_items<gpuprim::runtime_block_size, test::span_of_positions>(80, test::chain{});
}

TEST_CASE("block_reduce of any block size", "[block][sanitizer]") {
  check_both<1, test::affine>(test::then{});
  check_both<31, test::affine>(test::then{});
  check_both<32, test::affine>(test::then{});
  check_both<33, test::affine>(test::then{});
  check_both<100, test::affine>(test::then{});
  check_both<128, test::affine>(test::then{});
  check_both<1024, test::affine>(test::then{});
}

TEST_CASE("block_reduce of a small block", "[block][tsan]") {
  check_both<96, test::affine>(test::then{});
  check_both<128, int>(gpuprim::plus{});
}

TEST_CASE("block_reduce of two- and three-dimensional blocks", "[block]") {
  check_both<96, test::affine>(test::then{}, dim3(8, 12));
  check_both<105, test::affine>(test::then{}, dim3(3, 5, 7));
  check_both<256, int>(gpuprim::plus{}, dim3(4, 8, 8));
}

TEST_CASE("block_reduce of whole warps, by chunks of every width and in columns", "[block][sanitizer]") {
  check<64, test::affine>(test::then{}, 64);
  check<96, test::span_of_positions>(test::chain{}, 96);
  check<192, test::affine>(test::then{}, dim3(8, 6, 4));
  check<256, test::span_of_positions>(test::chain{}, 256);
  check<512, test::affine>(test::then{}, 512);
  check<992, test::affine>(test::then{}, 992);
  check<64, int>(gpuprim::plus{}, 64);
  check<96, short>(gpuprim::maximum{}, 96);
  check<160, signed char>(gpuprim::plus{}, 160);
  check<512, unsigned>(gpuprim::bit_xor{}, 512);
  check<1024, float>(gpuprim::plus{}, 1024);
  check<64, float>(gpuprim::minimum{}, dim3(4, 16));
  check<352, double>(gpuprim::plus{}, 352);
  check<1024, std::uint64_t>(gpuprim::plus{}, 1024);
}

TEST_CASE("block_reduce of whole warps under TSan", "[block][tsan]") {
  check<64, test::affine>(test::then{}, 64);
  check<160, int>(gpuprim::plus{}, 160);
  check<96, double>(gpuprim::plus{}, 96);
}

TEST_CASE("block_reduce of every element type", "[block]") {
  check_both<128, int>(gpuprim::maximum{});
  check_both<128, signed char>(gpuprim::plus{});
  check_both<128, std::uint64_t>(gpuprim::bit_xor{});
  check_both<128, float>(gpuprim::plus{});
  check_both<128, double>(gpuprim::plus{});
  check_both<70, test::point3>(test::add_points{});
  check_both<128, test::matrix2>(test::product{});
  check_both<128, test::span_of_positions>(test::chain{});
}
