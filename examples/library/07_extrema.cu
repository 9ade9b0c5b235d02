// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least and the greatest element with their positions; in an order of one's own; with other figures in one pass.
#include <gpuprim/extrema.cuh>

#include "../measure.hpp"

struct nearer_to_zero {
  __host__ __device__ bool operator()(float a, float b) const { return (a < 0 ? -a : a) < (b < 0 ? -b : b); }
};

int main() {
  std::vector<float> values;
  for (int i = 0; i < 50000; ++i) values.push_back(float(i * 7919 % 20011) - 9000.25f);
  const auto n = std::int64_t(values.size());
  const measure::device_array<float> array(values);
  const measure::device_array<gpuprim::extremum<float>> result(1);
  const float* in = array.data();
  gpuprim::extremum<float>* out = result.data();
  cudaError_t e = cudaSuccess;

  // [extrema]
  const auto [value, position] = gpuprim::min_element_value(in, n);
  const auto [low, high] = gpuprim::minmax_element_value(in, n);
  e = gpuprim::min_element.by(nearer_to_zero{})(in, n, out);
  const auto [sum, largest] = gpuprim::reduce_into_value(in, n, gpuprim::fused(gpuprim::plus{}, gpuprim::max_element));
  // [extrema]
  const gpuprim::extremum<float> nearest = result.on_host()[0];

  std::size_t want_low = 0, want_high = 0, want_near = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] < values[want_low]) want_low = i;
    if (values[want_high] < values[i]) want_high = i;
    if (nearer_to_zero{}(values[i], values[want_near])) want_near = i;
  }
  std::printf("least %g at %lld, greatest %g at %lld, nearest to zero %g at %lld, sum %g: %s\n", double(value),
              static_cast<long long>(position), double(high.value), static_cast<long long>(high.position),
              double(nearest.value), static_cast<long long>(nearest.position), double(sum), cudaGetErrorString(e));
  const bool right = position == std::int64_t(want_low) && value == values[want_low] && low.position == position &&
                     high.position == std::int64_t(want_high) && largest == high &&
                     nearest.position == std::int64_t(want_near);
  return e == cudaSuccess && right ? 0 : 1;
}
