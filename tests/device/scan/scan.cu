// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/device_scan_check.cuh"
#include "../../support/schedules.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

constexpr auto few_short = test::scan_one_tile(64, 16), many_short = test::scan_many_tiles(64, 16);
constexpr auto few_long = test::scan_one_tile(64, 48), many_long = test::scan_many_tiles(64, 48);

struct widen {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(int x) const { return std::int64_t{3} * x; }
};

/// Element i is i % 7.
struct remainders : gpuprim::detail::input_iterator_types<int> {
  GPUPRIM_HOST_DEVICE int operator[](std::int64_t i) const { return int(i % 7); }
};

/// Writes twice the value.
struct doubling_output {
  int* to;
  struct place {
    int& to;
    GPUPRIM_HOST_DEVICE void operator=(int value) const { to = 2 * value; }
  };
  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {to[i]}; }
};

}  // namespace

TEST_CASE("Scans in one tile a block", "[device][sanitizer]") {
  for (int n : {1, 2, 31, 33, 255, 256, 257, 1000, 5003}) {
    test::check_scans<int, int, int, few_short>(n, gpuprim::plus{}, 5);
    test::check_scans<test::affine, test::affine, test::affine, few_short>(n, test::then{}, test::affine{2, 1});
  }
}

TEST_CASE("Scans in many tiles a block", "[device][sanitizer][slow]") {
  for (int n : {1, 256, 257, 1000, 5003, 40000}) {
    test::check_scans<int, int, int, many_short>(n, gpuprim::plus{}, 5);
    test::check_scans<test::affine, test::affine, test::affine, many_short>(n, test::then{}, test::affine{2, 1});
  }
}

TEST_CASE("Scans over more tiles than a row has", "[device]") {
  constexpr auto shape = test::scan_many_tiles(32, 16);
  test::check_scans<test::affine, test::affine, test::affine, shape>(32 * 2 * 100 + 3, test::then{});
  test::check_scans<test::span_of_positions, test::span_of_positions, test::span_of_positions, shape>(32 * 2 * 70,
                                                                                                      test::chain{});
}

TEST_CASE("Scans over more rows than one, half a block a row", "[device]") {
  constexpr auto shape = test::scan_many_tiles(512, 8);  // one element a thread
  test::check_scans<test::affine, test::affine, test::affine, shape>(512 * 600 + 3, test::then{});
}

#if defined(SIMT_DEVICE)
TEST_CASE("Scans under 1,000 schedules at 1 to 7 resident blocks", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    const std::int64_t n = 700 + seed;
    if (seed % 2 == 0) {
      test::check_scans<test::affine, test::affine, test::affine, test::scan_many_tiles(32, 16)>(n, test::then{});
    } else {
      test::check_scans<int, int, int, test::scan_one_tile(32, 16)>(n, gpuprim::plus{}, 5, {seed % 32 * 4, 0});
    }
  });
}

TEST_CASE("Scans under all schedules of a delay", "[device][not_asan]") {
  const int many = test::under_all_delays(1, [] {
    test::check_scans<test::affine, test::affine, test::affine, test::scan_many_tiles(32, 16)>(200, test::then{});
  });
  const int few = test::under_all_delays(
      1, [] { test::check_scans<int, int, int, test::scan_one_tile(32, 16)>(300, gpuprim::plus{}, 5, {4, 0}); });
  CHECK(many > 50);
  CHECK(few > 50);
}
#endif

TEST_CASE("Scans with the library's shapes", "[device]") {
  for (int n : {0, 1, 3071, 3072, 3073, 50001}) test::check_scans<int, int>(n, gpuprim::plus{}, 7);
  test::check_scans<test::matrix2, test::matrix2>(30000, test::product{});
  test::check_scans<double, double>(20000, gpuprim::plus{}, 0.5);
}

TEST_CASE("Scans in large tiles", "[device][not_asan]") {
  constexpr gpuprim::scan_policies shape{.medium = gpuprim::tuned_scan_policies.large};
  test::check_scans<int, int, int, shape>(18432 * 5 + 17, gpuprim::plus{}, {}, {4, 4});
}

TEST_CASE("Scans at the limits of each launch", "[device][not_asan]") {
  const auto limits = [] {
    std::vector<std::int64_t> found;
    auto* const in = reinterpret_cast<const int*>(std::uintptr_t{1} << 40);
    auto* const out = reinterpret_cast<int*>(std::uintptr_t{1} << 41);
    const auto block_of = [&](std::int64_t n) {
      const auto plan = gpuprim::exclusive_scan_plan(in, n, out, gpuprim::plus{}, 0);
      return plan.shared_bytes;
    };
    for (std::int64_t n = 1 << 10; n < 1 << 21; n *= 2) {
      if (block_of(n) == block_of(2 * n)) continue;
      std::int64_t low = n, high = 2 * n;
      while (high - low > 1) (block_of(low) == block_of((low + high) / 2) ? low : high) = (low + high) / 2;
      found.push_back(low);
    }
    return found;
  }();
  REQUIRE(!limits.empty());
  for (std::int64_t n : limits) {
    for (int past : {0, 1}) test::check_scans<int, int>(n + past, gpuprim::plus{});
  }
}

TEST_CASE("Scans of every type", "[device]") {
  const auto check = [&]<class Acc, class T, class Result, class Op>(Op op, std::optional<Acc> start = {}) {
    for (int n : {40, 3000, 9001}) {
      if constexpr (sizeof(Acc) <= 8) test::check_scans<Acc, T, Result, few_long>(n, op, start);
      test::check_scans<Acc, T, Result, many_long>(n, op, start);
    }
  };
  check.operator()<int, signed char, int>(gpuprim::plus{});
  check.operator()<int, unsigned char, unsigned char>(gpuprim::plus{});
  check.operator()<std::int64_t, int, std::int64_t>(gpuprim::plus{}, 1);
  check.operator()<test::point3, test::point3, test::point3>(test::add_points{});
  test::unless_sanitized([&](auto) {
    check.operator()<float, float, float>(gpuprim::plus{}, 2);
    check.operator()<double, float, double>(gpuprim::plus{});
    check.operator()<short, short, short>(gpuprim::maximum{});
    check.operator()<std::int64_t, std::int64_t, short>(gpuprim::bit_xor{});
    check.operator()<test::matrix2, test::matrix2, test::matrix2>(test::product{});
    check.operator()<test::span_of_positions, test::span_of_positions, test::span_of_positions>(test::chain{});
  });
}

TEST_CASE("Scans at every misalignment", "[device][sanitizer]") {
  for (std::size_t bytes = 4; bytes < 128; bytes += 20) {
    test::check_scans<int, int, int, few_short>(3000, gpuprim::plus{}, {}, {bytes, 0});
    test::check_scans<int, int, int, many_short>(3000, gpuprim::plus{}, {}, {bytes, bytes});
    test::check_scans<int, int, int, many_short>(20, gpuprim::plus{}, 4, {bytes, 128 - bytes});
  }
  for (std::size_t bytes : {1, 15, 17, 127}) {
    test::check_scans<int, char, char, many_short>(9000, gpuprim::plus{}, {}, {bytes, 3});
  }
  test::check_scans<test::affine, test::affine, test::affine, many_short>(3000, test::then{}, {}, {4, 4});
}

TEST_CASE("Scans in place", "[device][sanitizer]") {
  for (std::size_t bytes : {0, 4, 20}) {
    test::check_scans<int, int, int, few_short>(3001, gpuprim::plus{}, {}, {bytes, 0, true});
    test::check_scans<int, int, int, many_short>(9001, gpuprim::plus{}, 3, {bytes, 0, true});
    test::check_scans<int, int, float, many_short>(300, gpuprim::plus{}, 3, {bytes, 0, true});
  }
}

TEST_CASE("Scans of few elements under ThreadSanitizer", "[device][tsan]") {
  test::check_scans<int, int, int, test::scan_one_tile(64, 16)>(1500, gpuprim::plus{}, {}, {4, 4, true});
  test::check_scans<test::affine, test::affine, test::affine, test::scan_many_tiles(32, 16)>(3000, test::then{}, {},
                                                                                             {8, 8, true});
  test::check_scans<int, char, int, test::scan_many_tiles(64, 16)>(2000, gpuprim::plus{}, {}, {1, 4});
}

TEST_CASE("Scans read and write iterators, and transform", "[device]") {
  const int n = 3001;
  test::device_array<int> out(n), total(1);
  test::device_array<std::int64_t> wide(n);
  CUDA_OK(gpuprim::exclusive_scan(remainders{}, n, gpuprim::with_total(doubling_output{out.data()}, total.data()),
                                  gpuprim::plus{}));
  CUDA_OK(gpuprim::transform_inclusive_scan(remainders{}, n, wide.data(), gpuprim::plus{}, widen{}));
  const auto got = out.download();
  const auto got_wide = wide.download();
  std::int64_t sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += got[std::size_t(i)] != 2 * sum;
    sum += i % 7;
    wrong += got_wide[std::size_t(i)] != 3 * sum;
  }
  CHECK(wrong == 0);
  CHECK(total.download()[0] == sum);
  CUDA_OK(gpuprim::transform_exclusive_scan(remainders{}, n, wide.data(), gpuprim::plus{}, widen{}, 5));
  CHECK(wide.download()[n - 1] == 5 + 3 * (sum - (n - 1) % 7));
}
