// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_reduce.cuh>
#include <gpuprim/warp/warp_reduce_rows.cuh>

#include "../support/device.cuh"
#include "../support/tiles.cuh"
#include "../support/types.cuh"

#include <cooperative_groups.h>

#include <cmath>

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 64;

/// The form without a count.
constexpr int every = -1;

/// Rank 0 of each tile writes the reduce, every lane the all-reduce, both over `valid` lanes.
template <bool Cooperative, int Size, class T, class Op>
__global__ void reduce_tiles(const T* in, T* first, T* all, int valid, Op op) {
  const T mine = in[threadIdx.x];
  auto work = [&](const auto& tile) {
    const bool has_count = valid != every;
    const T r = has_count ? gpuprim::warp_reduce(tile, mine, op, valid) : gpuprim::warp_reduce(tile, mine, op);
    const T a = has_count ? gpuprim::warp_all_reduce(tile, mine, op, valid) : gpuprim::warp_all_reduce(tile, mine, op);
    if (tile.thread_rank() == 0) first[threadIdx.x / Size] = r;
    all[threadIdx.x] = a;
  };
  if constexpr (Cooperative) work(cg::tiled_partition<Size>(cg::this_thread_block()));
  else work(gpuprim::warp_tile<Size>{});
}

template <bool Cooperative, int Size, class T, class Op>
void check_tile(Op op) {
  std::vector<T> in;
  for (int i = 0; i < threads; ++i) in.push_back(test::make_value<T>(i));
  test::device_array<T> input(in);
  for (int valid : {every, 0, 1, Size / 2 + 1, Size, Size + 1, 100}) {
    CAPTURE(Size, valid);
    test::device_array<T> first(threads / Size), all(threads);
    test::run(reduce_tiles<Cooperative, Size, T, Op>, 1, threads, 0, input.data(), first.data(), all.data(), valid, op);
    const auto got_first = first.download(), got_all = all.download();
    const int count = valid != every && valid < Size ? valid : Size;
    if (count == 0 && !gpuprim::has_identity<Op, T>) continue;
    for (int t = 0; t < threads / Size; ++t) {
      const T want = test::fold_first(std::vector<T>(in.begin() + t * Size, in.end()), count, op);
      CHECK(got_first[t] == want);
      for (int l = 0; l < Size; ++l) CHECK(got_all[t * Size + l] == want);
    }
    first.check_guards();
    all.check_guards();
  }
  input.check_unchanged();
}

template <class T, class Op>
void check_sizes(Op op) {
  test::for_every_tile([&]<bool Cooperative, int Size>() { check_tile<Cooperative, Size, T>(op); });
}

/// Where a lane stood in its coalesced group.
struct membership {
  int leader, rank, size;
};

template <class T, class Op>
__global__ void reduce_coalesced(const T* in, T* first, T* all, membership* members, unsigned chosen, Op op) {
  if (chosen >> threadIdx.x & 1) {
    const auto group = cg::coalesced_threads();
    const T total = gpuprim::warp_reduce(group, in[threadIdx.x], op);
    all[threadIdx.x] = gpuprim::warp_all_reduce(group, in[threadIdx.x], op);
    const int leader = group.shfl(int(threadIdx.x), 0);
    if (group.thread_rank() == 0) first[threadIdx.x] = total;
    members[threadIdx.x] = {leader, int(group.thread_rank()), int(group.size())};
  }
}

/// Over the first `valid` values.
template <int Rows, class T, class Op>
__global__ void reduce_rows(const T* in, T* out, int valid, Op op) {
  gpuprim::uninitialized_array<T, Rows> rows;
  for (int r = 0; r < Rows; ++r) rows[r] = in[r * 32 + threadIdx.x];
  if (valid != every) out[threadIdx.x] = gpuprim::warp_all_reduce_rows(rows, op, valid);
  else out[threadIdx.x] = gpuprim::warp_all_reduce_rows(rows, op);
}

template <int Rows, class T, class Op>
void check_rows(Op op) {
  std::vector<T> in;
  for (int i = 0; i < Rows * 32; ++i) in.push_back(test::make_value<T>(i));
  test::device_array<T> input(in), output(32);
  for (int valid : {every, 0, 1, 2, 31, 32, 33, Rows * 16 + 5, Rows * 32 - 1, Rows * 32, 5000}) {
    CAPTURE(Rows, valid);
    test::run(reduce_rows<Rows, T, Op>, 1, 32, 0, input.data(), output.data(), valid, op);
    const int count = valid != every && valid < Rows * 32 ? valid : Rows * 32;
    if (count == 0 && !gpuprim::has_identity<Op, T>) continue;
    const T want = test::fold_first(in, count, op);
    for (const T& got : output.download()) CHECK(got == want);
  }
}

/// An operator that counts its calls.
struct counted {
  unsigned* calls;
  __device__ test::affine operator()(const test::affine& a, const test::affine& b) const {
    atomicAdd(calls, 1u);
    return test::then{}(a, b);
  }
};

template <int Size>
__global__ void count_calls(const test::affine* in, test::affine* out, unsigned* calls) {
  out[threadIdx.x] = gpuprim::warp_all_reduce(gpuprim::warp_tile<Size>{}, in[threadIdx.x], counted{calls});
}

template <int Size>
void check_calls(unsigned steps) {
  std::vector<test::affine> in;
  for (int i = 0; i < 32; ++i) in.push_back(test::make_value<test::affine>(std::uint64_t(i)));
  test::device_array<test::affine> input(in), output(32);
  test::device_array<unsigned> calls(std::vector<unsigned>{0});
  test::run(count_calls<Size>, 1, 32, 0, input.data(), output.data(), calls.data());
  CHECK(calls.download()[0] == 32 * steps);
}

}  // namespace

TEST_CASE("warp_all_reduce calls the operator once a step", "[warp]") {
  check_calls<32>(5);
  check_calls<8>(3);
}

TEST_CASE("warp_all_reduce gives every lane the same bits", "[warp]") {
  std::vector<float> in;  // whose minimum depends on the order of the operands
  for (int i = 0; i < threads; ++i) in.push_back(i % 3 == 0 ? 0.0f : -0.0f);
  test::device_array<float> input(in), first(2), all(threads);
  test::run(reduce_tiles<false, 32, float, gpuprim::minimum<>>, 1, threads, 0, input.data(), first.data(), all.data(),
            every, gpuprim::minimum{});
  const auto got = all.download();
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::signbit(got[i]) == std::signbit(in[i / 32 * 32]));
}

TEST_CASE("warp_reduce over every tile size and partial tiles", "[warp][sanitizer][tsan]") {
  check_sizes<test::affine>(test::then{});
  check_sizes<int>(gpuprim::plus{});
}

TEST_CASE("warp_reduce of 32-bit integers under every library operator", "[warp]") {
  check_tile<true, 32, unsigned>(gpuprim::plus{});
  check_tile<true, 32, int>(gpuprim::minimum{});
  check_tile<true, 16, int>(gpuprim::maximum{});
  check_tile<true, 8, unsigned>(gpuprim::maximum{});
  check_tile<true, 32, int>(gpuprim::bit_and{});
  check_tile<true, 4, unsigned>(gpuprim::bit_or{});
  check_tile<true, 32, int>(gpuprim::bit_xor{});
  check_tile<true, 32, int>(gpuprim::multiplies{});
}

TEST_CASE("warp_reduce of every element type", "[warp]") {
  check_tile<true, 32, signed char>(gpuprim::plus{});
  check_tile<true, 32, short>(gpuprim::maximum{});
  check_tile<true, 32, std::int64_t>(gpuprim::plus{});
  check_tile<true, 32, float>(gpuprim::plus{});
  check_tile<true, 32, double>(gpuprim::minimum{});
  check_tile<true, 32, test::point3>(test::add_points{});
  check_tile<true, 32, test::matrix2>(test::product{});
  check_tile<true, 32, test::span_of_positions>(test::chain{});
}

TEST_CASE("warp_reduce of coalesced groups", "[warp]") {
  std::vector<test::affine> in;
  for (int i = 0; i < 32; ++i) in.push_back(test::make_value<test::affine>(i));
  for (unsigned chosen : {0xffffffffu, 0x0000ffffu, 0xa5a5a5a5u, 0x80000001u, 0x00000100u, 0x7fffffffu}) {
    test::device_array<test::affine> input(in), first(32), all(32);
    test::device_array<membership> members(std::vector<membership>(32, {-1, -1, -1}));
    test::run(reduce_coalesced<test::affine, test::then>, 1, 32, 0, input.data(), first.data(), all.data(),
              members.data(), chosen, test::then{});
    const auto got_first = first.download(), got_all = all.download();
    const auto where = members.download();
    // The hardware may split the lanes that are here into several groups; each is the lanes that name one leader.
    for (int leader = 0; leader < 32; ++leader) {
      std::vector<int> lanes;
      for (int i = 0; i < 32; ++i) {
        if (where[i].leader == leader) lanes.push_back(i);
      }
      if (lanes.empty()) continue;
      REQUIRE(lanes[0] == leader);
      std::vector<test::affine> later;
      for (int lane : lanes) {
        if (lane != leader) later.push_back(in[lane]);
      }
      const auto want = test::fold(later, test::then{}, in[leader]);
      CHECK(got_first[leader] == want);
      for (std::size_t rank = 0; rank < lanes.size(); ++rank) {
        CHECK(where[lanes[rank]].rank == int(rank));
        CHECK(where[lanes[rank]].size == int(lanes.size()));
        CHECK(got_all[lanes[rank]] == want);
      }
    }
    for (int i = 0; i < 32; ++i) CHECK((where[i].leader >= 0) == bool(chosen >> i & 1));
    first.check_guards();
    all.check_guards();
    input.check_unchanged();
  }
}

TEST_CASE("warp_all_reduce_rows keeps row order", "[warp][sanitizer]") {
  check_rows<1, test::affine>(test::then{});
  check_rows<2, test::affine>(test::then{});
  check_rows<4, test::span_of_positions>(test::chain{});
  check_rows<8, test::matrix2>(test::product{});
  check_rows<16, test::span_of_positions>(test::chain{});
  check_rows<32, test::affine>(test::then{});
  check_rows<4, int>(gpuprim::plus{});
  check_rows<16, float>(gpuprim::minimum{});
}
