// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/search.cuh>

#include "../../support/family_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <functional>

namespace {

template <class T>
struct is_value {
  T value;
  GPUPRIM_HOST_DEVICE bool operator()(const T& v) const { return v == value; }
};

/// For one type whether there is one, which is found by the same kernel as where it is.
template <class T>
void check_search(const std::vector<T>& values, T wanted, std::size_t misalignment = 0) {
  const auto n = std::int64_t(values.size());
  CAPTURE(n, misalignment);
  const is_value<T> predicate{wanted};
  test::device_array<T> input(values, misalignment);
  const T* in = input.data();
  const auto begin = values.begin(), end = values.end();
  CHECK(gpuprim::find_if_value(in, n, predicate) == std::find_if(begin, end, predicate) - begin);
  CHECK(gpuprim::count_if_value(in, n, predicate) == std::count_if(begin, end, predicate));
  if constexpr (std::is_same_v<T, float>) {
    CHECK(gpuprim::all_of_value(in, n, predicate) == std::all_of(begin, end, predicate));
    CHECK(gpuprim::any_of_value(in, n, predicate) == std::any_of(begin, end, predicate));
    CHECK(gpuprim::none_of_value(in, n, predicate) == std::none_of(begin, end, predicate));
  }
  input.check_unchanged();
}

/// Hits at the ends, in the middle, several and none.
template <class T>
void check_type(std::int64_t n, std::size_t misalignment = 0) {
  std::vector<T> values(std::size_t(n), T(3));
  check_search(values, T(7), misalignment);
  check_search(values, T(3), misalignment);
  for (std::int64_t at : {n - 1, n / 2, n / 3, std::int64_t{0}}) {
    if (n == 0) continue;
    values[std::size_t(at)] = T(7);
    check_search(values, T(7), misalignment);
  }
}

}  // namespace

TEST_CASE("searches of every size and type", "[device][sanitizer]") {
  for (auto n : test::sizes()) {
    check_type<float>(n);
    check_type<signed char>(n);
    test::unless_sanitized([&](auto) { check_type<double>(n); });
  }
  for (std::size_t offset = 0; offset < 16; ++offset) check_type<signed char>(3001, offset);
}

TEST_CASE("find_if gives the first of many hits, each time with the same workspace", "[device]") {
  const std::int64_t n = test::on_simt ? 100001 : 20000003;
  test::device_array<std::int64_t> output(1);
  gpuprim::workspace ws(gpuprim::search_workspace_bytes);
  std::vector<int> values(std::size_t(n), 0);
  test::device_array<int> input(values);
  for (std::int64_t first : {n - 1, n / 2, n / 7, std::int64_t{5}}) {
    for (std::int64_t i = first; i < n; i += 1 + n / 1000) values[std::size_t(i)] = 1;
    input.upload(values);
    for (int repeat = 0; repeat < 5; ++repeat) {
      CUDA_OK(gpuprim::find_if(input.data(), n, output.data(), is_value<int>{1}, {.workspace = &ws}));
      CHECK(output.download()[0] == first);
    }
  }
}

TEST_CASE("equal finds any difference", "[device][sanitizer]") {
  for (auto n : test::sizes()) {
    const auto values = test::make_values<float>(n);
    for (std::size_t offset : {0, 4}) {
      auto others = values;
      test::device_array<float> a(values);
      {
        test::device_array<float> b(others, offset);
        CHECK(gpuprim::equal_value(a.data(), b.data(), n));
      }
      for (std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
        if (n == 0) continue;
        others = values;
        others[std::size_t(at)] += 1;
        test::device_array<float> b(others, offset);
        CHECK(!gpuprim::equal_value(a.data(), b.data(), n));
      }
    }
  }
  const std::vector<int> integers = {1, 2, 3};
  const std::vector<double> doubles = {1, 2, 3};
  test::device_array<int> a(integers);
  test::device_array<double> b(doubles);
  CHECK(gpuprim::equal_value(a.data(), b.data(), 3));
}

namespace {
struct is_less {
  GPUPRIM_HOST_DEVICE bool operator()(float a, float b) const { return a < b; }
};
}  // namespace

TEST_CASE("is_sorted finds any descent", "[device][sanitizer]") {
  for (auto n : test::sizes()) {
    std::vector<int> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back(int(i / 3));
    for (std::size_t offset : {0, 4, 12}) {
      test::device_array<int> input(values, offset);
      CHECK(gpuprim::is_sorted_value(input.data(), n));
      input.check_unchanged();
    }
    for (std::int64_t at : {std::int64_t{1}, n / 2, n - 1}) {
      if (n < 2 || at < 1) continue;
      auto broken = values;
      broken[std::size_t(at)] = -1;
      test::device_array<int> input(broken);
      CHECK(!gpuprim::is_sorted_value(input.data(), n));
    }
  }
  const auto downwards = [] __host__ __device__(const test::point3& a, const test::point3& b) { return b.x < a.x; };
  std::vector<test::point3> points;
  for (int i = 0; i < 3000; ++i) points.push_back({-i, 0, 0});
  test::device_array<test::point3> input(points);
  CHECK(gpuprim::is_sorted_value(input.data(), 3000, downwards));
  const test::device_array<int> falling(std::vector<int>{7, 7, 3, -1});
  CHECK(gpuprim::is_sorted_value(falling.data(), 4, std::greater<>{}));
  CHECK(!gpuprim::is_sorted_value(falling.data(), 4, std::less<int>{}));
  gpuprim::workspace ws(gpuprim::search_workspace_bytes);
  CHECK(gpuprim::is_sorted_value(input.data(), 3000, downwards, {.workspace = &ws}));
  test::device_array<float> ones(std::vector<float>(3000, 1.0f));
  CHECK(gpuprim::is_sorted_value(ones.data(), 3000, {.workspace = &ws}));
}

TEST_CASE("mismatch finds the first difference", "[device]") {
  for (int n : {0, 1, 33, 1000, 30001}) {
    const auto values = test::make_values<int>(n);
    for (int at : {0, n / 2, n - 1, n}) {
      if (at < 0) continue;
      auto others = values;
      for (int i = at; i < n; i += 7) others[std::size_t(i)] ^= 1;
      test::device_array<int> a(values), b(others, 4);
      test::device_array<std::int64_t> out(1);
      CUDA_OK(gpuprim::mismatch(a.data(), b.data(), n, out.data()));
      CHECK(out.download()[0] == at);
      CHECK(gpuprim::mismatch_value(a.data(), b.data(), n) == at);
      a.check_unchanged();
      b.check_unchanged();
    }
  }
  test::device_array<double> numbers(std::vector<double>{0, 1, 2, 4, 4});
  CHECK(gpuprim::mismatch_value(gpuprim::positions<int>{}, numbers.data(), 5) == 3);
  CHECK(gpuprim::mismatch(numbers.data(), static_cast<double*>(nullptr), 5, numbers.data()) == cudaErrorInvalidValue);
}

TEST_CASE("searches refuse bad input and leave the output alone", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  const float* nothing = nullptr;
  test::device_array<float> input(std::vector<float>(50000, 1.0f));
  test::device_array<bool> output(1);
  const is_value<float> predicate{2};
  CHECK(gpuprim::any_of(nothing, 5, output.data(), predicate) == cudaErrorInvalidValue);
  CHECK(gpuprim::all_of(input.data(), -1, output.data(), predicate) == cudaErrorInvalidValue);
  CHECK(gpuprim::none_of(input.data(), 5, static_cast<bool*>(nullptr), predicate) == cudaErrorInvalidValue);
  CHECK(gpuprim::equal(input.data(), nothing, 5, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::is_sorted(nothing, 5, output.data()) == cudaErrorInvalidValue);
  gpuprim::workspace little(8);
  const gpuprim::options how{.workspace = &little};
  CHECK(gpuprim::is_sorted(input.data(), 50000, output.data(), how) == cudaErrorInvalidValue);
  CHECK(gpuprim::is_sorted(input.data(), 50000, output.data(), is_less{}, how) == cudaErrorInvalidValue);
  CHECK(gpuprim::any_of(input.data(), 50000, output.data(), predicate, {.workspace = &little}) ==
        cudaErrorInvalidValue);
  output.check_untouched();
  CHECK_THAT(test::message_of([&] { return gpuprim::find_if_value(nothing, 3, predicate); }),
             ContainsSubstring("gpuprim::find_if_value: the input is a null pointer"));
  CHECK_THAT(test::message_of([&] { return gpuprim::find_if_value(input.data(), 50000, predicate, how); }),
             ContainsSubstring("gpuprim::find_if_value: the workspace is too small"));
  CHECK_THAT(test::message_of([&] { return gpuprim::equal_value(nothing, nothing, 3); }),
             ContainsSubstring("gpuprim::equal_value: the input is a null pointer"));
}

TEST_CASE("a search is captured into a graph", "[device]") {
  test::device_array<float> input(std::vector<float>(50000, 1.0f));
  test::device_array<bool> output(1);
  gpuprim::workspace ws(gpuprim::search_workspace_bytes);
  test::run_in_graph([&](cudaStream_t s) {
    return gpuprim::all_of(input.data(), 50000, output.data(), is_value<float>{1}, {.stream = s, .workspace = &ws});
  });
  CHECK(output.download()[0]);
}
