// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far sums are from the true one, by how much of the numbers cancels: `accuracy > accuracy.csv`. A row is the type,
// the condition number sum |x| / |sum x|, and the relative errors of gpuprim's default sum, its accurate sum and CUB's.
#include "../support/check.hpp"

#include <gpuprim/statistics.cuh>

#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

__extension__ typedef __int128 exact;

constexpr int unit_exponent = -70;  // every number is a multiple of 2^unit_exponent

/// Pairs that cancel, and numbers that are left, in random order.
template <class T>
std::vector<T> make_cancelling(std::int64_t n, double condition, std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(1, 2);
  constexpr int digits = sizeof(T) == 4 ? 20 : 48;
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; i += 3) {
    const double large = std::ldexp(std::round(std::ldexp(size(random), digits)), -digits);
    const double residue = std::ldexp(std::round(std::ldexp(size(random) / condition, 65)), -65);
    for (double v : {large, -large, residue}) values.push_back(T(v));
  }
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

template <class T>
void measure(const char* type, std::int64_t n, double wanted_condition, std::mt19937_64& random) {
  const std::vector<T> values = make_cancelling<T>(n, wanted_condition, random);
  exact sum = 0, magnitude = 0;
  for (T v : values) {
    const exact e = exact(std::ldexp(double(v), -unit_exponent));
    sum += e;
    magnitude += e < 0 ? -e : e;
  }
  if (sum == 0) return;
  T *in = nullptr, *out = nullptr, got[3];
  bench::check(cudaMalloc(&in, values.size() * sizeof(T)), "allocate the input");
  bench::check(cudaMalloc(&out, sizeof got), "allocate the results");
  bench::check(cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy the input");
  const auto count = std::int64_t(values.size());
  bench::check(gpuprim::reduce(in, count, out, gpuprim::plus{}, T(0)), "reduce");
  bench::check(gpuprim::accurate_sum(in, count, out + 1), "accurate_sum");
  std::size_t bytes = 0;
  void* storage = nullptr;
  bench::check(cub::DeviceReduce::Sum(nullptr, bytes, in, out + 2, count), "size of CUB's storage");
  bench::check(cudaMalloc(&storage, bytes), "allocate CUB's storage");
  bench::check(cub::DeviceReduce::Sum(storage, bytes, in, out + 2, count), "CUB's sum");
  bench::check(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost), "copy the results");
  for (void* p : {static_cast<void*>(in), static_cast<void*>(out), storage}) bench::check(cudaFree(p), "free");
  std::printf("%s,%.3e", type, double(magnitude) / std::abs(double(sum)));
  for (T g : got) {
    const exact error = exact(std::ldexp(double(g), -unit_exponent)) - sum;
    std::printf(",%.3e", std::abs(double(error)) / std::abs(double(sum)));
  }
  std::printf("\n");
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  std::printf("type,condition,default,accurate,cub\n");
  for (double exponent = 0; exponent <= 14; exponent += 0.5) {
    measure<float>("f32", 1 << 20, std::pow(10, exponent), random);
    measure<double>("f64", 1 << 20, std::pow(10, exponent), random);
  }
}
