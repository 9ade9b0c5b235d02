// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half and __nv_bfloat16 against independent definitions: every value, every rounding direction.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "support.hpp"

namespace {

template <class T>
struct layout;
template <>
struct layout<__half> {
  static constexpr int exponent_bits = 5, mantissa_bits = 10;
};
template <>
struct layout<__nv_bfloat16> {
  static constexpr int exponent_bits = 8, mantissa_bits = 7;
};

// The definition of the format, by powers of two.
template <class T>
double meaning(unsigned bits) {
  constexpr int e = layout<T>::exponent_bits, m = layout<T>::mantissa_bits, bias = (1 << (e - 1)) - 1;
  int exponent = int(bits >> m & ((1u << e) - 1));
  double fraction = std::ldexp(double(bits & ((1u << m) - 1)), -m);
  double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  if (exponent == (1 << e) - 1) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <class T>
unsigned nearest(double value) {
  return T(value).bits();
}

template <class T>
bool finite(unsigned bits) {
  return (bits & 0x7fff) < T::format::infinity;
}

__global__ void shuffle_halves(__half* out) { out[threadIdx.x] = __shfl_xor_sync(~0u, __half(float(threadIdx.x)), 1); }

__global__ void add_halves(__half* sum, __nv_bfloat162* pair) {
  atomicAdd(sum, __half(1.0f));
  atomicAdd(pair, __nv_bfloat162(1.0f, 2.0f));
}

}  // namespace

TEMPLATE_TEST_CASE("all 65,536 values survive a round trip", "", __half, __nv_bfloat16) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    auto value = TestType::from_bits(static_cast<unsigned short>(bits));
    double wanted = meaning<TestType>(bits);
    if (std::isnan(wanted)) {
      REQUIRE(value.is_nan());
      REQUIRE(std::isnan(float(value)));
      REQUIRE(TestType(float(value)).bits() == 0x7fff);
      REQUIRE_FALSE(value == value);
      continue;
    }
    REQUIRE(double(float(value)) == wanted);
    REQUIRE(std::signbit(float(value)) == (bits >= 0x8000));
    REQUIRE(TestType(float(value)).bits() == bits);
    REQUIRE(TestType(double(float(value))).bits() == bits);
  }
}

TEMPLATE_TEST_CASE("what lies between two values goes to the nearest, ties to even", "", __half, __nv_bfloat16) {
  for (unsigned bits = 0; bits + 1 <= TestType::format::infinity; ++bits) {
    double low = meaning<TestType>(bits);
    // Infinity stands for the number that would come next.
    double high =
        bits + 1 == TestType::format::infinity ? 2 * low - meaning<TestType>(bits - 1) : meaning<TestType>(bits + 1);
    double middle = low + (high - low) / 2, small = (high - low) / 1024;
    unsigned even = bits % 2 ? bits + 1 : bits;
    REQUIRE(nearest<TestType>(middle) == even);
    REQUIRE(nearest<TestType>(middle - small) == bits);
    REQUIRE(nearest<TestType>(middle + small) == bits + 1);
    REQUIRE(nearest<TestType>(-middle) == (even | 0x8000));
    using format = typename TestType::format;
    REQUIRE(format::encode(middle, simt::rounding::to_zero) == bits);
    REQUIRE(format::encode(-middle, simt::rounding::to_zero) == (bits | 0x8000));
    REQUIRE(format::encode(middle, simt::rounding::down) == bits);
    REQUIRE(format::encode(middle, simt::rounding::up) == bits + 1);
    REQUIRE(format::encode(-middle, simt::rounding::down) == ((bits + 1) | 0x8000));
  }
}

TEMPLATE_TEST_CASE("extremes", "", __half, __nv_bfloat16) {
  CHECK(TestType(std::numeric_limits<double>::infinity()).bits() == TestType::format::infinity);
  CHECK(TestType(1e300).bits() == TestType::format::infinity);
  CHECK(TestType(1e-300).bits() == 0);
  CHECK(TestType(-1e-300).bits() == 0x8000);
  CHECK(TestType(std::numeric_limits<double>::denorm_min()).bits() == 0);
  CHECK(TestType::format::encode(1e-300, simt::rounding::up) == 1);
  CHECK(TestType::format::encode(std::numeric_limits<double>::denorm_min(), simt::rounding::up) == 1);
  CHECK(TestType::format::encode(1e300, simt::rounding::to_zero) == TestType::format::largest);
  CHECK(TestType(std::numeric_limits<float>::quiet_NaN()).bits() == 0x7fff);
}

TEMPLATE_TEST_CASE("arithmetic is rounded once", "", __half, __nv_bfloat16) {
  std::uint64_t state = 1;
  auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    unsigned bits = unsigned(state >> 48);
    return TestType::from_bits(static_cast<unsigned short>(finite<TestType>(bits) ? bits : bits & 0x83ff));
  };
  for (int i = 0; i < 20000; ++i) {
    TestType a = random(), b = random(), c = random();
    double x = float(a), y = float(b);
    REQUIRE((a + b).bits() == TestType(double(float(a)) + double(float(b))).bits());
    REQUIRE((a * b).bits() == TestType(double(float(a)) * double(float(b))).bits());
    if (y != 0) REQUIRE((a / b).bits() == TestType(x / y).bits());
    TestType fused = __hfma(a, b, c);
    if (!finite<TestType>(fused.bits()) || (fused.bits() & 0x7fff) == 0) continue;
    // 113 bits of significand: no neighbour may be nearer.
    __float128 wanted = static_cast<__float128>(x) * y + double(float(c));
    auto distance = [&](unsigned bits) {
      __float128 d = wanted - meaning<TestType>(bits);
      return d < 0 ? -d : d;
    };
    bool nearest_below = distance(fused.bits()) <= distance(fused.bits() - 1);
    bool nearest_above = !finite<TestType>(fused.bits() + 1u) || distance(fused.bits()) <= distance(fused.bits() + 1u);
    REQUIRE(nearest_below);
    REQUIRE(nearest_above);
  }
  // The sum is a hair above the middle of two values, which a double cannot hold.
  TestType one(1.0f), big = TestType(std::ldexp(1.0, layout<TestType>::mantissa_bits + 1));
  CHECK(float(__hadd(big, one)) == float(big));
  CHECK(float(-one) == -1.0f);
  CHECK(float(__habs(-one)) == 1.0f);
}

TEST_CASE("fused multiply-add of bfloat16 sees what a double would lose") {
  __nv_bfloat16 tiny(std::ldexp(1.0, -100));
  // (1 + 2^-4)(1 + 2^-4) = 1 + 2^-3 + 2^-8: exactly the middle, and the addend breaks the tie.
  __nv_bfloat16 s(1.0625f);
  CHECK(float(__hfma(s, s, __nv_bfloat16(0.0f))) == 1.125f);
  CHECK(float(__hfma(s, s, tiny)) == 1.1328125f);
  CHECK(float(__hfma(s, s, -tiny)) == 1.125f);
}

TEMPLATE_TEST_CASE("conversions to and from integers", "", __half, __nv_bfloat16) {
  CHECK(float(TestType(7)) == 7.0f);
  CHECK(float(TestType(-7ll)) == -7.0f);
  CHECK(float(TestType(true)) == 1.0f);
  CHECK(int(TestType(-2.75f)) == -2);
  CHECK(unsigned(TestType(-2.75f)) == 0u);
  CHECK(static_cast<signed char>(TestType(300.0f)) == 127);
  CHECK(int(TestType(std::numeric_limits<float>::quiet_NaN())) == 0);
  CHECK(static_cast<bool>(TestType(0.5f)));
  CHECK_FALSE(static_cast<bool>(TestType(-0.0f)));
  // 2^63 - 1 must not be rounded twice.
  CHECK(TestType(std::numeric_limits<long long>::max()).bits() == TestType(std::ldexp(1.0, 63)).bits());
}

TEST_CASE("an integer just above a tie rounds up, although its nearest double is the tie") {
  unsigned long long tie = (1ull << 63) + (1ull << 55);
  CHECK(__nv_bfloat16(tie).bits() == __nv_bfloat16(std::ldexp(1.0, 63)).bits());
  CHECK(__nv_bfloat16(tie + 1).bits() == __nv_bfloat16(std::ldexp(1.0, 63)).bits() + 1);
}

TEMPLATE_TEST_CASE("minimum, maximum and comparison", "", __half, __nv_bfloat16) {
  TestType one(1.0f), two(2.0f), nan = TestType::from_bits(0x7fff), zero(0.0f), minus_zero(-0.0f);
  CHECK(__hmax(one, two) == two);
  CHECK(__hmin(one, two) == one);
  CHECK(__hmax(nan, one) == one);
  CHECK(__hmin(one, nan) == one);
  CHECK(__hmax_nan(nan, one).is_nan());
  CHECK(__hmax(minus_zero, zero).bits() == 0);
  CHECK(__hmin(zero, minus_zero).bits() == 0x8000);
  CHECK(zero == minus_zero);
  CHECK_FALSE(__hne(nan, one));
  CHECK(__hneu(nan, one));
  CHECK(__hltu(nan, one));
  CHECK_FALSE(__hlt(nan, one));
  CHECK(__hisinf(-TestType(1e300)) == -1);
  TestType sum = one;
  sum += two;
  ++sum;
  CHECK(float(sum) == 4.0f);
}

TEST_CASE("pairs") {
  __half2 a = __floats2half2_rn(1.0f, 2.0f), b = __half2half2(__half(3.0f));
  CHECK(a + b == __floats2half2_rn(4.0f, 5.0f));
  CHECK(__hfma2(a, b, a) == __floats2half2_rn(4.0f, 8.0f));
  CHECK(__hmax2(a, b) == b);
  CHECK(__low2float(a) == 1.0f);
  CHECK(float(__high2half(a)) == 2.0f);
  CHECK(__heq2_mask(a, __floats2half2_rn(1.0f, 0.0f)) == 0xffffu);
  __nv_bfloat162 c = __float2bfloat162_rn(0.5f);
  CHECK(c * c == __float2bfloat162_rn(0.25f));
  CHECK(__bfloat1622float2(c).y == 0.5f);
  static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4);
  static_assert(std::is_trivially_copyable_v<__half> && std::is_trivially_default_constructible_v<__nv_bfloat16>);
}

TEST_CASE("halves in kernels") {
  test::buffer<__half> out(32);
  test::launch({.block = 32}, shuffle_halves, out.data());
  auto got = out.get();
  for (unsigned i = 0; i < 32; ++i) CHECK(float(got[i]) == float(i ^ 1));
  test::buffer<__half> sum(1, __half(0.0f));
  test::buffer<__nv_bfloat162> pair(1, __nv_bfloat162(0.0f, 0.0f));
  test::launch({.grid = 2, .block = 32}, add_halves, sum.data(), pair.data());
  CHECK(float(sum.get()[0]) == 64.0f);
  CHECK(float(pair.get()[0].y) == 128.0f);
}
