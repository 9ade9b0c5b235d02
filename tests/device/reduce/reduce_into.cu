// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>
#include <gpuprim/transform_reduce.cuh>

#include "../../support/family_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

namespace {

struct is_negative {
  template <class T> GPUPRIM_HOST_DEVICE bool operator()(const T& v) const { return v < T(0); }
};

constexpr auto everything() {
  return gpuprim::fused(gpuprim::plus{}, gpuprim::minimum{}, gpuprim::maximum{},
                        gpuprim::transformed<std::int64_t>(gpuprim::plus{}, is_negative{}));
}

/// Sum, minimum, maximum and a count of one array, to four places.
template <class T, class Sum>
void check_everything(std::int64_t n, std::size_t misalignment = 0) {
  CAPTURE(n, misalignment);
  const auto values = test::make_values<T>(n);
  test::device_array<T> input(values, misalignment), low(1), high(1);
  test::device_array<Sum> sum(1);
  test::device_array<std::int64_t> negative(1);
  gpuprim::workspace ws(gpuprim::reduce_into_workspace_bytes<T>(n, everything()));
  CUDA_OK(gpuprim::reduce_into(input.data(), n, gpuprim::outputs(sum.data(), low.data(), high.data(), negative.data()),
                               everything(), {.workspace = &ws}));
  CHECK(sum.download()[0] == test::expected(values, gpuprim::plus{}, Sum(0)));
  const T last = gpuprim::identity_element<gpuprim::minimum<>, T>::value();
  const T first = gpuprim::identity_element<gpuprim::maximum<>, T>::value();
  CHECK(low.download()[0] == test::fold(values, gpuprim::minimum{}, last));
  CHECK(high.download()[0] == test::fold(values, gpuprim::maximum{}, first));
  CHECK(negative.download()[0] == std::count_if(values.begin(), values.end(), is_negative{}));
  for (auto* a : {&low, &high}) a->check_guards();
  input.check_unchanged();
}

/// Wide sums beside positions: parts that join units themselves, and parts that do not.
template <class T>
void check_sums_and_extrema(std::int64_t n, std::size_t misalignment = 0) {
  CAPTURE(n, misalignment);
  using of_wide = std::conditional_t<sizeof(T) == 2, std::int64_t, gpuprim::int128>;
  using in_load = std::conditional_t<sizeof(T) == 1, int, of_wide>;
  const auto values = test::make_values<T>(n);
  test::device_array<T> input(values, misalignment);
  const auto query =
      gpuprim::fused(gpuprim::reduced<std::int64_t>(gpuprim::plus{}), gpuprim::max_element,
                     gpuprim::fused(gpuprim::min_element, gpuprim::bit_xor{}),
                     gpuprim::transformed<gpuprim::int128, in_load>(gpuprim::plus{}, gpuprim::square<in_load>{}));
  const auto [sum, largest, nested, squares] = gpuprim::reduce_into_value(input.data(), n, query);
  std::int64_t want_sum = 0;
  gpuprim::int128 want_squares = 0;
  T want_xor = 0;
  for (T v : values) {
    want_sum += v;
    want_squares += std::int64_t(v) * v;
    want_xor = T(want_xor ^ v);
  }
  CHECK(sum == want_sum);
  CHECK((squares == want_squares));
  CHECK(gpuprim::get<1>(nested) == want_xor);
  CHECK(largest.position == std::max_element(values.begin(), values.end()) - values.begin());
  CHECK(nested.first.position == std::min_element(values.begin(), values.end()) - values.begin());
  input.check_unchanged();
}

}  // namespace

TEST_CASE("sums in wide types, of squares too, beside the extrema of one pass", "[device][sanitizer]") {
  for (auto n : test::sizes()) {
    check_sums_and_extrema<unsigned char>(n);
    check_sums_and_extrema<short>(n);
    test::unless_sanitized([&](auto) {
      check_sums_and_extrema<signed char>(n);
      check_sums_and_extrema<std::uint16_t>(n);
      check_sums_and_extrema<int>(n);
    });
  }
  for (std::size_t offset = 0; offset < 16; ++offset) {
    check_sums_and_extrema<unsigned char>(4001 + std::int64_t(offset), offset);
    check_sums_and_extrema<short>(2001, offset - offset % 2);
  }
}

TEST_CASE("a load of the extreme values of a short type is summed exactly", "[device]") {
  const auto check = [](auto value) {
    using T = decltype(value);
    using in_load = std::conditional_t<sizeof(T) == 1, int, std::int64_t>;
    const std::int64_t n = 70003;
    const test::device_array<T> input(std::vector<T>(std::size_t(n), value));
    const auto [sum, squares] = gpuprim::reduce_into_value(
        input.data(), n,
        gpuprim::fused(gpuprim::reduced<std::int64_t>(gpuprim::plus{}),
                       gpuprim::transformed<gpuprim::int128, in_load>(gpuprim::plus{}, gpuprim::square<in_load>{})));
    CHECK(sum == n * value);
    CHECK((squares == gpuprim::int128{n} * value * value));
  };
  check(std::int8_t{-128});
  check(std::uint16_t{65535});
  test::unless_sanitized([&](auto) {
    check(std::uint8_t{255});
    check(std::int16_t{-32768});
  });
}

TEST_CASE("reduce_into of sum, minimum, maximum and a count in one pass", "[device][sanitizer]") {
  for (auto n : test::sizes()) {
    check_everything<float, float>(n);
    check_everything<signed char, int>(n);
    test::unless_sanitized([&](auto) { check_everything<std::int64_t, std::int64_t>(n); });
  }
  for (std::size_t offset = 0; offset < 16; ++offset) check_everything<signed char, int>(4001, offset);
}

TEST_CASE("tuples are joined member by member at every level", "[device]") {
  using both = gpuprim::tuple<int, unsigned>;
  constexpr gpuprim::each join{gpuprim::tuple{gpuprim::plus<int>{}, gpuprim::bit_or<unsigned>{}}};
  using operators = gpuprim::each<gpuprim::plus<int>, gpuprim::bit_or<unsigned>>;
  static_assert(gpuprim::is_commutative<operators, both>);
  static_assert(gpuprim::has_identity<operators, both>);
  static_assert(join(both{1, 4u}, both{2, 3u}) == both{3, 7u});
  using in_order = gpuprim::each<test::then, gpuprim::plus<int>>;
  static_assert(!gpuprim::is_commutative<in_order, gpuprim::tuple<test::affine, int>>);
}

TEST_CASE("reduce of tuples keeps the order that one of its operators needs", "[device]") {
  using both = gpuprim::tuple<test::affine, int>;
  const gpuprim::each join{gpuprim::tuple{test::then{}, gpuprim::plus<int>{}}};
  for (std::int64_t n : {1, 300, 20001}) {
    std::vector<both> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back({test::make_value<test::affine>(std::uint64_t(i)), {int(i)}});
    const both init{test::affine{3, 5}, 1};
    test::check_pass(
        values, test::fold(values, join, init),
        [&](auto in, auto count, auto out, auto how) { return gpuprim::reduce(in, count, out, join, init, how); },
        gpuprim::reduce_workspace_bytes<both>(n));
  }
}

TEST_CASE("reduce_into refuses bad input and leaves the outputs alone", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  test::device_array<float> input(test::make_values<float>(100)), low(1), high(1);
  const auto query = gpuprim::fused(gpuprim::minimum{}, gpuprim::maximum{});
  const float* nothing = nullptr;
  CHECK(gpuprim::reduce_into(nothing, 5, gpuprim::outputs(low.data(), high.data()), query) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce_into(input.data(), 5, gpuprim::outputs(low.data(), static_cast<float*>(nullptr)), query) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::reduce_into(input.data(), -5, gpuprim::outputs(low.data(), high.data()), query) ==
        cudaErrorInvalidValue);
  low.check_untouched();
  high.check_untouched();
  CHECK_THAT(test::message_of([&] { return gpuprim::reduce_into_value(nothing, 3, query); }),
             ContainsSubstring("gpuprim::reduce_into_value: the input is a null pointer"));
}
