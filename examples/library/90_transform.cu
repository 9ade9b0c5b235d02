// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streaming passes: a function of each element, of several inputs, with several outputs, in place; fills, generated
// values and differences of neighbours.
#include <gpuprim/transform.cuh>

#include "../measure.hpp"

#include <cstdio>
#include <vector>

// [functions]
struct scale {
  float by;
  __host__ __device__ float operator()(float x) const { return by * x; }
};
struct multiply_add {
  __host__ __device__ float operator()(float a, float b, float c) const { return a * b + c; }
};
struct divide {  // quotient and remainder, each to an output of its own
  int by;
  __host__ __device__ gpuprim::tuple<int, int> operator()(float x) const { return {int(x) / by, int(x) % by}; }
};
struct square_of_index {
  __host__ __device__ float operator()(std::int64_t i) const { return float(i * i); }
};
struct is_large {
  __host__ __device__ bool operator()(float x) const { return x > 1000; }
};
struct halve {
  __host__ __device__ float operator()(float x) const { return 0.5f * x; }
};
// [functions]

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 5003);
  const auto size = static_cast<std::size_t>(n);
  const measure::device_array<float> squares(size), steps(size), ones(size), sums(size), chosen(size);
  const measure::device_array<int> quotients(size), remainders(size);
  float *x = squares.data(), *step = steps.data(), *one = ones.data(), *sum = sums.data(), *some = chosen.data();
  const auto run = [](cudaError_t error) {
    if (error != cudaSuccess) std::printf("%s: %s\n", cudaGetErrorString(error), gpuprim::last_fault());
    measure::check(error);
  };

  // [calls]
  run(gpuprim::fill(one, n, 1.0f));
  run(gpuprim::generate(x, n, square_of_index{}));      // x[i] = f(i)
  run(gpuprim::adjacent_difference(x, n, step));        // step[i] = x[i] - x[i - 1], step[0] = x[0]
  run(gpuprim::transform(step, n, step, scale{0.5f}));  // in place
  run(gpuprim::transform(gpuprim::inputs(step, step, one), n, sum, multiply_add{}));  // three inputs
  run(gpuprim::transform(step, n, gpuprim::outputs(quotients.data(), remainders.data()), divide{10}));
  run(gpuprim::replace_if(x, n, x, is_large{}, 1000));                // x[i] = min(x[i], 1000)
  run(gpuprim::sequence(some, n, 900.0f, 0.5f));                      // some[i] = 900 + 0.5 * i
  run(gpuprim::transform_if(some, n, some, halve{}, is_large{}));     // where some[i] > 1000
  run(gpuprim::transform_if(x, step, n, some, halve{}, is_large{}));  // some[i] = half of x[i] where step[i] > 1000
  // [calls]

  const auto got_x = squares.on_host(), got_step = steps.on_host(), got_sum = sums.on_host();
  const auto got_some = chosen.on_host();
  const auto got_quotient = quotients.on_host(), got_remainder = remainders.on_host();
  bool right = true;
  for (int i = 0; i < n; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const float square = float(std::int64_t{i} * i), before = i == 0 ? 0 : float(std::int64_t{i - 1} * (i - 1));
    const float half = 0.5f * (square - before);
    right &= got_step[at] == half && got_sum[at] == half * half + 1 && got_x[at] == std::min(square, 1000.0f);
    const float number = 900.0f + 0.5f * float(i);
    right &= got_some[at] == (half > 1000 ? 0.5f * std::min(square, 1000.0f) : number > 1000 ? 0.5f * number : number);
    right &= got_quotient[at] == int(half) / 10 && got_remainder[at] == int(half) % 10;
  }
  std::printf("%d elements: %s\n", n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
