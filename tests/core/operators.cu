// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/accumulator.hpp>
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/monoid.hpp>

#include "../support/types.cuh"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

using namespace gpuprim;

namespace {

template <template <class> class Op, class T>
void check_identity(T sample) {
  const T e = identity_element<Op<T>, T>::value();
  const T generic = identity_element<Op<void>, T>::value();
  CHECK(Op<T>{}(e, sample) == sample);
  CHECK(Op<T>{}(sample, e) == sample);
  CHECK(Op<void>{}(generic, sample) == sample);
}

template <class T>
void check_arithmetic() {
  for (T sample : {T(0), T(1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()}) {
    check_identity<plus>(sample);
    check_identity<multiplies>(sample);
    check_identity<minimum>(sample);
    check_identity<maximum>(sample);
  }
}

}  // namespace

TEST_CASE("identities leave every value as it is", "[core]") {
  check_arithmetic<signed char>();
  check_arithmetic<unsigned short>();
  check_arithmetic<int>();
  check_arithmetic<std::uint64_t>();
  check_arithmetic<int128>();
  check_arithmetic<uint128>();
  check_arithmetic<float>();
  check_arithmetic<double>();
  for (int sample : {0, -1, 12345}) {
    check_identity<bit_and>(sample);
    check_identity<bit_or>(sample);
    check_identity<bit_xor>(sample);
  }
  for (bool sample : {false, true}) {
    check_identity<logical_and>(sample);
    check_identity<logical_or>(sample);
  }
  CHECK(float(identity_element<minimum<>, __half>::value()) == std::numeric_limits<float>::infinity());
}

TEST_CASE("integer sums and products wrap", "[core]") {
  CHECK(plus<int>{}(std::numeric_limits<int>::max(), 1) == std::numeric_limits<int>::min());
  CHECK(multiplies<>{}(1 << 30, 4) == 0);
  CHECK(plus<unsigned char>{}(200, 100) == 44);
  CHECK((plus<int128>{}(std::numeric_limits<int128>::max(), 1) == std::numeric_limits<int128>::min()));
  CHECK((multiplies<>{}(int128{1} << 70, int128{3}) == int128{3} << 70));
  CHECK(square<std::int64_t>{}(-32768) == 1073741824);
  CHECK(square<unsigned>{}(1u << 16) == 0);
  static_assert(is_commutative<plus<>, int128> && is_commutative<multiplies<uint128>, uint128>);
  CHECK(multiplies<unsigned short>{}(65535, 65535) == 1);
}

TEST_CASE("minimum and maximum keep the first of equals", "[core]") {
  CHECK(std::signbit(minimum<float>{}(-0.0f, 0.0f)));
  CHECK_FALSE(std::signbit(maximum<float>{}(0.0f, -0.0f)));
}

TEST_CASE("accumulators are wide where sums need it", "[core]") {
  static_assert(std::is_same_v<default_accumulator<plus<>, __half>, float>);
  static_assert(std::is_same_v<default_accumulator<plus<>, __nv_bfloat16>, float>);
  static_assert(std::is_same_v<default_accumulator<plus<>, signed char>, int>);
  static_assert(std::is_same_v<default_accumulator<plus<>, unsigned char>, unsigned>);
  static_assert(std::is_same_v<default_accumulator<plus<>, short>, int>);
  static_assert(std::is_same_v<default_accumulator<plus<>, unsigned short>, unsigned>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, signed char>, int>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, unsigned short>, unsigned>);
  static_assert(std::is_same_v<default_accumulator<maximum<>, short>, short>);
  static_assert(std::is_same_v<default_accumulator<minimum<>, __half>, __half>);
  static_assert(std::is_same_v<default_accumulator<test::then, test::affine>, test::affine>);
  static_assert(is_commutative<plus<>, int> && !is_commutative<test::then, test::affine>);
  static_assert(has_identity<plus<>, int> && !has_identity<test::then, test::affine>);
  SUCCEED("checked at compile time");
}

TEST_CASE("an initial value of a wider type widens sums, products and operators of one's own", "[core]") {
  using wide = std::int64_t;
  using wide_unsigned = std::uint64_t;
  static_assert(std::is_same_v<default_accumulator<plus<>, int, wide>, wide>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, unsigned, wide_unsigned>, wide_unsigned>);
  static_assert(std::is_same_v<default_accumulator<plus<>, int, wide_unsigned>, wide>);
  static_assert(std::is_same_v<default_accumulator<plus<>, unsigned, wide>, wide>);
  static_assert(std::is_same_v<default_accumulator<plus<>, bool, wide>, wide>);
  static_assert(std::is_same_v<default_accumulator<plus<>, int, unsigned>, int>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, signed char, int>, int>);
  static_assert(std::is_same_v<default_accumulator<plus<>, float, double>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, float, long double>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, float, wide>, float>);
  static_assert(std::is_same_v<default_accumulator<plus<>, double, float>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, __half, double>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, int, double>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, bool, unsigned>, int>);
  // A floating-point type is wider than every integer.
  static_assert(std::is_same_v<default_accumulator<plus<>, int, float>, float>);
  static_assert(std::is_same_v<default_accumulator<plus<>, wide, float>, float>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, wide, double>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, int128, double>, double>);
  static_assert(std::is_same_v<default_accumulator<plus<>, int, __half>, float>);
  // A selection is one of the elements or the initial value, and what fixes a type keeps it.
  static_assert(std::is_same_v<default_accumulator<minimum<>, int, wide>, int>);
  static_assert(std::is_same_v<default_accumulator<maximum<>, int, float>, int>);
  static_assert(std::is_same_v<default_accumulator<bit_or<>, unsigned, wide_unsigned>, unsigned>);
  static_assert(std::is_same_v<default_accumulator<logical_or<>, bool, int>, bool>);
  static_assert(std::is_same_v<default_accumulator<plus<int>, int, wide>, int>);
  const auto generic = [](auto a, auto b) { return a + b; };
  const auto of_ints = [](int a, int b) { return a + b; };
  static_assert(std::is_same_v<default_accumulator<decltype(generic), int, wide>, wide>);
  static_assert(std::is_same_v<default_accumulator<decltype(of_ints), int, wide>, int>);
  static_assert(std::is_same_v<default_accumulator<decltype(of_ints), int, float>, int>);
  static_assert(std::is_same_v<default_accumulator<decltype(generic), bool, int>, int>);
  SUCCEED("checked at compile time");
}

TEST_CASE("initial values widen 16- and 8-bit floats and lead to 128-bit integers", "[core]") {
  const auto generic = [](auto a, auto b) { return a + b; };
  using own = decltype(generic);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, __half, float>, float>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, __nv_bfloat16, double>, double>);
  static_assert(std::is_same_v<default_accumulator<own, __half, float>, float>);
  static_assert(std::is_same_v<default_accumulator<own, __nv_bfloat16, double>, double>);
  static_assert(std::is_same_v<default_accumulator<own, __half, __nv_bfloat16>, float>);
  static_assert(std::is_same_v<default_accumulator<own, __half, int>, __half>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, __half, __half>, __half>);
  static_assert(std::is_same_v<default_accumulator<multiplies<>, float, __half>, float>);
  static_assert(std::is_same_v<default_accumulator<plus<>, std::int64_t, int128>, int128>);
  static_assert(std::is_same_v<default_accumulator<plus<>, std::uint64_t, uint128>, uint128>);
  static_assert(std::is_same_v<default_accumulator<own, int, uint128>, int128>);
  static_assert(std::is_same_v<default_accumulator<minimum<>, std::int64_t, int128>, std::int64_t>);
  SUCCEED("checked at compile time");
}

TEST_CASE("what is known of an operator holds for the type that it fixes", "[core]") {
  static_assert(std::is_same_v<default_accumulator<minimum<unsigned>, int>, unsigned>);
  static_assert(std::is_same_v<default_accumulator<plus<std::int64_t>, signed char>, std::int64_t>);
  static_assert(std::is_same_v<default_accumulator<plus<unsigned char>, unsigned char>, unsigned char>);
  static_assert(is_commutative<minimum<unsigned>, unsigned> && !is_commutative<minimum<unsigned>, int>);
  static_assert(has_identity<maximum<int>, int> && !has_identity<maximum<int>, unsigned>);
  static_assert(!has_identity<plus<float>, double> && !has_identity<bit_and<unsigned char>, int>);
  static_assert(identity_element<bit_and<>, bool>::value());
  SUCCEED("checked at compile time");
}

TEST_CASE("an operator without identity is given one", "[core]") {
  const detail::monoid<test::affine, test::then> join{{}};
  const detail::maybe<test::affine> nothing = join.empty(), some = test::affine{3, 4};
  CHECK_FALSE(join(nothing, nothing).present);
  CHECK(join(nothing, some).value == some.value);
  CHECK(join(some, nothing).value == some.value);
  CHECK(join(some, some).value == test::then{}(some.value, some.value));
}
