// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Element types of the tests. `make_value<T>(i)` gives values whose sums are exact in T, so that results can be
// compared for equality whatever the order of the additions; operators that do not commute check the order.
#include <gpuprim/core/identity.hpp>
#include <gpuprim/core/operators.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <iterator>
#include <ostream>

namespace test {

// The library's calls do not find functions of its names beside a user's type or operator.
template <class... Arguments> void overlap(Arguments&&...) = delete;
template <class... Arguments> void is_null(Arguments&&...) = delete;
template <class... Arguments> void address_of(Arguments&&...) = delete;
template <class... Arguments> void begins_within(Arguments&&...) = delete;
template <class... Arguments> void shuffle(Arguments&&...) = delete;
template <class... Arguments> void shuffle_down(Arguments&&...) = delete;
template <class... Arguments> void shuffle_up(Arguments&&...) = delete;
template <class... Arguments> void shuffle_xor(Arguments&&...) = delete;
template <class... Arguments> void warp_reduce(Arguments&&...) = delete;
template <class... Arguments> void warp_all_reduce(Arguments&&...) = delete;
template <class... Arguments> void thread_reduce(Arguments&&...) = delete;
template <class... Arguments> void warp_scan(Arguments&&...) = delete;
template <class... Arguments> void scan_lanes(Arguments&&...) = delete;
template <class... Arguments> void subtract(Arguments&&...) = delete;
template <int, class... Arguments> void block_scan(Arguments&&...) = delete;
template <int, class... Arguments> void block_reduce(Arguments&&...) = delete;
template <int, class... Arguments> void block_all_reduce(Arguments&&...) = delete;
template <int, class... Arguments> void grid_reduce(Arguments&&...) = delete;
template <int, class... Arguments> void block_shift_up(Arguments&&...) = delete;
template <int, class... Arguments> void block_shift_down(Arguments&&...) = delete;
template <int, class... Arguments> void block_blocked_to_striped(Arguments&&...) = delete;
template <int, class... Arguments> void block_striped_to_blocked(Arguments&&...) = delete;
template <int, int, class... Arguments> void flag_within(Arguments&&...) = delete;
template <int, int, class... Arguments> void rotate_up(Arguments&&...) = delete;

GPUPRIM_HOST_DEVICE inline std::uint32_t scramble(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return std::uint32_t(z ^ z >> 31);
}

/// 12 bytes: no wide load divides it.
struct point3 {
  int x, y, z;
  friend bool operator==(const point3&, const point3&) = default;
};

/// An iterator to the integers 0, 0, 1, 1, 2, 2, ..., which returns halves that convert to these.
struct halves {
  using value_type = int;
  using reference = double;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  GPUPRIM_HOST_DEVICE double operator[](std::int64_t i) const { return double(i) / 2; }
};

struct add_points {
  GPUPRIM_HOST_DEVICE point3 operator()(const point3& a, const point3& b) const {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};

/// Three parts side by side, added part by part: 3 bytes of bytes, 24 of 64-bit integers.
template <class Part>
struct triple {
  Part parts[3];
  friend bool operator==(const triple&, const triple&) = default;
  friend std::ostream& operator<<(std::ostream& o, const triple&) { return o << "a triple"; }
};

/// 4 bytes that may lie anywhere.
struct loose_word {
  unsigned char bytes[4];
  friend bool operator==(const loose_word&, const loose_word&) = default;
  GPUPRIM_HOST_DEVICE friend loose_word operator+(const loose_word& a, const loose_word& b) {
    loose_word sum = a;
    for (int i = 0; i < 4; ++i) sum.bytes[i] = static_cast<unsigned char>(a.bytes[i] + b.bytes[i]);
    return sum;
  }
};

struct add_triples {
  template <class Part>
  GPUPRIM_HOST_DEVICE triple<Part> operator()(const triple<Part>& a, const triple<Part>& b) const {
    triple<Part> sum{};
    for (int i = 0; i < 3; ++i) sum.parts[i] = static_cast<Part>(a.parts[i] + b.parts[i]);
    return sum;
  }
};

/// A complex number of two floats, 8 bytes but aligned to 4.
struct complex_float {
  float re, im;
  friend bool operator==(const complex_float&, const complex_float&) = default;
};

struct add_complex {
  GPUPRIM_HOST_DEVICE complex_float operator()(const complex_float& a, const complex_float& b) const {
    return {a.re + b.re, a.im + b.im};
  }
};

/// x -> scale * x + offset, modulo 2^32. Composition is associative and does not commute.
struct affine {
  std::uint32_t scale, offset;
  friend bool operator==(const affine&, const affine&) = default;
};

struct then {
  GPUPRIM_HOST_DEVICE affine operator()(const affine& first, const affine& second) const {
    return {first.scale * second.scale, first.offset * second.scale + second.offset};
  }
};

/// Two of these side by side: 16 bytes, as a wide load has, but aligned to 4.
struct affine_pair {
  affine first, second;
  friend bool operator==(const affine_pair&, const affine_pair&) = default;
};

struct then_both {
  GPUPRIM_HOST_DEVICE affine_pair operator()(const affine_pair& a, const affine_pair& b) const {
    return {then{}(a.first, b.first), then{}(a.second, b.second)};
  }
};

/// 32 bytes: a 2 x 2 matrix modulo 2^64, whose product does not commute.
struct matrix2 {
  std::uint64_t m[4];
  friend bool operator==(const matrix2& a, const matrix2& b) {
    return a.m[0] == b.m[0] && a.m[1] == b.m[1] && a.m[2] == b.m[2] && a.m[3] == b.m[3];
  }
};

struct product {
  GPUPRIM_HOST_DEVICE matrix2 operator()(const matrix2& a, const matrix2& b) const {
    return {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3], a.m[2] * b.m[0] + a.m[3] * b.m[2],
             a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
  }
};

/// The first and last position seen: cannot be default constructed, and joining out of order breaks the chain.
struct span_of_positions {
  std::int32_t first, last;
  GPUPRIM_HOST_DEVICE constexpr span_of_positions(std::int32_t f, std::int32_t l) : first(f), last(l) {}
  friend bool operator==(const span_of_positions&, const span_of_positions&) = default;
};

struct chain {
  /// Joins with nothing, so that the operator stays associative.
  GPUPRIM_HOST_DEVICE static constexpr span_of_positions broken() { return {-7, -9}; }
  GPUPRIM_HOST_DEVICE span_of_positions operator()(const span_of_positions& a, const span_of_positions& b) const {
    return a.last + 1 == b.first ? span_of_positions(a.first, b.last) : broken();
  }
};

template <class T>
inline constexpr bool is_triple = false;
template <class Part>
inline constexpr bool is_triple<triple<Part>> = true;

template <class T>
GPUPRIM_HOST_DEVICE T make_value(std::uint64_t i) {
  const std::uint32_t r = scramble(i);
  if constexpr (std::is_same_v<T, point3>) return {int(r % 100), int(r % 7), int(r % 1000)};
  else if constexpr (std::is_same_v<T, complex_float>) return {float(int(r % 17) - 8), float(int(r % 13) - 6)};
  else if constexpr (std::is_same_v<T, loose_word>) {
    return {{static_cast<unsigned char>(r), static_cast<unsigned char>(r >> 7), static_cast<unsigned char>(r >> 9), 3}};
  } else if constexpr (is_triple<T>) {
    using part = std::remove_cvref_t<decltype(T{}.parts[0])>;
    return {{make_value<part>(3 * i), make_value<part>(3 * i + 1), make_value<part>(3 * i + 2)}};
  } else if constexpr (std::is_same_v<T, affine>) return {r | 1u, r >> 7};
  else if constexpr (std::is_same_v<T, affine_pair>) return {{r | 1u, r >> 7}, {r >> 3 | 1u, r >> 5}};
  else if constexpr (std::is_same_v<T, matrix2>) return {{r, r >> 3, r | 5u, r >> 9}};
  else if constexpr (std::is_same_v<T, span_of_positions>) return {std::int32_t(i), std::int32_t(i)};
  else if constexpr (gpuprim::is_half_precision<T> || std::is_floating_point_v<T>) return T(float(int(r % 17) - 8));
  else return T(r);
}

inline std::ostream& operator<<(std::ostream& o, const point3& v) { return o << v.x << ',' << v.y << ',' << v.z; }
inline std::ostream& operator<<(std::ostream& o, const complex_float& v) { return o << v.re << '+' << v.im << 'i'; }
inline std::ostream& operator<<(std::ostream& o, const affine& v) { return o << v.scale << "x+" << v.offset; }
inline std::ostream& operator<<(std::ostream& o, const affine_pair& v) { return o << v.first << ' ' << v.second; }
inline std::ostream& operator<<(std::ostream& o, const span_of_positions& v) { return o << v.first << ".." << v.last; }

}  // namespace test

template <class Part>
inline constexpr bool gpuprim::is_commutative<test::add_triples, test::triple<Part>> = true;
template <class Part>
struct gpuprim::identity_element<test::add_triples, test::triple<Part>> {
  GPUPRIM_HOST_DEVICE static constexpr test::triple<Part> value() { return {}; }
};
