// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/family_check.cuh"

#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>

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
  gpuprim::workspace small(64);
  CHECK(gpuprim::reduce(input.data(), 50000, output.data(), gpuprim::plus{}, 0, {.workspace = &small}) ==
        cudaErrorInvalidValue);
  output.check_untouched();
  CHECK(cudaPeekAtLastError() == cudaSuccess);  // the caller's error state is clean
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
