// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/core/accumulator.hpp>
#include <gpuprim/core/identity.hpp>

#include "../support/other_operators.cuh"

#include <catch2/catch_test_macros.hpp>

namespace mine {

template <class T>
struct plus {
  T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T>
struct maximum : plus<T> {};
namespace std {
template <class T>
struct plus : mine::plus<T> {};
}  // namespace std

}  // namespace mine

template <class T>
struct plus : mine::plus<T> {};

namespace {

template <class Other, class Library, class T>
constexpr bool is_known =
    std::is_same_v<gpuprim::detail::operator_behind<Other>, Library> && gpuprim::is_commutative<Other, T> &&
    gpuprim::has_identity<Other, T> &&
    gpuprim::identity_element<Other, T>::value() == gpuprim::identity_element<Library, T>::value();
template <class Op>
constexpr bool is_unknown = std::is_same_v<gpuprim::detail::operator_behind<Op>, Op> &&
                            !gpuprim::detail::is_library_operator<Op> && !gpuprim::is_commutative<Op, int>;

}  // namespace

TEST_CASE("operators of other libraries are known by their names", "[core]") {
  static_assert(is_known<std::plus<>, gpuprim::plus<>, float>);
  static_assert(is_known<std::plus<int>, gpuprim::plus<int>, int>);
  static_assert(is_known<std::multiplies<double>, gpuprim::multiplies<double>, double>);
  static_assert(is_known<std::bit_and<>, gpuprim::bit_and<>, unsigned>);
  static_assert(is_known<std::bit_or<int>, gpuprim::bit_or<int>, int>);
  static_assert(is_known<std::bit_xor<>, gpuprim::bit_xor<>, int>);
  static_assert(is_known<std::logical_and<bool>, gpuprim::logical_and<bool>, bool>);
  static_assert(is_known<std::logical_or<>, gpuprim::logical_or<>, bool>);
  static_assert(is_known<cuda::std::plus<>, gpuprim::plus<>, gpuprim::int128>);
  static_assert(is_known<cuda::std::plus<short>, gpuprim::plus<short>, short>);
  static_assert(is_known<thrust::plus<float>, gpuprim::plus<float>, float>);
  static_assert(is_known<thrust::bit_or<int>, gpuprim::bit_or<int>, int>);
  static_assert(is_known<cooperative_groups::plus<int>, gpuprim::plus<int>, int>);
  static_assert(is_known<cooperative_groups::less<float>, gpuprim::minimum<float>, float>);
  static_assert(is_known<cooperative_groups::greater<int>, gpuprim::maximum<int>, int>);
  static_assert(is_known<cooperative_groups::bit_xor<int>, gpuprim::bit_xor<int>, int>);
#if defined(SIMT_DEVICE) || __has_include(<cuda/__functional/maximum.h>)
  static_assert(is_known<cuda::maximum<>, gpuprim::maximum<>, float>);
  static_assert(is_known<cuda::maximum<int>, gpuprim::maximum<int>, int>);
#endif
  static_assert(!gpuprim::has_identity<std::plus<float>, int>);  // as of the library's own
  SUCCEED("checked at compile time");
}

TEST_CASE("only operators of those libraries are taken for theirs", "[core]") {
  static_assert(is_unknown<mine::plus<int>> && is_unknown<mine::maximum<int>> && is_unknown<mine::std::plus<int>>);
  static_assert(is_unknown<::plus<int>>);
  static_assert(is_unknown<std::divides<>> && is_unknown<std::less<>> && is_unknown<cuda::std::less<int>>);
  SUCCEED("checked at compile time");
}

TEST_CASE("operators of other libraries join in the types that the library's own do", "[core]") {
  using gpuprim::default_accumulator;
  static_assert(std::is_same_v<default_accumulator<std::plus<>, signed char>, int>);
  static_assert(std::is_same_v<default_accumulator<cuda::std::plus<>, bool>, int>);
  static_assert(std::is_same_v<default_accumulator<std::multiplies<>, unsigned char>, unsigned>);
  static_assert(std::is_same_v<default_accumulator<cuda::std::plus<long long>, int>, long long>);
  static_assert(std::is_same_v<default_accumulator<cuda::std::plus<>, int, long long>, long long>);
  static_assert(std::is_same_v<default_accumulator<cooperative_groups::less<int>, int, long long>, int>);
  SUCCEED("checked at compile time");
}
