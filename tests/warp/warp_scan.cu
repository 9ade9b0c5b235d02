// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/warp/warp_scan.cuh>

#include "../support/scan_check.cuh"
#include "../support/tiles.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 64;

/// What scan_all writes, in this order.
enum form {
  inclusive,
  with_total,
  its_total,
  from_start,
  with_both,
  its_sum,
  second,
  its_carry,
  partial,
  part_total,
  partial_from,
  part_sum,
  from_identity,
  partial_behind,
  its_prefix,
  partial_before,
  total_before,
  forms
};

/// Every form of the scans of a tile. Lanes behind `valid` have what the operator must not see.
template <class Tile, class T, class Op>
__device__ void scan_all(const Tile& tile, const T& mine, const T& behind, const T start, T* out, int stride, int valid,
                         Op op) {
  const auto put = [&](form which, const T& value) { out[which * stride] = value; };
  T total = mine;
  put(inclusive, gpuprim::warp_inclusive_scan(tile, mine, op));
  put(with_total, gpuprim::warp_inclusive_scan(tile, mine, op, gpuprim::total_to{total}));
  put(its_total, total);
  put(from_start, gpuprim::warp_exclusive_scan(tile, mine, op, start));
  put(with_both, gpuprim::warp_exclusive_scan(tile, mine, op, start, total));
  put(its_sum, total);
  gpuprim::running_prefix carry{start};
  gpuprim::warp_inclusive_scan(tile, mine, op, carry);
  put(second, gpuprim::warp_exclusive_scan(tile, mine, op, carry));
  put(its_carry, carry.value);
  const T given = int(tile.thread_rank()) < valid ? mine : behind;
  put(partial, gpuprim::warp_inclusive_scan(tile, given, op, gpuprim::total_to{total}, valid));
  put(part_total, total);
  put(partial_from, gpuprim::warp_exclusive_scan(tile, given, op, start, total, valid));
  put(part_sum, total);
  gpuprim::running_prefix so_far{start};
  put(partial_behind, gpuprim::warp_exclusive_scan(tile, given, op, so_far, valid));
  put(its_prefix, so_far.value);
  if constexpr (gpuprim::has_identity<Op, T>) {
    put(from_identity, gpuprim::warp_exclusive_scan(tile, mine, op));
    put(partial_before, gpuprim::warp_exclusive_scan(tile, given, op, {}, valid));
    const T again = gpuprim::warp_exclusive_scan(tile, given, op, gpuprim::total_to{total}, valid);
    put(total_before, int(tile.thread_rank()) >= valid || again == out[partial_before * stride] ? total : behind);
  } else {
    for (const form each : {from_identity, partial_before, total_before}) put(each, mine);
  }
}

template <class T>
void check_all(const std::vector<T>& got, std::size_t at, std::size_t stride, const std::vector<T>& values,
               const T& start, int valid, auto op) {
  const int size = int(values.size()), count = valid < size ? valid : size;
  auto behind = values;
  behind[0] = op(start, behind[0]);
  const auto wrong = [&](form which, const auto& want, int results) {
    return test::count_wrong(got, at + which * stride, want, results);
  };
  const auto sums = test::scan_inclusive(values, op), from = test::scan_inclusive(behind, op);
  const auto before = test::scan_exclusive(values, op, start);
  const T sum = from.back();
  CHECK(wrong(inclusive, sums, size) == 0);
  CHECK(wrong(with_total, sums, size) == 0);
  CHECK(wrong(its_total, sums.back(), size) == 0);
  CHECK(wrong(from_start, before, size) == 0);
  CHECK(wrong(with_both, before, size) == 0);
  CHECK(wrong(its_sum, sum, size) == 0);
  CHECK(wrong(second, test::scan_exclusive(values, op, sum), size) == 0);
  CHECK(wrong(its_carry, test::fold(values, op, sum), size) == 0);
  CHECK(wrong(partial, sums, count) == 0);
  CHECK(wrong(partial_from, before, count) == 0);
  CHECK(wrong(part_sum, count > 0 ? from[std::size_t(count - 1)] : start, size) == 0);
  CHECK(wrong(partial_behind, before, count) == 0);
  CHECK(wrong(its_prefix, count > 0 ? from[std::size_t(count - 1)] : start, size) == 0);
  if (count > 0) CHECK(wrong(part_total, sums[std::size_t(count - 1)], size) == 0);
  if constexpr (gpuprim::has_identity<decltype(op), T>) {
    const T identity = gpuprim::identity_element<decltype(op), T>::value();
    if (count == 0) CHECK(wrong(part_total, identity, size) == 0);
    CHECK(wrong(from_identity, test::scan_exclusive(values, op, identity), size) == 0);
    CHECK(wrong(partial_before, test::scan_exclusive(values, op, identity), count) == 0);
    CHECK(wrong(total_before, count > 0 ? sums[std::size_t(count - 1)] : identity, size) == 0);
  }
}

template <bool Cooperative, int Size, class T, class Op>
__global__ void scan_tiles(const T* in, const T* starts, T* out, int valid, Op op) {
  const int i = int(threadIdx.x);
  const auto scan = [&](const auto& tile) {
    scan_all(tile, in[i], in[threads], starts[i / Size], out + i, threads, valid, op);
  };
  if constexpr (Cooperative) scan(cg::tiled_partition<Size>(cg::this_thread_block()));
  else scan(gpuprim::warp_tile<Size>{});
}

template <bool Cooperative, int Size, class T, class Op>
void check_tile(Op op) {
  std::vector<T> starts;
  for (int t = 0; t < threads / Size; ++t) starts.push_back(test::make_start<T>(t * Size));
  test::device_array<T> input(test::make_values<T>(threads + 1)), from(starts);
  for (int valid : {0, 1, Size / 2 + 1, Size, 100}) {
    CAPTURE(Cooperative, Size, valid);
    test::device_array<T> output(forms * threads);
    test::run(scan_tiles<Cooperative, Size, T, Op>, 1, threads, 0, input.data(), from.data(), output.data(), valid, op);
    const auto got = output.download();
    for (int t = 0; t < threads / Size; ++t) {
      check_all(got, std::size_t(t * Size), threads, test::make_values<T>(Size, t * Size), starts[std::size_t(t)],
                valid, op);
    }
    output.check_guards();
  }
  input.check_unchanged();
}

template <class T, class Op>
void check_sizes(Op op) {
  test::for_every_tile([&]<bool Cooperative, int Size>() { check_tile<Cooperative, Size, T>(op); });
}

/// The lanes of a group write side by side, behind the results of groups whose lanes come before.
template <class T, class Op>
__global__ void scan_coalesced(const T* in, const T* starts, T* out, int* leaders, unsigned chosen, int valid, Op op) {
  if (chosen >> threadIdx.x & 1) {
    const auto group = cg::coalesced_threads();
    const int leader = group.shfl(int(threadIdx.x), 0), rank = int(group.thread_rank());
    leaders[threadIdx.x] = leader;
    scan_all(group, in[rank], in[32], starts[0], out + leader * forms * 32 + rank, 32, valid, op);
  }
}

/// Counts how often an operand is the one that nobody may see.
struct wary {
  unsigned* seen;
  __device__ int operator()(int a, int b) const {
    if (a == -1 || b == -1) atomicAdd(seen, 1u);
    return a + b;
  }
};

}  // namespace

template <>
struct gpuprim::identity_element<wary, int> {
  static GPUPRIM_HOST_DEVICE int value() { return 0; }
};

namespace {

__global__ void scan_few(int* out, unsigned* seen, int valid) {
  const gpuprim::warp_tile<16> tile;
  const int mine = int(tile.thread_rank()) < valid ? 2 : -1;
  int total = 0;
  out[threadIdx.x] = gpuprim::warp_inclusive_scan(tile, mine, wary{seen}, gpuprim::total_to{total}, valid);
  const int again = gpuprim::warp_inclusive_scan(tile, mine, wary{seen}, {}, valid);
  gpuprim::warp_exclusive_scan(tile, mine, wary{seen}, 5, total, valid);
  gpuprim::warp_exclusive_scan(tile, mine, wary{seen}, {}, valid);
  total -= 5;
  out[32 + threadIdx.x] = int(tile.thread_rank()) >= valid || again == out[threadIdx.x] ? total : -1;
}

}  // namespace

TEST_CASE("warp scans over every tile size and partial tiles", "[warp][sanitizer][tsan]") {
  check_sizes<test::affine>(test::then{});
  check_sizes<int>(gpuprim::plus{});
}

TEST_CASE("warp scans of every element type", "[warp]") {
  check_tile<false, 32, signed char>(gpuprim::plus<signed char>{});
  check_tile<true, 16, unsigned char>(gpuprim::maximum{});
  check_tile<false, 32, short>(gpuprim::maximum{});
  check_tile<true, 32, unsigned>(gpuprim::bit_xor{});
  check_tile<true, 32, std::int64_t>(gpuprim::plus{});
  check_tile<false, 32, __half>(gpuprim::plus{});
  check_tile<true, 32, float>(gpuprim::plus{});
  check_tile<false, 32, double>(gpuprim::minimum{});
  check_tile<true, 32, test::point3>(test::add_points{});
  check_tile<false, 32, test::matrix2>(test::product{});
  check_tile<true, 32, test::span_of_positions>(test::chain{});
}

TEST_CASE("warp scans of coalesced groups", "[warp]") {
  const auto starts = test::make_values<test::affine>(1, 77);
  for (unsigned chosen : {0xffffffffu, 0x0000ffffu, 0xa5a5a5a5u, 0x80000001u, 0x00000100u, 0x7fffffffu}) {
    CAPTURE(chosen);
    test::device_array<test::affine> input(test::make_values<test::affine>(33)), from(starts), output(32 * forms * 32);
    test::device_array<int> leaders(std::vector<int>(32, -1));
    test::run(scan_coalesced<test::affine, test::then>, 1, 32, 0, input.data(), from.data(), output.data(),
              leaders.data(), chosen, 5, test::then{});
    const auto got = output.download();
    const auto where = leaders.download();
    // The hardware may split the lanes that are here into several groups; each is the lanes that name one leader.
    for (int leader = 0; leader < 32; ++leader) {
      const auto size = int(std::count(where.begin(), where.end(), leader));
      if (size == 0) continue;
      check_all(got, std::size_t(leader) * forms * 32, 32, test::make_values<test::affine>(size), starts[0], 5,
                test::then{});
    }
    for (int i = 0; i < 32; ++i) CHECK((where[std::size_t(i)] >= 0) == bool(chosen >> i & 1));
    output.check_guards();
  }
}

TEST_CASE("the operator of a warp scan sees no value behind the count", "[warp]") {
  for (int valid : {0, 1, 5, 16}) {
    test::device_array<int> output(64);
    test::device_array<unsigned> seen(std::vector<unsigned>{0});
    test::run(scan_few, 1, 32, 0, output.data(), seen.data(), valid);
    CHECK(seen.download()[0] == 0);
    const auto got = output.download();
    for (int i = 0; i < 32; ++i) {
      if (i % 16 < valid) CHECK(got[std::size_t(i)] == 2 * (i % 16 + 1));
      CHECK(got[std::size_t(32 + i)] == 2 * valid);
    }
  }
}
