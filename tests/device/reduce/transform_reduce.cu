// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform_reduce.cuh>

#include "../../support/family_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

struct square {
  template <class T>
  GPUPRIM_HOST_DEVICE double operator()(const T& v) const {
    return double(float(v)) * double(float(v));
  }
};

struct times {
  template <class A, class B>
  GPUPRIM_HOST_DEVICE double operator()(const A& a, const B& b) const {
    return double(float(a)) * double(float(b));
  }
};

struct squared_length {
  GPUPRIM_HOST_DEVICE std::int64_t operator()(const test::point3& p) const {
    return std::int64_t{p.x} * p.x + std::int64_t{p.y} * p.y + std::int64_t{p.z} * p.z;
  }
};

template <class T>
void check_squares(std::int64_t n, std::size_t misalignment = 0) {
  const auto values = test::make_values<T>(n);
  double want = 5;
  for (const T& v : values) want += square{}(v);
  test::check_pass(
      values, want,
      [](auto in, auto count, auto out, auto how) {
        return gpuprim::transform_reduce(in, count, out, gpuprim::plus{}, square{}, 5.0, how);
      },
      gpuprim::reduce_workspace_bytes<double>(n), misalignment);
}

/// Sums of products of small integers, exact in double.
template <class A, class B>
void check_products(std::int64_t n, std::size_t misalignment_a, std::size_t misalignment_b) {
  CAPTURE(n, misalignment_a, misalignment_b);
  auto a = test::make_values<A>(n);
  auto b = test::make_values<B>(n + 3);
  b.erase(b.begin(), b.begin() + 3);
  double want = 0;
  for (std::size_t i = 0; i < a.size(); ++i) want += times{}(a[i], b[i]);
  test::device_array<A> first(a, misalignment_a);
  test::device_array<B> second(b, misalignment_b);
  CHECK(gpuprim::transform_reduce_value(first.data(), second.data(), n, gpuprim::plus{}, times{}, 0.0) == want);
  first.check_unchanged();
  second.check_unchanged();
}

}  // namespace

TEST_CASE("transform_reduce of every size and type", "[device]") {
  for (auto n : test::sizes()) {
    check_squares<float>(n);
    test::unless_sanitized([&](auto) {
      check_squares<short>(n);
      check_squares<__half>(n);
    });
  }
}

TEST_CASE("transform_reduce is as wide as its initial value", "[device]") {
  test::device_array<int> input(std::vector<int>(50, 1 << 15));
  CHECK(gpuprim::transform_reduce_value(input.data(), 50, gpuprim::plus{}, gpuprim::square<int>{}, std::int64_t{7}) ==
        50 * (std::int64_t{1} << 30) + 7);
}

TEST_CASE("transform_reduce from every misaligned address", "[device][sanitizer]") {
  for (std::size_t offset = 0; offset < 32; offset += 4) check_squares<float>(4099, offset);
  for (std::size_t offset = 0; offset < 16; ++offset) check_squares<signed char>(4099, offset);
}

TEST_CASE("transform_reduce of elements that are a third of three loads", "[device][sanitizer]") {
  for (std::size_t offset = 0; offset < 16; offset += 4) {
    const auto values = test::make_values<test::point3>(4099);
    std::int64_t want = 5;
    for (const auto& v : values) want += squared_length{}(v);
    test::check_pass(
        values, want,
        [](auto in, auto count, auto out, auto how) {
          return gpuprim::transform_reduce(in, count, out, gpuprim::plus{}, squared_length{}, std::int64_t{5}, how);
        },
        gpuprim::reduce_workspace_bytes<std::int64_t>(4099), offset);
  }
}

TEST_CASE("transform_reduce of two inputs", "[device][sanitizer]") {
  for (auto n : test::sizes()) check_products<float, float>(n, 0, 0);
  for (std::size_t offset = 0; offset < 16; offset += 4) {
    check_products<float, float>(5003, offset, offset);  // packed
    check_products<float, float>(5003, offset, 8);       // mostly apart
    check_products<float, int>(5003, offset, offset);
    check_products<__half, float>(5003, 2, offset);
    check_products<signed char, signed char>(5003, offset + 1, 0);
  }
}

TEST_CASE("transform_reduce of two inputs whose elements do not fit a load", "[device]") {
  auto add = [] __host__ __device__(const test::point3& a, const test::point3& b) { return a.x * b.y + a.z; };
  const auto a = test::make_values<test::point3>(3001);
  int want = 1;
  for (const auto& v : a) want += add(v, v);
  test::device_array<test::point3> input(a, 4);
  CHECK(gpuprim::transform_reduce_value(input.data(), input.data(), 3001, gpuprim::plus{}, add, 1) == want);
}

TEST_CASE("transform_reduce refuses bad input and leaves the output alone", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  test::device_array<float> input(test::make_values<float>(50000));
  test::device_array<double> output(1);
  const float* nothing = nullptr;
  const auto plus = gpuprim::plus{};
  CHECK(gpuprim::transform_reduce(nothing, 10, output.data(), plus, square{}, 0.0) == cudaErrorInvalidValue);
  CHECK(gpuprim::transform_reduce(input.data(), -1, output.data(), plus, square{}, 0.0) == cudaErrorInvalidValue);
  CHECK(gpuprim::transform_reduce(input.data(), 1, static_cast<double*>(nullptr), plus, square{}, 0.0) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::transform_reduce(input.data(), nothing, 10, output.data(), plus, times{}, 0.0) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::transform_reduce(nothing, input.data(), 10, output.data(), plus, times{}, 0.0) ==
        cudaErrorInvalidValue);
  gpuprim::workspace little(64);
  CHECK(gpuprim::transform_reduce(input.data(), 50000, output.data(), plus, square{}, 0.0, {.workspace = &little}) ==
        cudaErrorInvalidValue);
  output.check_untouched();
  const auto said = test::message_of([&] { return gpuprim::transform_reduce_value(nothing, 3, plus, square{}, 0.0); });
  CHECK_THAT(said, ContainsSubstring("gpuprim::transform_reduce_value: the input is a null pointer"));
  const auto two =
      test::message_of([&] { return gpuprim::transform_reduce_value(input.data(), nothing, 3, plus, times{}, 0.0); });
  CHECK_THAT(two, ContainsSubstring("gpuprim::transform_reduce_value: the input is a null pointer"));
}

TEST_CASE("transform_reduce is captured into a graph", "[device]") {
  const auto values = test::make_values<float>(40000);
  test::device_array<float> input(values);
  test::device_array<double> output(1);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<double>(40000));
  test::run_in_graph([&](cudaStream_t s) {
    return gpuprim::transform_reduce(input.data(), input.data(), 40000, output.data(), gpuprim::plus{}, times{}, 0.0,
                                     {.stream = s, .workspace = &ws});
  });
  double want = 0;
  for (float v : values) want += square{}(v);
  CHECK(output.download()[0] == want);
}
