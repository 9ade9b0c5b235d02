// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One dot product against an exact reference, with everything around it checked.
#include <gpuprim/dot.cuh>

#include "family_check.cuh"

namespace test {

/// Sums of these are exact in every type that a dot is summed in.
template <class T>
std::vector<T> make_numbers(std::int64_t n, int shift = 0) {
  std::vector<T> values;
  values.reserve(std::size_t(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint32_t r = scramble(std::uint64_t(i + shift));
    if constexpr (std::is_integral_v<T>) values.push_back(T(r));
    else values.push_back(T(float(int(r % 17) - 8) / 4));
  }
  return values;
}

/// Integers modulo 2^64, anything else in double.
template <class Acc, class A, class B>
Acc expected_dot(const std::vector<A>& a, const std::vector<B>& b) {
  if constexpr (std::is_integral_v<Acc>) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += std::uint64_t(std::int64_t(a[i])) * std::uint64_t(std::int64_t(b[i]));
    }
    return static_cast<Acc>(sum);
  } else {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += double(static_cast<float>(a[i])) * double(static_cast<float>(b[i]));
    }
    return Acc(float(sum));
  }
}

template <class A, class B, class Acc = gpuprim::dot_accumulator<A, B>>
void check_vectors(const std::vector<A>& a, const std::vector<B>& b, std::size_t offset_a = 0,
                   std::size_t offset_b = 0) {
  const auto n = std::int64_t(a.size());
  CAPTURE(n, offset_a, offset_b);
  device_array<A> first(a, offset_a);
  device_array<B> second(b, offset_b);
  device_array<Acc> output(1);
  gpuprim::workspace ws(gpuprim::reduce_workspace_bytes<Acc>(n));
  CUDA_OK(gpuprim::dot<Acc>(first.data(), second.data(), n, output.data(), {.workspace = &ws}));
  CHECK(bool(output.download()[0] == expected_dot<Acc>(a, b)));
  output.check_guards();
  first.check_unchanged();
  second.check_unchanged();
}

template <class A, class B = A, class Acc = gpuprim::dot_accumulator<A, B>>
void check_numbers(std::int64_t n, std::size_t offset_a = 0, std::size_t offset_b = 0) {
  check_vectors<A, B, Acc>(make_numbers<A>(n), make_numbers<B>(n, 3), offset_a, offset_b);
}

}  // namespace test
