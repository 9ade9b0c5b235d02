// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polynomial by Horner's rule, value = value * x + coefficient from the highest coefficient to the lowest, as a scan.
// A step of the rule is an affine map of the value. Maps compose, so that the steps need not be done one by one: the
// inclusive scan composes the first, the first two, and so on. What these maps make of 0 are the coefficients of the
// quotient of the polynomial by (X - x), and last the remainder, which is the polynomial at x (synthetic division).
// Source: Blelloch, "Prefix sums and their applications", 1990 (recurrences).
#include <gpuprim/scan.cuh>

#include "../measure.hpp"

#include <cstdio>
#include <vector>

// [operator]
struct affine_map {  // value -> scale * value + offset
  unsigned scale, offset;
  /// What the map makes of 0. The scan converts its results to the type of the output.
  __host__ __device__ operator unsigned() const { return offset; }
};

/// First one map, then the other: g(f(value)) = g.scale * (f.scale * value + f.offset) + g.offset.
///
/// Associative, as the composition of any functions, which is all that a scan asks for: it joins neighbours in any
/// grouping, but keeps their order. Not commutative: to double and then add 1 is not to add 1 and then double. Unsigned
/// integers wrap, so that it is associative to the bit; with floating coefficients it is so up to rounding.
struct then {
  __host__ __device__ affine_map operator()(const affine_map& f, const affine_map& g) const {
    return {g.scale * f.scale, g.scale * f.offset + g.offset};
  }
};

struct horner_step {
  unsigned x;
  __host__ __device__ affine_map operator()(unsigned coefficient) const { return {x, coefficient}; }
};
// [operator]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 50000);
  const unsigned x = 10007;
  std::vector<unsigned> coefficients;  // the highest one first
  for (int i = 0; i < n; ++i) coefficients.push_back(unsigned(i) * 2654435761u >> 7);
  const measure::device_array<unsigned> in(coefficients), out(coefficients.size());

  // [call]
  measure::check(gpuprim::transform_inclusive_scan(in.data(), n, out.data(), then{}, horner_step{x}));
  // [call]

  std::vector<unsigned> want;
  unsigned value = 0;
  for (const unsigned coefficient : coefficients) {
    value = value * x + coefficient;
    want.push_back(value);
  }
  const std::vector<unsigned> got = out.on_host();
  const bool right = got == want;
  std::printf("a polynomial of degree %d is %u at %u, modulo 2^32: %s\n", n - 1, got.back(), x,
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
