// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_segmented_reduce.cuh>

#include "../support/device.cuh"
#include "../support/tiles.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

template <bool Cooperative, int Size, class T, class Op>
__global__ void reduce_segments(const T* in, const bool* heads, T* out, Op op) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Cooperative) {
    const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    out[i] = gpuprim::warp_segmented_reduce(tile, in[i], heads[i], op);
  } else {
    out[i] = gpuprim::warp_segmented_reduce(gpuprim::warp_tile<Size>{}, in[i], heads[i], op);
  }
}

/// Each block has one of the patterns: no heads, all, the first or last lane of each tile, heads that get rarer.
template <bool Cooperative, int Size, class T, class Op>
void check(Op op, int threads = 64) {
  CAPTURE(Size, threads);
  constexpr int patterns = 8;
  std::vector<T> in;
  std::vector<unsigned char> heads;
  for (int i = 0; i < patterns * threads; ++i) {
    const int pattern = i / threads, lane = i % threads % Size;
    in.push_back(test::make_value<T>(std::uint64_t(i)));
    heads.push_back(pattern == 0   ? 0
                    : pattern == 1 ? 1
                    : pattern == 2 ? lane == 0
                    : pattern == 3 ? lane == Size - 1
                                   : test::scramble(std::uint64_t(i)) % (1u << (pattern - 3)) == 0);
  }
  std::vector<T> want(in);
  for (int i = patterns * threads - 2; i >= 0; --i) {
    const bool tile_ends = i % threads % Size == Size - 1 || i % threads == threads - 1;
    const auto at = std::size_t(i);
    if (!tile_ends && !heads[at + 1]) want[at] = op(in[at], want[at + 1]);
  }
  test::device_array<T> input(in), output(in.size());
  test::device_array<unsigned char> flags(heads);
  test::run(reduce_segments<Cooperative, Size, T, Op>, patterns, threads, 0, input.data(),
            reinterpret_cast<const bool*>(flags.data()), output.data(), op);
  CHECK(bool(output.download() == want));
  output.check_guards();
  input.check_unchanged();
}

template <class T, class Op>
void check_sizes(Op op) {
  test::for_every_tile([&]<bool Cooperative, int Size>() { check<Cooperative, Size, T>(op); });
}

}  // namespace

TEST_CASE("warp_segmented_reduce over every tile size and mix of heads", "[warp][sanitizer]") {
  check_sizes<test::affine>(test::then{});
  check_sizes<int>(gpuprim::plus{});
}

TEST_CASE("warp_segmented_reduce in a last warp of few tiles", "[warp][sanitizer][tsan]") {
  check<false, 4, test::affine>(test::then{}, 52);
  check<true, 8, test::affine>(test::then{}, 40);
  check<false, 16, float>(gpuprim::maximum{}, 16);
}

TEST_CASE("warp_segmented_reduce of every element type", "[warp]") {
  check<true, 32, signed char>(gpuprim::plus<signed char>{});
  check<false, 32, short>(gpuprim::maximum{});
  check<true, 16, std::int64_t>(gpuprim::bit_xor{});
  check<true, 32, float>(gpuprim::plus{});
  check<false, 32, double>(gpuprim::minimum{});
  check<false, 8, test::complex_float>(test::add_complex{});
  check<false, 32, test::point3>(test::add_points{});
  check<true, 32, test::matrix2>(test::product{});
  check<false, 32, test::span_of_positions>(test::chain{});
}
