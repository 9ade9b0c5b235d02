// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/block/block_scan.cuh>

#include "../support/scan_check.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// What scan_block writes, in this order.
enum form {
  inclusive,
  with_total,
  its_total,
  from_start,
  with_both,
  its_sum,
  partial,
  part_total,
  partial_from,
  part_sum,
  partial_behind,
  its_prefix,
  from_identity,
  partial_before,
  total_before,
  forms
};

/// Every form of the scans of one value a thread, in a row: a missing barrier between them mixes two. Threads behind
/// `valid` have another value than the one that is scanned.
template <int BlockSize, class T, class Op>
__global__ void scan_block(const T* in, const T start, T* out, int valid, Op op) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank()), threads = int(block.size());
  const auto put = [&](form which, const T& value) { out[which * threads + rank] = value; };
  const T mine = in[rank], given = rank < valid ? mine : in[0];
  T total = mine;
  put(inclusive, gpuprim::block_inclusive_scan<BlockSize>(block, mine, op));
  put(with_total, gpuprim::block_inclusive_scan<BlockSize>(block, mine, op, gpuprim::total_to{total}));
  put(its_total, total);
  put(from_start, gpuprim::block_exclusive_scan<BlockSize>(block, mine, op, start));
  total = start;
  put(with_both, gpuprim::block_exclusive_scan<BlockSize>(block, mine, op, total, total));  // one variable for both
  put(its_sum, total);
  put(partial, gpuprim::block_inclusive_scan<BlockSize>(block, given, op, gpuprim::total_to{total}, valid));
  put(part_total, total);
  put(partial_from, gpuprim::block_exclusive_scan<BlockSize>(block, given, op, start, total, valid));
  put(part_sum, total);
  gpuprim::running_prefix so_far{start};
  put(partial_behind, gpuprim::block_exclusive_scan<BlockSize>(block, given, op, so_far, valid));
  put(its_prefix, so_far.value);
  if constexpr (gpuprim::has_identity<Op, T>) {
    put(from_identity, gpuprim::block_exclusive_scan<BlockSize>(block, mine, op));
    put(partial_before, gpuprim::block_exclusive_scan<BlockSize>(block, given, op, {}, valid));
    const T again = gpuprim::block_exclusive_scan<BlockSize>(block, given, op, gpuprim::total_to{total}, valid);
    put(total_before, rank >= valid || again == out[partial_before * threads + rank] ? total : start);
  } else {
    for (const form each : {from_identity, partial_before, total_before}) put(each, mine);
  }
}

template <int BlockSize, class T, class Op>
void check(Op op, dim3 shape) {
  const int threads = int(shape.x * shape.y * shape.z);
  const auto values = test::make_values<T>(threads);
  const T start = test::make_start<T>(0);
  auto behind = values;
  behind[0] = op(start, behind[0]);
  const auto sums = test::scan_inclusive(values, op), from = test::scan_inclusive(behind, op);
  const auto before = test::scan_exclusive(values, op, start);
  test::device_array<T> input(values);
  for (int valid : {0, 1, threads / 2 + 1, threads, 100 * threads}) {
    CAPTURE(BlockSize, threads, valid);
    const int count = valid < threads ? valid : threads;
    test::device_array<T> output(std::size_t(forms) * values.size());
    test::run(scan_block<BlockSize, T, Op>, 1, shape, 0, input.data(), start, output.data(), valid, op);
    const auto got = output.download();
    const auto wrong = [&](form which, const auto& want, int results) {
      return test::count_wrong(got, which * values.size(), want, results);
    };
    CHECK(wrong(inclusive, sums, threads) == 0);
    CHECK(wrong(with_total, sums, threads) == 0);
    CHECK(wrong(its_total, sums.back(), threads) == 0);
    CHECK(wrong(from_start, before, threads) == 0);
    CHECK(wrong(with_both, before, threads) == 0);
    CHECK(wrong(its_sum, from.back(), threads) == 0);
    CHECK(wrong(partial, sums, count) == 0);
    CHECK(wrong(partial_from, before, count) == 0);
    CHECK(wrong(part_sum, count > 0 ? from[std::size_t(count - 1)] : start, threads) == 0);
    CHECK(wrong(partial_behind, before, count) == 0);
    CHECK(wrong(its_prefix, count > 0 ? from[std::size_t(count - 1)] : start, threads) == 0);
    if (count > 0) CHECK(wrong(part_total, sums[std::size_t(count - 1)], threads) == 0);
    if constexpr (gpuprim::has_identity<Op, T>) {
      const T identity = gpuprim::identity_element<Op, T>::value();
      if (count == 0) CHECK(wrong(part_total, identity, threads) == 0);
      CHECK(wrong(from_identity, test::scan_exclusive(values, op, identity), threads) == 0);
      CHECK(wrong(partial_before, test::scan_exclusive(values, op, identity), count) == 0);
      CHECK(wrong(total_before, count > 0 ? sums[std::size_t(count - 1)] : identity, threads) == 0);
    }
    output.check_guards();
  }
  input.check_unchanged();
}

/// The form with the size at compile time and the one without.
template <int BlockSize, class T, class Op>
void check_both(Op op, dim3 shape = BlockSize) {
  check<BlockSize, T>(op, shape);
  check<gpuprim::runtime_block_size, T>(op, shape);
}

/// Tiles of the block, one after the other, by two running prefixes; and each tile alone, from a start.
template <int BlockSize, int Items, class T, class Op>
__global__ void scan_tiles(const T* in, const T start, int tiles, T* running_in, T* running_ex, T* alone, T* totals,
                           Op op) {
  const auto block = cg::this_thread_block();
  const int rank = int(block.thread_rank()), tile_items = int(block.size()) * Items;
  gpuprim::running_prefix carry{start}, other = carry;
  for (int tile = 0; tile < tiles; ++tile) {
    const int first = tile * tile_items + rank * Items;
    gpuprim::uninitialized_array<T, Items> values[3];
    for (auto& one : values) {
      for (int i = 0; i < Items; ++i) one[i] = in[first + i];
    }
    T total = start;
    gpuprim::block_inclusive_scan<BlockSize>(block, values[0].items, op, carry);
    gpuprim::block_exclusive_scan<BlockSize>(block, values[1].items, op, other);
    gpuprim::block_exclusive_scan<BlockSize>(block, values[2].items, op, start, total);
    for (int i = 0; i < Items; ++i) {
      running_in[first + i] = values[0][i];
      running_ex[first + i] = values[1][i];
      alone[first + i] = values[2][i];
    }
    totals[tile * int(block.size()) + rank] = total;
  }
  totals[tiles * int(block.size()) + rank] = carry.value;
  totals[(tiles + 1) * int(block.size()) + rank] = other.value;
  gpuprim::uninitialized_array<T, Items> values;
  for (int i = 0; i < Items; ++i) values[i] = in[rank * Items + i];
  gpuprim::block_inclusive_scan<BlockSize>(block, values.items, op);  // without a start, over what it was made of
  for (int i = 0; i < Items; ++i) alone[rank * Items + i] = values[i];
}

template <int BlockSize, int Items, class T, class Op>
void check_items(Op op, int threads = BlockSize, int tiles = 3) {
  CAPTURE(BlockSize, Items, threads);
  const int tile_items = threads * Items, n = tiles * tile_items;
  const auto values = test::make_values<T>(n);
  const T start = test::make_start<T>(0);
  const auto count = values.size();
  test::device_array<T> input(values), in(count), ex(count), alone(count), totals(std::size_t((tiles + 2) * threads));
  test::run(scan_tiles<BlockSize, Items, T, Op>, 1, unsigned(threads), 0, input.data(), start, tiles, in.data(),
            ex.data(), alone.data(), totals.data(), op);
  auto behind = values;
  behind[0] = op(start, behind[0]);
  const auto want = test::scan_inclusive(behind, op);
  CHECK(test::count_wrong(in.download(), 0, want, n) == 0);
  CHECK(test::count_wrong(ex.download(), 0, test::scan_exclusive(values, op, start), n) == 0);
  const auto got = alone.download(), got_totals = totals.download();
  for (int tile = 0; tile < tiles; ++tile) {
    const std::vector<T> its(values.begin() + tile * tile_items, values.begin() + (tile + 1) * tile_items);
    const auto its_want = tile == 0 ? test::scan_inclusive(its, op) : test::scan_exclusive(its, op, start);
    CHECK(test::count_wrong(got, std::size_t(tile * tile_items), its_want, tile_items) == 0);
    CHECK(test::count_wrong(got_totals, std::size_t(tile * threads), test::fold(its, op, start), threads) == 0);
  }
  CHECK(test::count_wrong(got_totals, std::size_t(tiles * threads), want.back(), 2 * threads) == 0);
  input.check_unchanged();
  for (const auto* array : {&in, &ex, &alone, &totals}) array->check_guards();
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

template <int BlockSize>
__global__ void scan_few(int* out, unsigned* seen, int valid) {
  const gpuprim::this_block block;
  int total = 0;
  const int mine = int(threadIdx.x) < valid ? 2 : -1;
  out[threadIdx.x] = gpuprim::block_inclusive_scan<BlockSize>(block, mine, wary{seen}, gpuprim::total_to{total}, valid);
  out[block.size() + threadIdx.x] = total;
  gpuprim::block_exclusive_scan<BlockSize>(block, mine, wary{seen}, 5, total, valid);
  gpuprim::block_exclusive_scan<BlockSize>(block, mine, wary{seen}, {}, valid);
}

/// A constant of the host, which has no address in a kernel.
constexpr int host_start = 100;

/// Initial values of other types than the values and the total.
template <int BlockSize>
__global__ void scan_from_others(double* out) {
  const gpuprim::this_block block;
  const int rank = int(threadIdx.x);
  const auto put = [&](int form, double result, double total) {
    out[2 * form * BlockSize + rank] = result;
    out[(2 * form + 1) * BlockSize + rank] = total;
  };
  int sum = 0;
  const int whole = gpuprim::block_exclusive_scan<BlockSize>(block, 2, gpuprim::plus{}, host_start, sum);
  put(0, whole, sum);
  long long wide_sum = 0;
  const auto wide = gpuprim::block_exclusive_scan<BlockSize>(block, 2ll, gpuprim::plus{}, host_start, wide_sum);
  put(1, double(wide), double(wide_sum));
  float half_sum = 0;
  const float halves = gpuprim::block_exclusive_scan<BlockSize>(block, 2.0f, gpuprim::plus{}, __half(100.0f), half_sum);
  put(2, halves, half_sum);
  long long items[1] = {2};
  gpuprim::block_exclusive_scan<BlockSize>(block, items, gpuprim::plus{}, host_start, wide_sum);
  put(3, double(items[0]), double(wide_sum));
  short start = 100, short_sum = 0;
  const double part = gpuprim::block_exclusive_scan<BlockSize>(block, short(2), gpuprim::plus{}, start, short_sum, 9);
  put(4, rank < 9 ? part : host_start + 2 * rank, short_sum + 2 * BlockSize - 18);
}

/// Whether a count may be given without an initial value.
template <class Count>
concept is_scan_count = requires(const gpuprim::this_block& block, const gpuprim::warp_tile<32>& tile, Count& count) {
  gpuprim::block_exclusive_scan<64>(block, 1.0f, gpuprim::plus{}, {}, count);
  gpuprim::warp_exclusive_scan(tile, 1.0f, gpuprim::plus{}, {}, count);
};
static_assert(is_scan_count<int> && is_scan_count<const unsigned> && is_scan_count<std::int64_t>);
static_assert(!is_scan_count<float>, "this would be meant to take the total");

template <int BlockSize>
void check_few(int threads) {
  for (int valid : {0, 1, 32, 33, 64, threads - 1}) {
    test::device_array<int> output(std::size_t(2 * threads));
    test::device_array<unsigned> seen(std::vector<unsigned>{0});
    test::run(scan_few<BlockSize>, 1, unsigned(threads), 0, output.data(), seen.data(), valid);
    CHECK(seen.download()[0] == 0);
    const auto got = output.download();
    for (int i = 0; i < valid; ++i) CHECK(got[std::size_t(i)] == 2 * (i + 1));
    CHECK(test::count_wrong(got, std::size_t(threads), 2 * valid, threads) == 0);
  }
}

}  // namespace

TEST_CASE("block scans of any block size", "[block][sanitizer]") {
  check<32, test::affine>(test::then{}, 32);
  check_both<64, test::affine>(test::then{});
  check_both<96, test::affine>(test::then{});
  check<128, test::affine>(test::then{}, 128);
  check<256, test::affine>(test::then{}, 256);
  check<512, test::affine>(test::then{}, 512);
  check_both<1024, test::affine>(test::then{});
  for (unsigned threads : {1, 7, 33, 100, 257}) check<gpuprim::runtime_block_size, test::affine>(test::then{}, threads);
  check<33, test::affine>(test::then{}, 33);
  check<257, test::affine>(test::then{}, 257);
}

TEST_CASE("block scans start from values of other types", "[block]") {
  constexpr int threads = 96, scanned = 5;
  test::device_array<double> output(2 * scanned * threads);
  test::run(scan_from_others<threads>, 1, threads, 0, output.data());
  const auto got = output.download();
  std::vector<double> want;
  for (int i = 0; i < threads; ++i) want.push_back(host_start + 2 * i);
  for (int i = 0; i < scanned; ++i) {
    CHECK(test::count_wrong(got, std::size_t(2 * i * threads), want, threads) == 0);
    CHECK(test::count_wrong(got, std::size_t((2 * i + 1) * threads), double(host_start + 2 * threads), threads) == 0);
  }
}

TEST_CASE("block scans of integers, whose warps one instruction joins", "[block][sanitizer]") {
  check<32, int>(gpuprim::plus{}, 32);
  check<64, unsigned>(gpuprim::maximum{}, 64);
  check<96, int>(gpuprim::plus{}, 96);
  check<256, int>(gpuprim::minimum{}, 256);
  check<1024, unsigned>(gpuprim::plus{}, 1024);
  check<100, int>(gpuprim::plus{}, 100);
  check<gpuprim::runtime_block_size, int>(gpuprim::bit_xor{}, 100);
}

TEST_CASE("block scans of a small block", "[block][tsan]") {
  check<96, test::affine>(test::then{}, 96);
  check<288, test::affine>(test::then{}, 288);
  check<gpuprim::runtime_block_size, test::affine>(test::then{}, 70);
  check<64, int>(gpuprim::plus{}, 64);
  check_items<64, 3, int>(gpuprim::plus{});
  check_items<96, 2, test::affine>(test::then{});
}

TEST_CASE("block scans of two- and three-dimensional blocks", "[block]") {
  check_both<96, test::affine>(test::then{}, dim3(8, 12));
  check_both<105, test::affine>(test::then{}, dim3(3, 5, 7));
  check_both<256, int>(gpuprim::plus{}, dim3(4, 8, 8));
}

TEST_CASE("block scans of every element type", "[block]") {
  check<128, signed char>(gpuprim::plus<signed char>{}, 128);
  check<96, unsigned char>(gpuprim::maximum{}, 96);
  check<128, short>(gpuprim::plus<short>{}, 128);
  check<64, std::uint64_t>(gpuprim::bit_xor{}, 64);
  check<256, std::int64_t>(gpuprim::plus{}, 256);
  check<128, __half>(gpuprim::plus{}, 128);
  check<256, float>(gpuprim::plus{}, 256);
  check<512, float>(gpuprim::maximum{}, 512);
  check<128, double>(gpuprim::plus{}, 128);
  check_both<70, test::point3>(test::add_points{});
  check_both<128, test::matrix2>(test::product{});
  check<64, test::matrix2>(test::product{}, 64);
  check_both<128, test::span_of_positions>(test::chain{});
}

TEST_CASE("block scans of an array a thread, tile after tile", "[block][sanitizer]") {
  check_items<32, 1, test::affine>(test::then{});
  check_items<64, 3, test::affine>(test::then{});
  check_items<128, 4, int>(gpuprim::plus{});
  check_items<256, 8, float>(gpuprim::plus{});
  check_items<512, 4, test::affine>(test::then{}, 512, 2);
  check_items<1024, 1, std::int64_t>(gpuprim::plus{}, 1024, 2);
  check_items<96, 3, test::span_of_positions>(test::chain{});
  check_items<64, 4, test::matrix2>(test::product{});
  check_items<gpuprim::runtime_block_size, 3, test::point3>(test::add_points{}, 100);
  check_items<gpuprim::runtime_block_size, 8, test::affine>(test::then{}, 33);
}

TEST_CASE("the operator of a block scan sees no value behind the count", "[block]") {
  check_few<96>(96);
  check_few<288>(288);
  check_few<gpuprim::runtime_block_size>(100);
}
