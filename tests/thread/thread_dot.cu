// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/thread/thread_dot.cuh>

#include "../support/device.cuh"
#include "../support/types.cuh"

#include <cuda_fp8.h>

#include <cmath>
#include <limits>

namespace {

template <class A, class B, class Acc>
__global__ void dot_of_loads(const A* a, const B* b, Acc* out) {
  constexpr int count = gpuprim::elements_per_load<A>;
  const int first = int(threadIdx.x) * count;
  const Acc sum = Acc(float(threadIdx.x));
  out[threadIdx.x] = gpuprim::thread_dot<A, B>(gpuprim::load_packed(a + first), gpuprim::load_packed(b + first), sum);
}

/// `a` and `b` hold loads for some threads; the sum of each is compared with the exact one.
template <class Acc, class A, class B>
void check(const std::vector<A>& a, const std::vector<B>& b) {
  constexpr int count = gpuprim::elements_per_load<A>;
  const int threads = int(a.size()) / count;
  test::device_array<A> first(a);
  test::device_array<B> second(b);
  test::device_array<Acc> output{std::size_t(threads)};
  test::run(dot_of_loads<A, B, Acc>, 1, unsigned(threads), 0, first.data(), second.data(), output.data());
  const auto got = output.download();
  for (int t = 0; t < threads; ++t) {
    CAPTURE(t);
    if constexpr (std::is_integral_v<Acc>) {
      auto want = std::uint64_t(t);  // modulo 2^64, of which the low bits are the result
      for (int i = t * count; i < (t + 1) * count; ++i) {
        want += std::uint64_t(Acc(a[std::size_t(i)])) * std::uint64_t(Acc(b[std::size_t(i)]));
      }
      CHECK(got[std::size_t(t)] == static_cast<Acc>(want));
    } else {
      double want = t;
      for (int i = t * count; i < (t + 1) * count; ++i) {
        want += double(static_cast<float>(a[std::size_t(i)])) * double(static_cast<float>(b[std::size_t(i)]));
      }
      CHECK(double(static_cast<float>(got[std::size_t(t)])) == want);
    }
  }
  first.check_unchanged();
  second.check_unchanged();
  output.check_guards();
}

/// Extremes together in the first loads, then every sign and size.
template <class T>
std::vector<T> integers(int loads, int step) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values;
  constexpr int count = gpuprim::elements_per_load<T>;
  for (int i = 0; i < loads * count; ++i) {
    if (i < count) values.push_back((limits::lowest)());
    else if (i < 2 * count) values.push_back((limits::max)());
    else if (i < 3 * count) values.push_back(step == 1 ? (limits::lowest)() : (limits::max)());
    else values.push_back(T(test::scramble(std::uint64_t(i * step))));
  }
  return values;
}

template <class A, class B>
void check_integers() {
  constexpr int loads = 20;
  check<std::int64_t>(integers<A>(loads, 1), integers<B>(loads, 3));
  check<std::uint64_t>(integers<A>(loads, 1), integers<B>(loads, 3));
  check<int>(integers<A>(loads, 1), integers<B>(loads, 3));
  check<unsigned>(integers<A>(loads, 1), integers<B>(loads, 3));
}

template <class T>
std::vector<T> floats(int loads, int shift) {
  std::vector<T> values;
  for (int i = 0; i < loads * gpuprim::elements_per_load<T>; ++i) {
    values.push_back(T(float(int(test::scramble(std::uint64_t(i + shift)) % 17) - 8) / 4));
  }
  return values;
}

template <class Acc, class T>
void check_floats() {
  check<Acc>(floats<T>(9, 0), floats<T>(9, 5));
}

/// The definition of the two formats, by powers of two.
double meaning(unsigned bits, int mantissa_bits, int bias) {
  const unsigned magnitude = bits & 0x7f, fraction = magnitude & ((1u << mantissa_bits) - 1);
  const int exponent = int(magnitude >> mantissa_bits);
  if (mantissa_bits == 3 && magnitude == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  if (mantissa_bits == 2 && exponent == 31) {
    if (fraction != 0) return std::numeric_limits<double>::quiet_NaN();
    return bits & 0x80 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  const double scaled = std::ldexp(double(fraction), -mantissa_bits);
  const double value = exponent == 0 ? std::ldexp(scaled, 1 - bias) : std::ldexp(1 + scaled, exponent - bias);
  return bits & 0x80 ? -value : value;
}

/// By the instruction, by the library's arithmetic, and by the type's own conversion.
template <class T>
__global__ void widen_all(float* by_pair, float* by_byte, float* by_type) {
  const unsigned bits = threadIdx.x;
  by_pair[bits] = gpuprim::ptx::widen_pair<T>(bits << 8).y;
  by_pair[256 + bits] = gpuprim::ptx::widen_pair<T>(bits).x;
  by_byte[bits] = gpuprim::ptx::widen_byte<T>(bits);
  T number;
  number.__x = static_cast<unsigned char>(bits);
  by_type[bits] = static_cast<float>(number);
}

template <class T>
void check_codes(int mantissa_bits, int bias) {
  test::device_array<float> by_pair(512), by_byte(256), by_type(256);
  test::run(widen_all<T>, 1, 256, 0, by_pair.data(), by_byte.data(), by_type.data());
  const auto pair = by_pair.download(), byte = by_byte.download(), type = by_type.download();
  for (unsigned bits = 0; bits < 256; ++bits) {
    CAPTURE(bits);
    const double want = meaning(bits, mantissa_bits, bias);
    T on_host;
    on_host.__x = static_cast<unsigned char>(bits);
    for (float got : {pair[bits], pair[256 + bits], byte[bits], type[bits], static_cast<float>(on_host)}) {
      if (std::isnan(want)) CHECK(std::isnan(got));
      else CHECK((double(got) == want && std::signbit(got) == std::signbit(want)));
    }
    // A number comes back as its own code.
    if (std::isfinite(want)) CHECK(unsigned(T(float(want)).__x) == bits);
  }
  // Between two numbers the nearest, ties to even; beyond the last the last.
  const unsigned largest = mantissa_bits == 3 ? 0x7e : 0x7b;
  for (unsigned bits = 0; bits < largest; ++bits) {
    CAPTURE(bits);
    const double low = meaning(bits, mantissa_bits, bias), high = meaning(bits + 1, mantissa_bits, bias);
    const double middle = (low + high) / 2, little = (high - low) / 64;
    CHECK(unsigned(T(float(middle)).__x) == bits + bits % 2);
    CHECK(unsigned(T(float(middle - little)).__x) == bits);
    CHECK(unsigned(T(-float(middle + little)).__x) == ((bits + 1) | 0x80));
  }
  CHECK(unsigned(T(1e9f).__x) == largest);
  CHECK(unsigned(T(-1e9).__x) == (largest | 0x80));
}

}  // namespace

TEST_CASE("every 8-bit float means what its format says", "[thread][sanitizer][not_asan]") {
  check_codes<__nv_fp8_e4m3>(3, 7);
  check_codes<__nv_fp8_e5m2>(2, 15);
}

TEST_CASE("thread_dot of 8- and 16-bit integers is exact at their extremes, signed and not", "[thread][not_asan]") {
  check_integers<signed char, signed char>();
  check_integers<unsigned char, unsigned char>();
  check_integers<signed char, unsigned char>();
  check_integers<unsigned char, signed char>();
  check_integers<short, short>();
  check_integers<unsigned short, unsigned short>();
  check_integers<short, unsigned short>();
  check_integers<unsigned short, short>();
}

TEST_CASE("thread_dot of every other number", "[thread][sanitizer][not_asan]") {
  check_integers<int, int>();
  check_integers<unsigned, int>();
  check_integers<std::int64_t, std::int64_t>();
  check_floats<float, float>();
  check_floats<double, float>();
  check_floats<double, double>();
  check_floats<float, __half>();
  check_floats<double, __half>();
  check_floats<__half, __half>();
  check_floats<float, __nv_bfloat16>();
  check_floats<float, __nv_fp8_e4m3>();
  check_floats<float, __nv_fp8_e5m2>();
  check_floats<double, __nv_fp8_e5m2>();
  check<float>(floats<__nv_fp8_e4m3>(9, 0), floats<__nv_fp8_e5m2>(9, 5));
  check<float>(floats<__nv_fp8_e4m3>(9, 0), integers<signed char>(9, 3));
  check<float>(floats<__half>(9, 0), floats<__nv_bfloat16>(9, 3));
}
