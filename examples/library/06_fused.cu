// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transformed elements, two inputs, and several reductions of one array in one pass.
#include <gpuprim/transform_reduce.cuh>

#include "../measure.hpp"

struct square {
  __host__ __device__ double operator()(float x) const { return double(x) * double(x); }
};

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

int main() {
  std::vector<float> values;
  for (int i = 0; i < 50000; ++i) values.push_back(float(i * 7919 % 1001 - 500));
  const auto n = std::int64_t(values.size());
  const measure::device_array<float> first(values), second(values), low(1);
  const measure::device_array<double> total(1);
  const float *x = first.data(), *y = second.data();

  // [transform]
  const double squares = gpuprim::transform_reduce_value(x, n, gpuprim::plus{}, square{}, 0.0);
  const double product = gpuprim::transform_reduce_value<double>(x, y, n, gpuprim::plus{}, gpuprim::multiplies{}, 0.0);
  // [transform]
  // [fused]
  const auto query = gpuprim::fused(gpuprim::plus{}, gpuprim::minimum{}, gpuprim::maximum{},
                                    gpuprim::transformed<std::int64_t>(gpuprim::plus{}, is_positive{}));
  const auto [sum, smallest, largest, positive] = gpuprim::reduce_into_value(x, n, query);
  // [fused]
  // [outputs]
  const cudaError_t e =
      gpuprim::reduce_into(x, n, gpuprim::outputs(total.data(), low.data()),
                           gpuprim::fused(gpuprim::transformed(gpuprim::plus{}, square{}), gpuprim::minimum{}));
  // [outputs]
  const double squares_again = total.on_host()[0];
  const float smallest_again = low.on_host()[0];

  double want_squares = 0, want_sum = 0;
  std::int64_t want_positive = 0;
  for (float v : values) {
    want_squares += square{}(v);
    want_sum += double(v);
    want_positive += is_positive{}(v);
  }
  std::printf("squares %g, product %g, sum %g, minimum %g, maximum %g, %lld positive: %s\n", squares, product,
              double(sum), double(smallest), double(largest), static_cast<long long>(positive), cudaGetErrorString(e));
  const bool right = squares == want_squares && product == want_squares && squares_again == want_squares &&
                     double(sum) == want_sum && smallest == -500 && smallest_again == -500 && largest == 500 &&
                     positive == want_positive;
  return e == cudaSuccess && right ? 0 : 1;
}
