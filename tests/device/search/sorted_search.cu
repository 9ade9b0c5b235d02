// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lower_bound and upper_bound of values in any order, and of sorted ones.
#include "../../support/schedules.cuh"
#include "../../support/search_check.cuh"

#include <functional>
#include <limits>

namespace {

constexpr auto few = test::merge_tiles(32, 1), odd = test::merge_tiles(64, 5);

/// Writes what it is given plus one.
struct plus_one_output {
  int* to;
  struct place {
    int* at;
    __device__ void operator=(std::int64_t x) const { *at = int(x) + 1; }
  };
  GPUPRIM_HOST_DEVICE place operator[](std::int64_t i) const { return {to + i}; }
};

}  // namespace

TEST_CASE("bounds of values in every order", "[device][sanitizer]") {
  for (int n : {0, 1, 17, 1000, 4095}) {
    for (int count : {0, 1, 95, 700, 4097}) {
      test::check_orders<few, int>(n, 1000, count, 1100);
      test::check_orders<few, int>(n, 30, count, 40);
    }
  }
  test::check_orders<odd, double>(40000, 1 << 20, 30000, 1 << 20);
  test::check_orders<few, signed char>(3000, 100, 9000, 120);
  test::check_orders<few, short>(9000, 5, 2000, 7);
  test::check_orders<odd, test::long_number>(30000, 5000, 20000, 6000);
}

TEST_CASE("bounds of values of which many are equal, or lie on one side of all elements", "[device]") {
  const std::vector<int> sorted = test::make_numbers<int>(5000, 1 << 20);
  for (const int value : {-1, 1 << 20, sorted[0], sorted[2500], sorted[4999]}) {
    test::check_bounds<few>(sorted, std::vector<int>(3000, value));
  }
  test::check_bounds<few>(std::vector<int>(4000, 7), std::vector<int>(3000, 7));
}

TEST_CASE("bounds of values that are not ordered, and of another type", "[device]") {
  std::vector<float> sorted = test::make_numbers<float>(3000, 1000), values = test::make_numbers<float>(2900, 1000);
  for (std::size_t i = 0; i < values.size(); i += 31) values[i] = std::numeric_limits<float>::quiet_NaN();
  test::check_bounds<few>(sorted, test::make_numbers<int>(2900, 1000));
  const test::device_array<float> in(sorted), wanted(values);
  test::device_array<int> out(values.size());
  CUDA_OK(test::detail::find_bounds_of_sorted<few, test::detail::bound::lower>(
              in.data(), 3000, wanted.data(), 2900, out.data(), std::less<>{}, gpuprim::options{})
              .report());
  out.check_guards();
  in.check_unchanged();
}

TEST_CASE("bounds of sorted values in the order of the caller, from iterators and to one", "[device]") {
  std::vector<int> falling;
  for (int i = 0; i < 6000; ++i) falling.push_back(7000 - i);
  const test::device_array<int> in(falling);
  test::device_array<int> out(6000), other(6000);
  const gpuprim::options how;
  CUDA_OK(test::detail::find_bounds_of_sorted<few, test::detail::bound::lower>(
              in.data(), 6000, in.data(), 6000, plus_one_output{out.data()}, std::greater<>{}, how)
              .report());
  CUDA_OK(test::detail::find_bounds_of_sorted<few, test::detail::bound::upper>(
              gpuprim::positions<int>{}, 6000, gpuprim::positions<int>{}, 6000, other.data(), std::less<>{}, how)
              .report());
  const auto got = out.download(), got_other = other.download();
  for (int i = 0; i < 6000; ++i) REQUIRE((got[std::size_t(i)] == i + 1 && got_other[std::size_t(i)] == i + 1));
}

TEST_CASE("bounds of sorted values with a workspace, in place, and faults", "[device]") {
  const int n = 700000, count = 500000;
  const std::vector<int> sorted = test::make_numbers<int>(n, 1 << 20), values = test::make_numbers<int>(count, 1 << 20);
  const test::device_array<int> in(sorted);
  test::device_array<int> wanted(values), out(values.size());
  gpuprim::workspace ws(gpuprim::bounds_of_sorted_workspace_size<int>(n, count)), none;
  CHECK(gpuprim::lower_bound_of_sorted(in.data(), n, wanted.data(), count, out.data(), {.workspace = &none}) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::lower_bound_of_sorted(in.data(), n, wanted.data(), count, const_cast<int*>(in.data() + 5)) ==
        cudaErrorInvalidValue);
  out.check_untouched();
  CUDA_OK(gpuprim::lower_bound_of_sorted(in.data(), n, wanted.data(), count, out.data(), {.workspace = &ws}));
  CUDA_OK(gpuprim::upper_bound_of_sorted(in.data(), n, wanted.data(), count, wanted.data()));
  const auto low = out.download(), high = wanted.download();
  for (std::size_t i = 0; i < values.size(); i += 997) {
    REQUIRE(low[i] == std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin());
    REQUIRE(high[i] == std::upper_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin());
  }
}

TEST_CASE("bounds of many sorted values among no elements need no workspace", "[device]") {
  const int count = 1000000;
  const test::device_array<int> values(std::vector<int>(std::size_t(count), 5));
  test::device_array<int> out(std::size_t(count), 0);
  gpuprim::workspace none;
  CHECK(gpuprim::bounds_of_sorted_workspace_size<int>(0, count).total_bytes() == 0);
  CUDA_OK(gpuprim::upper_bound_of_sorted(values.data(), 0, values.data(), count, out.data(), {.workspace = &none}));
  CHECK(out.download() == std::vector<int>(std::size_t(count), 0));
}

#if defined(SIMT_DEVICE)
TEST_CASE("bounds of sorted values under 1,000 schedules", "[device][not_asan]") {
  test::under_many_schedules([](unsigned seed) {
    test::check_bounds<few>(test::make_numbers<int>(int(3000 + seed % 100), 900),
                            test::make_numbers<int>(int(1500 + seed % 70), 1000));
  });
}
#endif
