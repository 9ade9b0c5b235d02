// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>

#include "../../support/family_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

/// A key that std::less orders by its second member alone.
struct pair_of_numbers {
  int first, second;
};
template <>
struct std::less<pair_of_numbers> {
  GPUPRIM_HOST_DEVICE bool operator()(const pair_of_numbers& a, const pair_of_numbers& b) const {
    return a.second < b.second;
  }
};

namespace {

/// An order that returns a number and no bool.
struct is_less_as_number {
  GPUPRIM_HOST_DEVICE constexpr int operator()(int a, int b) const { return a < b ? 2 : 0; }
};
static_assert(!gpuprim::detail::is_second_first(is_less_as_number{}, 3, 10, 5, 2));
static_assert(gpuprim::detail::is_second_first(is_less_as_number{}, 5, 10, 3, 2));

template <class T>
using both = gpuprim::tuple<gpuprim::extremum<T>, gpuprim::extremum<T>>;

template <class T> bool is_nan(const T& v) { return !(v == v); }

/// The oracle: the first of the least and of the greatest that are no NaN.
template <class T, class Less = std::less<>>
both<T> find_extrema(const std::vector<T>& values, Less less = {}) {
  const auto n = std::int64_t(values.size());
  both<T> found{{T{}, n}, {{T{}, n}}};
  for (std::int64_t i = 0; i < n; ++i) {
    const T v = values[std::size_t(i)];
    if (is_nan(v)) continue;
    auto &low = found.first, &high = found.rest.first;
    if (low.position == n || less(v, low.value)) low = {v, i};
    if (high.position == n || less(high.value, v)) high = {v, i};
  }
  return found;
}

struct less_y {
  GPUPRIM_HOST_DEVICE bool operator()(const test::point3& a, const test::point3& b) const { return a.y < b.y; }
};

template <class T>
void check_both(const std::vector<T>& values, std::size_t misalignment = 0) {
  test::check_pass(
      values, find_extrema(values),
      [](auto in, auto count, auto out, auto how) { return gpuprim::minmax_element(in, count, out, how); },
      gpuprim::minmax_element.workspace_bytes<T>(std::int64_t(values.size())), misalignment);
}

/// Both at once, and each by itself.
template <class T>
void check_extrema(const std::vector<T>& values, std::size_t misalignment = 0) {
  check_both(values, misalignment);
  test::unless_sanitized([&](auto) {
    const auto n = std::int64_t(values.size());
    const auto found = find_extrema(values);
    test::check_pass(
        values, found.first,
        [](auto in, auto count, auto out, auto how) { return gpuprim::min_element(in, count, out, how); },
        gpuprim::min_element.workspace_bytes<T>(n), misalignment);
    test::check_pass(
        values, found.rest.first,
        [](auto in, auto count, auto out, auto how) { return gpuprim::max_element(in, count, out, how); },
        gpuprim::max_element.workspace_bytes<T>(n), misalignment);
  });
}

}  // namespace

TEST_CASE("extrema of every type and size, the first of ties", "[device][sanitizer]") {
  for (auto n : test::sizes()) {
    if (n == 0) continue;
    // Few different values, so that there are many ties.
    check_extrema(test::make_values<float>(n));
    check_extrema(test::make_values<signed char>(n));
    check_both(test::make_values<double>(n));
    check_both(test::make_values<unsigned short>(n));
    test::unless_sanitized([&](auto) {
      check_extrema(test::make_values<std::uint64_t>(n));
      check_both(test::make_values<int>(n));
      check_both(test::make_values<__half>(n));
      check_both(test::make_values<__nv_bfloat16>(n));
    });
  }
}

TEST_CASE("extrema from every misaligned address", "[device]") {
  for (std::size_t offset = 0; offset < 16; ++offset) check_extrema(test::make_values<signed char>(5003), offset);
  for (std::size_t offset = 0; offset < 16; offset += 4) check_extrema(test::make_values<float>(5003), offset);
}

TEST_CASE("extrema of the last values that a type has", "[device]") {
  constexpr auto inf = std::numeric_limits<float>::infinity();
  check_extrema(std::vector<float>(700, inf));
  check_extrema(std::vector<float>(700, -inf));
  check_both(std::vector<int>(700, std::numeric_limits<int>::max()));
  check_both(std::vector<int>(700, std::numeric_limits<int>::min()));
  // Zeros of both signs are equal; the value is that of the element.
  const std::vector<float> positive_first{0.0f, -0.0f, 1, -1}, negative_first{-0.0f, 0.0f, 1, -1};
  for (const std::vector<float>& zeros : {positive_first, negative_first}) {
    for (int repeat : {1, 500}) {
      std::vector<float> values;
      for (int i = 0; i < repeat; ++i) values.insert(values.end(), zeros.begin(), zeros.begin() + 2);
      test::device_array<float> input(values);
      const auto n = std::int64_t(values.size());
      const auto [low, high] =
          test::result_of<both<float>>([&](auto out) { return gpuprim::minmax_element(input.data(), n, out); });
      CHECK((low.position == 0 && high.position == 0));
      CHECK(std::signbit(low.value) == std::signbit(values[0]));
      CHECK(std::signbit(high.value) == std::signbit(values[0]));
    }
  }
}

TEST_CASE("extrema pass over NaN", "[device][sanitizer]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::int64_t n : {1, 5, 300, 9001}) {
    for (std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
      std::vector<float> values(std::size_t(n), nan);
      values[std::size_t(at)] = 3;
      check_extrema(values);
      auto some = test::make_values<float>(n);
      some[std::size_t(at)] = nan;
      if (n > 1) check_extrema(some);
    }
    test::device_array<float> input(std::vector<float>(std::size_t(n), nan));
    CHECK(gpuprim::min_element_value(input.data(), n).position == n);
    const auto [low, high] =
        test::result_of<both<float>>([&](auto out) { return gpuprim::minmax_element(input.data(), n, out); });
    CHECK((low.position == n && high.position == n));
  }
}

TEST_CASE("extrema of no elements", "[device]") {
  const float* nothing = nullptr;
  CHECK(gpuprim::min_element_value(nothing, 0).position == 0);
  const auto both_of = test::result_of<both<float>>([&](auto out) { return gpuprim::minmax_element(nothing, 0, out); });
  CHECK(both_of.rest.first.position == 0);
}

TEST_CASE("extrema in an order of one's own, of structs too", "[device]") {
  const auto by_y = [] __host__ __device__(const test::point3& a, const test::point3& b) { return a.y < b.y; };
  const auto by_last = [] __host__ __device__(const test::span_of_positions& a, const test::span_of_positions& b) {
    return a.last % 100 < b.last % 100;
  };
  for (std::int64_t n : {1, 33, 2049, 9001}) {
    const auto points = test::make_values<test::point3>(n);
    test::device_array<test::point3> input(points);
    const auto low = std::min_element(points.begin(), points.end(), by_y);
    const auto high = std::max_element(points.begin(), points.end(), by_y);
    const auto got = gpuprim::reduce_into_value(
        input.data(), n, gpuprim::fused(gpuprim::min_element.by(by_y), gpuprim::max_element.by(by_y)));
    CHECK(got.first.position == low - points.begin());
    CHECK(got.first.value == *low);
    CHECK(got.rest.first.position == high - points.begin());
    const auto spans = test::make_values<test::span_of_positions>(n);  // no default constructor
    test::device_array<test::span_of_positions> others(spans);
    test::device_array<gpuprim::extremum<test::span_of_positions>> output(1);
    CUDA_OK(gpuprim::max_element.by(by_last)(others.data(), n, output.data()));
    CHECK(output.download()[0].position == std::max_element(spans.begin(), spans.end(), by_last) - spans.begin());
  }
}

TEST_CASE("extrema in the orders of std", "[device]") {
  // Orders of std are functions of the host. The library's own stand in for them, so that they find the same on a GPU.
  const std::vector<float> values{3.5f, -2.25f, 7.75f, 7.25f, -2.5f};
  test::device_array<float> in(values);
  const auto n = std::int64_t(values.size());
  const auto position = [&](const auto& query) { return gpuprim::reduce_into_value(in.data(), n, query).position; };
  CHECK(position(gpuprim::min_element.by(std::greater<>{})) == 2);
  CHECK(position(gpuprim::max_element.by(std::greater<float>{})) == 4);
  CHECK(position(gpuprim::min_element.by(std::less<>{})) == 4);
  CHECK(position(gpuprim::min_element.by(std::less<int>{})) == 1);  // as integers both are -2, and the first is found
  CHECK(position(gpuprim::max_element.by(std::less<int>{})) == 2);
  const test::device_array<pair_of_numbers> pairs(std::vector<pair_of_numbers>{{1, 3}, {2, 1}, {0, 2}});
  const auto least = gpuprim::min_element.by(std::less<pair_of_numbers>{});  // a specialization is the caller's own
  CHECK(gpuprim::reduce_into_value(pairs.data(), 3, least).position == 1);
}

TEST_CASE("an order of one's own is asked once for two elements", "[device]") {
  constexpr std::int64_t n = 9001;
  const auto points = test::make_values<test::point3>(n);
  test::device_array<test::point3> input(points);
  test::device_array<unsigned> calls(std::vector<unsigned>{0});
  unsigned* const count = calls.data();
  const auto by_y = [count] __device__(const test::point3& a, const test::point3& b) {
    atomicAdd(count, 1u);
    return a.y < b.y;
  };
  test::device_array<gpuprim::extremum<test::point3>> output(1);
  CUDA_OK(gpuprim::min_element.by(by_y)(input.data(), n, output.data()));
  const auto first = [](const test::point3& a, const test::point3& b) { return a.y < b.y; };
  CHECK(output.download()[0].position == std::min_element(points.begin(), points.end(), first) - points.begin());
  CHECK(calls.download()[0] < 3 * n / 2);
}

TEST_CASE("extrema are parts of a fused pass", "[device]") {
  const auto values = test::make_values<float>(30001);
  test::device_array<float> input(values);
  const auto [sum, low] =
      gpuprim::reduce_into_value(input.data(), 30001, gpuprim::fused(gpuprim::plus{}, gpuprim::min_element));
  CHECK(sum == test::fold(values, gpuprim::plus{}, 0.0f));
  CHECK(low == find_extrema(values).first);
}

TEST_CASE("extrema refuse bad input", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  const float* nothing = nullptr;
  test::device_array<gpuprim::extremum<float>> output(1);
  CHECK(gpuprim::min_element(nothing, 5, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::max_element(nothing, -5, output.data()) == cudaErrorInvalidValue);
  output.check_untouched();
  CHECK_THAT(test::message_of([&] { return gpuprim::min_element_value(nothing, 3); }),
             ContainsSubstring("gpuprim::min_element_value: the input is a null pointer"));
  CHECK_THAT(test::message_of([&] { return gpuprim::min_element_value(nothing, -3); }),
             ContainsSubstring("gpuprim::min_element_value: the count is negative"));
  CHECK_THAT(test::message_of([&] { return gpuprim::minmax_element_value(nothing, -3); }),
             ContainsSubstring("gpuprim::minmax_element_value: the count is negative"));
}

namespace {

struct is_greater {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a > b; }
};

/// Into a value and a position of a type of its own.
template <class Position, class T, class Pass, class Less>
void check_two_outputs(const std::vector<T>& values, const Pass& pass, Less less) {
  const auto n = std::int64_t(values.size());
  const auto want = find_extrema(values, less).first;
  test::device_array<T> input(values), value(1);
  test::device_array<Position> position(1);
  gpuprim::workspace workspace(pass.template workspace_bytes<T>(n));
  CUDA_OK(pass(static_cast<const T*>(input.data()), n, value.data(), position.data(),
               gpuprim::options{nullptr, &workspace}));
  CHECK(position.download()[0] == Position(want.position));
  if (want.position < n) CHECK(bool(value.download()[0] == want.value));
  value.check_guards();
  position.check_guards();
  input.check_unchanged();
}

}  // namespace

TEST_CASE("extrema into a value and a position, of 32 bits too", "[device]") {
  for (std::int64_t n : {1, 33, 2049, 20011}) {
    check_two_outputs<int>(test::make_values<float>(n), gpuprim::min_element, std::less<>{});
    check_two_outputs<std::int64_t>(test::make_values<signed char>(n), gpuprim::min_element, std::less<>{});
    test::unless_sanitized([&](auto) {
      check_two_outputs<unsigned>(test::make_values<double>(n), gpuprim::max_element, std::greater<>{});
      check_two_outputs<std::uint64_t>(test::make_values<__half>(n), gpuprim::max_element, std::greater<>{});
      check_two_outputs<short>(test::make_values<int>(n), gpuprim::min_element.by(is_greater{}), is_greater{});
      check_two_outputs<int>(test::make_values<test::point3>(n), gpuprim::max_element.by(less_y{}),
                             [](const auto& a, const auto& b) { return less_y{}(b, a); });
    });
  }
  check_two_outputs<int>(std::vector<float>(300, std::numeric_limits<float>::quiet_NaN()), gpuprim::min_element,
                         std::less<>{});
}

TEST_CASE("extrema into two outputs: of nothing, refused, and beside options", "[device]") {
  const float* nothing = nullptr;
  float* no_value = nullptr;
  test::device_array<float> input(std::vector<float>{3, 1, 2}), value(1);
  test::device_array<int> position(1);
  CHECK(gpuprim::min_element(input.data(), 3, no_value, position.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::min_element(input.data(), 3, value.data(), static_cast<int*>(nullptr)) == cudaErrorInvalidValue);
  auto* const odd_position = reinterpret_cast<int*>(reinterpret_cast<char*>(position.data()) + 2);
  CHECK(gpuprim::min_element(input.data(), 3, value.data(), odd_position) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("an output is not aligned to its element type"));
  CHECK(gpuprim::min_element(input.data(), -1, value.data(), position.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::last_fault() == std::string("the count is negative"));
  // One above the range of the position: nothing is read. All that the range holds is taken.
  const auto refused = [&](auto iterator, std::int64_t n, auto position_out) {
    CHECK(gpuprim::max_element(iterator, n, value.data(), position_out) == cudaErrorInvalidValue);
    return std::string(gpuprim::last_fault()) == "the count does not fit the type of the position";
  };
  test::device_array<short> short_position(1);
  test::device_array<unsigned> unsigned_position(1);
  CHECK(refused(input.data(), std::int64_t{1} << 31, position.data()));
  CHECK(refused(input.data(), std::int64_t{1} << 32, unsigned_position.data()));
  CHECK(refused(input.data(), 32768, short_position.data()));
  value.check_untouched();
  position.check_untouched();
  short_position.check_untouched();
  unsigned_position.check_untouched();
  test::device_array<float> many(test::make_values<float>(32767));
  CUDA_OK(gpuprim::max_element(many.data(), 32767, value.data(), short_position.data()));
  CUDA_OK(gpuprim::min_element(nothing, 0, value.data(), position.data()));
  CHECK(position.download()[0] == 0);
  // Options in the fourth place are options.
  gpuprim::options how;
  test::device_array<gpuprim::extremum<float>> out(1);
  CUDA_OK(gpuprim::min_element(input.data(), 3, out.data(), how));
  CUDA_OK(gpuprim::min_element(input.data(), 3, out.data(), {.stream = nullptr}));
  CUDA_OK(gpuprim::min_element(input.data(), 3, value.data(), position.data(), {.stream = nullptr}));
  CHECK(out.download()[0] == gpuprim::extremum<float>{1, 1});
  CHECK(position.download()[0] == 1);
  CHECK(value.download()[0] == 1);
}
