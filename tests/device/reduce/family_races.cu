// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kind of projection of the reduction family in a few blocks, for TSan, whose tree need not compile the many types
// of the other files.
#include <gpuprim/dot.cuh>
#include <gpuprim/extrema.cuh>
#include <gpuprim/statistics.cuh>
#include <gpuprim/transform_reduce.cuh>

#include "../../support/dot_check.cuh"

#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace {

struct is_negative {
  GPUPRIM_HOST_DEVICE bool operator()(int v) const { return v < 0; }
};

/// x -> the map 3 x + value, which does not commute with others.
struct as_step {
  GPUPRIM_HOST_DEVICE test::affine operator()(int value) const { return {3, std::uint32_t(value)}; }
};

template <class T>
void check_squared_norm(std::int64_t n, std::size_t offset = 0) {
  using Acc = gpuprim::dot_accumulator<T>;
  const auto values = test::make_numbers<T>(n);
  test::check_pass(
      values, test::expected_dot<Acc>(values, values),
      [](auto in, auto count, auto out, auto how) { return gpuprim::squared_norm(in, count, out, how); },
      gpuprim::squared_norm.workspace_bytes<T>(n), offset);
}

}  // namespace

TEST_CASE("transform_reduce keeps the order", "[device][tsan][few_schedules]") {
  for (std::int64_t n : {0, 1, 33, 2049, 5001}) {
    const auto values = test::make_values<int>(n);
    test::affine want{7, 9};
    for (int v : values) want = test::then{}(want, as_step{}(v));
    test::check_pass(
        values, want,
        [](auto in, auto count, auto out, auto how) {
          return gpuprim::transform_reduce(in, count, out, test::then{}, as_step{}, test::affine{7, 9}, how);
        },
        gpuprim::reduce_workspace_bytes<test::affine>(n));
  }
}

TEST_CASE("reduce_into_value returns a tuple", "[device][tsan][few_schedules]") {
  const std::vector<int> values = {4, -2, 8, -1, 3};
  test::device_array<int> input(values);
  const auto counted = gpuprim::transformed<std::int64_t>(gpuprim::plus{}, is_negative{});
  const auto [sum, low, high, negative] = gpuprim::reduce_into_value(
      input.data(), 5, gpuprim::fused(gpuprim::plus{}, gpuprim::minimum{}, gpuprim::maximum{}, counted));
  CHECK(sum == 12);
  CHECK(low == -2);
  CHECK(high == 8);
  CHECK(negative == 2);
  CHECK(gpuprim::reduce_into_value(input.data(), 5, gpuprim::maximum{}) == 8);
  // fused in fused
  const auto nested = gpuprim::reduce_into_value(
      input.data(), 5, gpuprim::fused(gpuprim::fused(gpuprim::plus{}, gpuprim::minimum{}), gpuprim::bit_xor{}));
  CHECK(nested == gpuprim::tuple{gpuprim::tuple{12, -2}, 4 ^ -2 ^ 8 ^ -1 ^ 3});
}

TEST_CASE("extrema of equal elements are the first", "[device][tsan][few_schedules]") {
  for (std::int64_t n : {1, 100, 2500, 9001}) {
    const auto [low, high] = [&] {
      test::device_array<int> input(std::vector<int>(std::size_t(n), 7));
      return gpuprim::minmax_element_value(input.data(), n);
    }();
    CHECK(low == gpuprim::extremum<int>{7, 0});
    CHECK(high == gpuprim::extremum<int>{7, 0});
  }
}

TEST_CASE("squared_norm from every address", "[device][tsan][few_schedules]") {
  for (std::int64_t n : {0, 1, 33, 5001}) {
    check_squared_norm<signed char>(n);
    check_squared_norm<__half>(n);
  }
  for (std::size_t offset = 0; offset < 16; ++offset) check_squared_norm<signed char>(1501, offset);
}

TEST_CASE("the variance of numbers far from zero", "[device][tsan][few_schedules]") {
  // Sums of squares of the numbers themselves would have lost all digits of it.
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) values.push_back(1e9 + i % 3);
  test::device_array<double> input(values);
  CHECK_THAT(gpuprim::variance_value(input.data(), 3000), Catch::Matchers::WithinRel(2.0 / 3, 1e-12));
}

TEST_CASE("an accurate sum where a plain one is wrong", "[device][tsan][few_schedules]") {
  std::vector<double> values(3001, 1.0);
  values[0] = 1e100;
  values[3000] = -1e100;
  test::device_array<double> input(values);
  CHECK(gpuprim::accurate_sum_value(input.data(), 3001) == 2999);
}
