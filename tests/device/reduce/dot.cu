// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/dot_check.cuh"

#include <gpuprim/transform_reduce.cuh>

#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <limits>

namespace {

template <class T>
void check_extremes(T a, T b, std::int64_t n) {
  test::check_vectors(std::vector<T>(std::size_t(n), a), std::vector<T>(std::size_t(n), b));
}

/// An iterator that is no pointer.
struct item_by_item : gpuprim::detail::input_iterator_types<float> {
  const float* in;
  GPUPRIM_HOST_DEVICE float operator[](std::int64_t at) const { return in[at]; }
};

}  // namespace
TEST_CASE("dot from every misaligned address", "[device][sanitizer]") {
  for (std::size_t offset = 0; offset < 16; ++offset) {
    test::check_numbers<signed char>(4099, offset, offset);
    test::check_numbers<signed char>(1099, offset, offset ^ 1);
    if (offset % 2 == 0) test::check_numbers<short>(2055, offset, offset);
  }
}

TEST_CASE("dot from addresses that are apart, of every size up to a few loads", "[device][sanitizer]") {
  for (std::int64_t n = 0; n < 100; n += 1 + n / 40) {
    test::check_numbers<signed char>(n, 3, 14);
    test::check_numbers<short>(n, 14, 2);
  }
  for (std::size_t apart = 0; apart < 16; apart += 4) test::check_numbers<float>(9001, 4, apart);
  for (std::size_t apart = 0; apart < 16; apart += 2) test::check_numbers<__half>(9001, 6, apart);
}

TEST_CASE("dot of integers does not overflow where 32 bits would", "[device]") {
  check_extremes<signed char>(-128, -128, 140001);
  check_extremes<signed char>(-128, 127, 140001);
  check_extremes<short>(-32768, -32768, 5003);
  check_extremes<short>(-32768, 32767, 5003);
  test::unless_sanitized([](auto) {
    check_extremes<unsigned char>(255, 255, 70001);  // 65,025 each
    check_extremes<unsigned short>(65535, 65535, 5003);
    check_extremes<int>((std::numeric_limits<int>::lowest)(), -1, 5003);
  });
}

TEST_CASE("squared_norm in another accumulator, fused, and to the host", "[device]") {
  const auto values = test::make_numbers<float>(5001);
  test::device_array<float> input(values);
  test::device_array<double> output(1);
  const double want = test::expected_dot<double>(values, values);
  CUDA_OK(gpuprim::squared_norm.in<double>()(input.data(), 5001, output.data()));
  CHECK(output.download()[0] == want);
  CHECK(gpuprim::squared_norm_value.in<double>()(input.data(), 5001) == want);
  CHECK(double(gpuprim::squared_norm_value(input.data(), 5001)) == want);
  const auto query = gpuprim::fused(gpuprim::maximum{}, gpuprim::squared_norm, gpuprim::squared_norm.in<double>());
  const auto [largest, squares, in_double] = gpuprim::reduce_into_value(input.data(), 5001, query);
  CHECK(largest == 2);
  CHECK(double(squares) == want);
  CHECK(in_double == want);
}

TEST_CASE("dot_value, of the same input twice too, and of an iterator", "[device]") {
  const auto a = test::make_numbers<float>(5001), b = test::make_numbers<float>(5001, 3);
  test::device_array<float> first(a), second(b);
  CHECK(gpuprim::dot_value(first.data(), second.data(), 5001) == test::expected_dot<float>(a, b));
  CHECK(gpuprim::dot_value(first.data(), first.data(), 5001) == test::expected_dot<float>(a, a));
  CHECK(gpuprim::dot_value<double>(first.data(), second.data(), 5001) == test::expected_dot<double>(a, b));
  const item_by_item iterator{{}, second.data()};
  CHECK(gpuprim::dot_value(first.data(), iterator, 5001) == test::expected_dot<float>(a, b));
}

TEST_CASE("a float dot stays within the error bound of its tree", "[device]") {
  // |error| <= h u sum |a b|, u = 2^-24, h the longest chain of roundings of one product: in a load 16 / sizeof(T)
  // multiply-adds, of which each rounds once, 3 joins of 8 loads, one for each unit that a lane takes (here 1 or 2, of
  // 512 threads x 8 loads x 132 multiprocessors), 3 for odd loads, edges and the initial value, 5 in a warp, 5 in a
  // block, and at most 1024 / 32 + 5 between blocks. Products of float are rounded only with their sum.
  const std::int64_t n = test::on_simt ? 20000 : 1 << 20;
  std::vector<float> a, b;
  long double sum = 0, magnitude = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    a.push_back(float(test::scramble(std::uint64_t(i))) / 3.0e9f - 0.5f);
    b.push_back(float(test::scramble(std::uint64_t(i + n))) / 3.0e9f - 0.5f);
    const double product = double(a.back()) * double(b.back());  // exact: 48 bits
    sum += (long double)product;
    magnitude += (long double)std::abs(product);
  }
  test::device_array<float> first(a), second(b);
  const float got = gpuprim::dot_value(first.data(), second.data(), n);
  const long double h = 4 + 3 + 2 + 3 + 5 + 5 + 37;
  CHECK(bool(std::abs((long double)got - sum) <= h * 0x1p-24L * magnitude));
  CHECK(gpuprim::dot_value(first.data(), second.data(), n) == got);  // the same bits in every run
  const double in_double = gpuprim::dot_value<double>(first.data(), second.data(), n);
  CHECK(bool(std::abs((long double)in_double - sum) <= h * 0x1p-53L * magnitude));
}

TEST_CASE("dot of half is not rounded to half on the way", "[device]") {
  // 4096 products of 1, then one of 2^-12: half could hold neither the sum nor the addition.
  std::vector<__half> a(4097, __half(1.0f)), b = a;
  a[0] = b[0] = __half(0x1p-6f);
  test::check_vectors(a, b);
  // Of numbers whose squares are below the least half, and above the greatest.
  std::vector<__half> tiny(64, __half(0x1p-20f)), huge(64, __half(32768.0f));
  test::check_vectors(tiny, tiny);
  test::check_vectors(huge, huge);
}

TEST_CASE("dot refuses bad input and leaves the output alone", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  test::device_array<float> input(test::make_numbers<float>(50000));
  test::device_array<float> output(1);
  const float *nothing = nullptr, *in = input.data();
  CHECK(gpuprim::dot(nothing, in, 10, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::dot(in, nothing, 10, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::dot(in, in, -1, output.data()) == cudaErrorInvalidValue);
  CHECK(gpuprim::dot(in, in, 10, static_cast<float*>(nullptr)) == cudaErrorInvalidValue);
  CHECK(gpuprim::dot(reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + 2), in, 10, output.data()) ==
        cudaErrorInvalidValue);
  CHECK(gpuprim::squared_norm(nothing, 10, output.data()) == cudaErrorInvalidValue);
  gpuprim::workspace little(64);
  CHECK(gpuprim::dot(in, in, 50000, output.data(), {.workspace = &little}) == cudaErrorInvalidValue);
  output.check_untouched();
  CHECK_THAT(test::message_of([&] { return gpuprim::dot_value(in, nothing, 3); }),
             ContainsSubstring("gpuprim::dot_value: the input is a null pointer"));
  CHECK_THAT(test::message_of([&] { return gpuprim::squared_norm_value(nothing, 3); }),
             ContainsSubstring("gpuprim::squared_norm_value: the input is a null pointer"));
}

TEST_CASE("dot is captured into a graph, and runs in concurrent streams", "[device]") {
  const auto a = test::make_numbers<signed char>(60000), b = test::make_numbers<signed char>(60000, 3);
  test::device_array<signed char> first(a), second(b);
  constexpr int streams = 3;
  test::device_array<std::int64_t> output(streams);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<std::int64_t>(60000));
  const auto want = test::expected_dot<std::int64_t>(a, b);
  test::run_in_graph([&](cudaStream_t s) {
    return gpuprim::dot(first.data(), second.data(), 60000, output.data(), {.stream = s, .workspace = &ws});
  });
  CHECK(output.download()[0] == want);
  std::vector<gpuprim::workspace> workspaces(streams);
  std::vector<cudaStream_t> stream(streams);
  for (int s = 0; s < streams; ++s) {
    CUDA_OK(cudaStreamCreateWithFlags(&stream[std::size_t(s)], cudaStreamNonBlocking));
    CUDA_OK(workspaces[std::size_t(s)].reserve(gpuprim::reduce_workspace_bytes<std::int64_t>(60000)));
  }
  for (int round = 0; round < 3; ++round) {
    for (int s = 0; s < streams; ++s) {
      CUDA_OK(gpuprim::dot(first.data(), second.data(), 60000, output.data() + s,
                           {.stream = stream[std::size_t(s)], .workspace = &workspaces[std::size_t(s)]}));
    }
  }
  for (std::int64_t got : output.download()) CHECK(got == want);
  for (cudaStream_t s : stream) CUDA_OK(cudaStreamDestroy(s));
}
