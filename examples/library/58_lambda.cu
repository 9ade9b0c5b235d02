// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas in place of function objects: as a transform, a test and an operator. nvcc takes them with the flag
// --extended-lambda.
#include <gpuprim/reduce.cuh>
#include <gpuprim/search.cuh>
#include <gpuprim/transform_reduce.cuh>

#include "../measure.hpp"

int main() {
  std::vector<int> values;
  for (int i = 0; i < 50000; ++i) values.push_back(i * 7919 % 1001 - 500);
  const measure::device_array<int> array(values);
  const int* in = array.data();
  const auto n = std::int64_t(values.size());
  const int limit = 450;

  // [lambdas]
  // nvcc hides the result type of a __device__ lambda, so that a transform needs the accumulator named.
  const double squares = gpuprim::transform_reduce_value<double>(
      in, n, gpuprim::plus{}, [] __device__(int x) { return double(x) * double(x); }, 0.0);
  const std::int64_t above = gpuprim::count_if_value(in, n, [=] __device__(int x) { return x > limit; });
  // An operator of one's own has no identity, so that the initial value is given.
  const int farthest =
      gpuprim::reduce_value(in, n, [] __host__ __device__(int a, int b) { return a * a < b * b ? b : a; }, 0);
  // [lambdas]

  double want_squares = 0;
  std::int64_t want_above = 0;
  int want_farthest = 0;
  for (const int x : values) {
    want_squares += double(x) * double(x);
    want_above += x > limit;
    if (want_farthest * want_farthest < x * x) want_farthest = x;
  }
  const bool right = squares == want_squares && above == want_above && farthest == want_farthest;
  std::printf("sum of squares %g, %lld above %d, farthest from zero %d: %s\n", squares, static_cast<long long>(above),
              limit, farthest, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
