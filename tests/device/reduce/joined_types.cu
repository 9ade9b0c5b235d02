// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/joined_types.cuh"

#include "../../support/types.cuh"

TEST_CASE("a float initial value makes products of 16-bit floats wide", "[device][not_asan]") {
  const std::vector<__half> halves(20, __half(2.0f));
  test::check_joined(halves, gpuprim::multiplies{}, 1.0f, 1048576.0f);
  test::check_joined_value(halves, test::generic_product{}, 1.0f, 1048576.0f);
  const std::vector<__nv_bfloat16> others(9, __nv_bfloat16(1.5f));
  test::check_joined_value(others, test::generic_product{}, 1.0, 38.443359375);
}

TEST_CASE("a floating-point initial value joins integers in its type", "[device][not_asan]") {
  const std::vector<int> values(10, 1 << 30);  // whose partial sums are exact in float
  test::check_joined(values, gpuprim::plus{}, 0.0f, 0x1.4p33f);
  test::check_joined_value(values, test::generic_sum{}, 0.5, 0x1.4p33 + 0.5);
  test::check_joined_value(std::vector<std::int64_t>(4, std::int64_t{1} << 62), gpuprim::plus{}, 0.0, 0x1p64);
}

TEST_CASE("a 128-bit initial value keeps its bits", "[device][not_asan]") { test::check_wide_integers(); }

TEST_CASE("an operator that fixes its type refuses an initial value that does not fit", "[device][not_asan]") {
  test::device_array<int> input(std::vector<int>{3, 4}), output(1);
  CHECK(gpuprim::reduce(input.data(), 2, output.data(), gpuprim::plus<int>{}, 0.5f) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce(input.data(), 2, output.data(), gpuprim::minimum{}, __half(0.5f)) == cudaErrorInvalidValue);
  output.check_untouched();
  CHECK(gpuprim::reduce(input.data(), 2, output.data(), gpuprim::minimum{}, __half(2.0f)) == cudaSuccess);
  CHECK(output.download()[0] == 2);
}

TEST_CASE("a result is converted to the output's type as by assignment", "[device][not_asan]") {
  test::device_array<float> input(std::vector<float>{1.5f, 2.25f});
  CHECK(test::result_of<int>([&](int* out) { return gpuprim::reduce(input.data(), 2, out, gpuprim::plus{}); }) == 3);
}

#if defined(__CUDACC_EXTENDED_LAMBDA__)
// What a __device__ lambda returns is hidden from the host: the initial value decides.
inline void check_device_lambda() {
  const auto add = [] __device__(auto a, auto b) { return a + b; };
  using op = decltype(add);
  static_assert(std::is_same_v<gpuprim::default_accumulator<op, signed char, int>, int>);
  static_assert(std::is_same_v<gpuprim::default_accumulator<op, int, float>, float>);
  static_assert(std::is_same_v<gpuprim::default_accumulator<op, int>, int>);
}
#endif
