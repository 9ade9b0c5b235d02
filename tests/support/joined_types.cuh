// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What an initial value of another number type makes of a reduce, by every host call that takes one.
#include <gpuprim/gpuprim.cuh>

#include "family_check.cuh"

namespace test {

struct generic_sum {
  template <class T> GPUPRIM_HOST_DEVICE auto operator()(const T& a, const T& b) const { return a + b; }
};
struct generic_product {
  template <class T> GPUPRIM_HOST_DEVICE auto operator()(const T& a, const T& b) const { return a * b; }
};

struct unchanged {
  template <class T> GPUPRIM_HOST_DEVICE T operator()(const T& x) const { return x; }
};

/// One call joins `values` from `init` to `want`, and in its type.
template <class T, class Op, class Init, class Want>
void check_joined_value(const std::vector<T>& values, Op op, Init init, Want want) {
  const auto n = std::int64_t(values.size());
  device_array<T> input(values);
  static_assert(std::is_same_v<decltype(gpuprim::reduce_value(input.data(), n, op, init)), Want>);
  CHECK(bool(gpuprim::reduce_value(input.data(), n, op, init) == want));
}

/// Every call joins them so.
template <class T, class Op, class Init, class Want>
void check_joined(const std::vector<T>& values, Op op, Init init, Want want) {
  const auto n = std::int64_t(values.size());
  device_array<T> input(values);
  device_array<int> offsets(std::vector<int>{0, int(n)});
  const T* in = input.data();
  const auto check = [&](auto call) { CHECK(bool(result_of<Want>(call) == want)); };
  static_assert(std::is_same_v<decltype(gpuprim::reduce_value(in, n, op, init)), Want>);
  check([&](Want* out) { return gpuprim::reduce(in, n, out, op, init); });
  check([&](Want* out) { return gpuprim::reduce<Op, 128, 2>(in, n, out, op, init); });
  check([&](Want* out) { return gpuprim::reduce(gpuprim::reproducible, in, n, out, op, init); });
  check([&](Want* out) { return gpuprim::transform_reduce(in, n, out, op, unchanged{}, init); });
  check([&](Want* out) { return gpuprim::segmented_reduce(in, offsets.data(), 1, out, op, init); });
  check([&](Want* out) { return gpuprim::column_reduce(in, n, 1, out, op, init); });
}

/// Integers of 128 bits: the same whether the standard library counts them as integers or not.
inline void check_wide_integers() {
  using gpuprim::int128;
  const int128 one = 1;
  const std::vector<std::int64_t> values(8, std::int64_t{1} << 62);
  check_joined(values, gpuprim::plus{}, int128{0}, one << 65);
  check_joined_value(values, generic_sum{}, one << 100, (one << 100) + (one << 65));
  device_array<std::int64_t> input(values), output(1);
  CHECK(gpuprim::reduce(input.data(), 8, output.data(), gpuprim::minimum{}, one << 100) == cudaErrorInvalidValue);
  CHECK(gpuprim::reduce_value(input.data(), 8, gpuprim::minimum{}, one << 40) == std::int64_t{1} << 40);
  device_array<int128> wide(std::vector<int128>{one << 100, -(one << 101), 5, 7});
  CHECK(gpuprim::norm_infinity_value(wide.data(), 4) == 0x1p101);
  CHECK(gpuprim::norm_1_value(wide.data(), 4) == 0x1p100 + 0x1p101);
  CHECK(gpuprim::min_element_value(wide.data(), 4).position == 1);
  device_array<int128> near(std::vector<int128>{(one << 100) + 1, (one << 100) + 3});
  CHECK(gpuprim::variance_value(near.data(), 2) == 1);
}

}  // namespace test
