// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../support/dot_check.cuh"

#include <cuda_fp8.h>

namespace {

template <class A, class B = A>
void check_sizes() {
  for (std::int64_t n : {0, 1, 33, 511, 2049, 9001}) test::check_numbers<A, B>(n);
  if (!test::on_simt) test::check_numbers<A, B>(1 << 17);
}

}  // namespace

TEST_CASE("dot of every kind of number and size", "[device][not_asan]") {
  check_sizes<signed char>();
  check_sizes<short>();
  check_sizes<int>();
  check_sizes<std::int64_t>();
  check_sizes<__half>();
  check_sizes<__nv_fp8_e4m3>();
  check_sizes<float>();
  check_sizes<double>();
}

TEST_CASE("dot of two types", "[device][sanitizer][not_asan]") {
  check_sizes<signed char, unsigned char>();
  check_sizes<__half, __nv_bfloat16>();
  check_sizes<__nv_fp8_e4m3, __nv_fp8_e5m2>();
  check_sizes<short, signed char>();
  check_sizes<float, double>();
  static_assert(std::is_same_v<gpuprim::dot_accumulator<unsigned char, signed char>, std::int64_t>);
  static_assert(std::is_same_v<gpuprim::dot_accumulator<unsigned char>, std::uint64_t>);
  static_assert(std::is_same_v<gpuprim::dot_accumulator<int, float>, float>);
  static_assert(std::is_same_v<gpuprim::dot_accumulator<__half, double>, double>);
}

TEST_CASE("dot in an accumulator of one's own", "[device][not_asan]") {
  test::check_numbers<signed char, signed char, int>(3001);
  test::check_numbers<__half, __half, double>(3001);
  const std::vector<__half> ones(2000, __half(1.0f));
  test::check_vectors<__half, __half, __half>(ones, ones);
}

TEST_CASE("reduce adds 8-bit floats in float", "[device][not_asan]") {
  const auto values = test::make_numbers<__nv_fp8_e4m3>(5001);
  test::device_array<__nv_fp8_e4m3> input(values, 1);
  float want = 0;  // quarters: exact
  for (const auto& v : values) want += static_cast<float>(v);
  CHECK(gpuprim::reduce_value(input.data(), 5001, gpuprim::plus{}) == want);
}

TEST_CASE("products of 16-bit floats are added with one rounding", "[device][not_asan]") {
  // -(1 + 2^-9) + (1 + 2^-10)^2 is 2^-20; the square alone would be rounded to 1 + 2^-9.
  const float small = 1.0f / 1024;
  const auto dot_of = [small]<class T>(T) {
    std::vector<T> first(64, T(0.0f)), second = first;  // whole loads, of one thread each
    first[0] = T(-(1 + 2 * small));
    second[0] = T(1.0f);
    first[1] = second[1] = T(1 + small);
    test::device_array<T> a(first), b(second);
    return float(test::result_of<T>([&](T* out) { return gpuprim::dot<T>(a.data(), b.data(), 64, out); }));
  };
  CHECK(dot_of(__half(0.0f)) == small * small);
}
