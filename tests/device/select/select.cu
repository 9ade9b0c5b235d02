// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/schedules.cuh"
#include "../../support/select_check.cuh"

namespace {

constexpr auto few_short = test::select_one_tile(64, 16), many_short = test::select_many_tiles(64, 16);
constexpr auto few_long = test::select_one_tile(64, 48), many_long = test::select_many_tiles(64, 48);

}  // namespace

TEST_CASE("Selects in one tile a block", "[device][sanitizer]") {
  for (int n : {0, 1, 2, 31, 33, 255, 256, 257, 1000, 5003}) {
    for (int percent : {0, 1, 50, 100}) test::check_selects<int, few_short>(n, percent);
  }
}

TEST_CASE("Selects in many tiles a block", "[device][sanitizer][slow]") {
  for (int n : {0, 1, 256, 257, 1000, 5003, 40000}) {
    for (int percent : {0, 1, 50, 100}) test::check_selects<int, many_short>(n, percent);
  }
}

TEST_CASE("Selects of every type", "[device]") {
  const auto check = [&]<class T>() {
    for (int n : {40, 3000, 9001}) {
      test::check_selects<T, few_long>(n, 40);
      test::check_selects<T, many_long>(n, 40);
    }
  };
  check.operator()<signed char>();
  check.operator()<short>();
  check.operator()<std::int64_t>();
  check.operator()<test::point3>();
  test::unless_sanitized([&](auto) {
    check.operator()<float>();
    check.operator()<double>();
    check.operator()<test::matrix2>();
  });
}

TEST_CASE("Selects at every misalignment, and in place", "[device][sanitizer]") {
  for (std::size_t bytes = 0; bytes < 128; bytes += 20) {
    test::check_selects<int, few_short>(3000, 60, {bytes, 4});
    test::check_selects<int, many_short>(3000, 60, {bytes, bytes});
    test::check_selects<int, few_short>(3001, 60, {bytes, 0, true});
    test::check_selects<int, many_short>(20, 60, {bytes, 0, true});
    test::check_selects<int, many_short>(9001, 90, {bytes, 0, true});
    test::check_selects<int, many_short>(9001, 100, {bytes, 0, true});
  }
  for (std::size_t bytes : {1, 15, 17, 127}) test::check_selects<char, many_short>(9000, 50, {bytes, 3});
}
