// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/family_check.cuh"

#include <gpuprim/transform_reduce.cuh>

#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>
#include <string>
#include <thread>

TEST_CASE("reduce refuses bad input and leaves the output alone", "[device]") {
  const auto values = test::make_values<int>(50000);
  test::device_array<int> input(values), output(1);
  const int* nothing = nullptr;
  CHECK(gpuprim::reduce(nothing, 10, output.data(), gpuprim::plus{}, 0) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce(input.data(), -1, output.data(), gpuprim::plus{}, 0) == cudaErrorInvalidValue);
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 2;
  CHECK(gpuprim::reduce(input.data(), huge, output.data(), gpuprim::plus{}, 0) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce(input.data(), 10, static_cast<int*>(nullptr), gpuprim::plus{}, 0) == cudaErrorInvalidValue);
  const auto* odd = reinterpret_cast<const int*>(reinterpret_cast<const char*>(input.data()) + 2);
  CHECK(gpuprim::reduce(odd, 10, output.data(), gpuprim::plus{}, 0) == cudaErrorInvalidValue);
  const test::matrix2 *no_matrix = nullptr, one{{1, 0, 0, 1}};
  test::device_array<test::matrix2> matrix(1);
  CHECK(gpuprim::reduce(no_matrix, 10, matrix.data(), test::product{}, one) == cudaErrorInvalidValue);
  matrix.check_untouched();
  gpuprim::workspace small(64);
  CHECK(gpuprim::reduce(input.data(), 50000, output.data(), gpuprim::plus{}, 0, {.workspace = &small}) ==
        cudaErrorInvalidValue);
  output.check_untouched();
  CHECK(cudaPeekAtLastError() == cudaSuccess);  // the caller's error state is clean
}

TEST_CASE("a call that failed says why, to each thread of its own", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  test::device_array<int> input(std::vector<int>(5, 3)), output(1);
  gpuprim::workspace small(8);
  const auto refuse = [](cudaError_t e) { CHECK(e == cudaErrorInvalidValue); };
  std::thread([] { CHECK(std::string(gpuprim::last_fault()) == "no call has failed"); }).join();
  refuse(gpuprim::reduce(static_cast<const int*>(nullptr), 5, output.data(), gpuprim::plus{}));
  CHECK_THAT(gpuprim::last_fault(), ContainsSubstring("null"));
  CUDA_OK(gpuprim::reduce(input.data(), 5, output.data(), gpuprim::plus{}));
  CHECK_THAT(gpuprim::last_fault(), ContainsSubstring("null"));  // what succeeds has nothing to say
  refuse(gpuprim::reduce(input.data(), -1, output.data(), gpuprim::plus{}, 0));
  CHECK_THAT(gpuprim::last_fault(), ContainsSubstring("count"));
  const auto many = test::make_values<int>(50000);
  test::device_array<int> large(many);
  refuse(gpuprim::reduce(gpuprim::reproducible, large.data(), 50000, output.data(), gpuprim::plus{}, 0,
                         {.workspace = &small}));
  CHECK_THAT(gpuprim::last_fault(), ContainsSubstring("workspace is too small"));
  std::thread([] { CHECK(std::string(gpuprim::last_fault()) == "no call has failed"); }).join();
}

namespace {

/// As thrust::device_ptr<int>.
struct wrapped_pointer {
  using raw_pointer = int*;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = wrapped_pointer;
  using reference = int&;
  using iterator_category = std::random_access_iterator_tag;
  int* raw;

  int* get() const { return raw; }
  GPUPRIM_HOST_DEVICE int& operator*() const { return *raw; }
};

struct as_it_is {
  template <class T> GPUPRIM_HOST_DEVICE T operator()(T value) const { return value; }
};

}  // namespace

TEST_CASE("a null pointer in a wrapper is refused", "[device]") {
  test::device_array<int> input(std::vector<int>(5, 3)), output(1);
  const gpuprim::plus<> plus;
  CHECK(gpuprim::reduce(input.data(), 5, wrapped_pointer{nullptr}, plus) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce_into(input.data(), 5, wrapped_pointer{nullptr}, plus) == cudaErrorInvalidValue);
  const wrapped_pointer wrapped{output.data()};
  REQUIRE(&*wrapped == output.data());
  CUDA_OK(gpuprim::reduce_into(input.data(), 5, wrapped, plus));
  CHECK(output.download()[0] == 15);
}

TEST_CASE("an initial value that an integer accumulator does not hold is refused", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  const signed char bytes[] = {5, 6};
  test::device_array<signed char> input(std::vector<signed char>(bytes, bytes + 2)), output(1);
  const signed char* in = input.data();
  const gpuprim::minimum<> least;
  for (int init : {128, 1000, -129}) {
    CHECK(gpuprim::reduce(in, 2, output.data(), least, init) == cudaErrorInvalidValue);
    CHECK(gpuprim::reduce(gpuprim::reproducible, in, 2, output.data(), least, init) == cudaErrorInvalidValue);
    CHECK(gpuprim::transform_reduce(in, 2, output.data(), least, as_it_is{}, init) == cudaErrorInvalidValue);
  }
  CHECK(gpuprim::reduce(in, 2, output.data(), least, 0.5) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce(in, 2, output.data(), least, std::numeric_limits<float>::infinity()) == cudaErrorInvalidValue);
  output.check_untouched();
  CHECK_THAT(test::message_of([&] { return gpuprim::reduce_value(in, 2, least, 1000); }),
             ContainsSubstring("gpuprim::reduce_value: the initial value does not fit the accumulator type"));
  CHECK(gpuprim::reduce_value(in, 2, least, 127) == 5);
  CHECK(gpuprim::reduce_value(in, 2, least, -128) == -128);
  CHECK(gpuprim::reduce_value(in, 2, least, 4.0) == 4);
  CHECK(gpuprim::reduce_value<int>(in, 2, least, 1000) == 5);
  test::device_array<unsigned> words(std::vector<unsigned>(3, 7u));
  CHECK_THAT(test::message_of([&] { return gpuprim::reduce_value(words.data(), 3, gpuprim::maximum{}, -1); }),
             ContainsSubstring("the initial value does not fit"));
  CHECK(gpuprim::reduce_value(words.data(), 3, gpuprim::bit_and{}, ~0u) == 7u);
}

TEST_CASE("reduce accepts a null input of no elements", "[device]") {
  test::device_array<int> output(1);
  const int* nothing = nullptr;
  CUDA_OK(gpuprim::reduce(nothing, 0, output.data(), gpuprim::plus{}, 42));
  CHECK(output.download()[0] == 42);
}

TEST_CASE("reduce_value says in a sentence what was wrong", "[device]") {
  using Catch::Matchers::ContainsSubstring;
  const int* nothing = nullptr;
  const auto null = test::message_of([&] { return gpuprim::reduce_value(nothing, 3, gpuprim::plus{}); });
  CHECK_THAT(null, ContainsSubstring("gpuprim::reduce_value: the input is a null pointer but the count is not 0"));
  const auto negative = test::message_of([&] { return gpuprim::reduce_value(nothing, -3, gpuprim::plus{}); });
  CHECK_THAT(negative, ContainsSubstring("gpuprim::reduce_value: the count is negative"));
  gpuprim::workspace small(64);
  test::device_array<int> input(test::make_values<int>(50000));
  const auto tight = test::message_of(
      [&] { return gpuprim::reduce_value(input.data(), 50000, gpuprim::plus{}, 0, {.workspace = &small}); });
  CHECK_THAT(tight, ContainsSubstring("workspace is too small"));
}

TEST_CASE("reduce_value returns the result", "[device][sanitizer]") {
  const auto values = test::make_values<int>(50000);
  test::device_array<int> input(values);
  CHECK(gpuprim::reduce_value(input.data(), 50000, gpuprim::plus{}) == test::fold(values, gpuprim::plus{}, 0));
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<int>(50000));
  for (int repeat = 0; repeat < 3; ++repeat) {
    CHECK(gpuprim::reduce_value(input.data(), 50000, gpuprim::plus{}, 7, {.workspace = &ws}) ==
          test::fold(values, gpuprim::plus{}, 7));
  }
}
