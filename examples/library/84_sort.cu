// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts: keys alone, positions by their keys (an argsort), rows of a table by two columns, keys of 128, 16 and 8 bits,
// and in two buffers. Before them stand the lines that the README begins with: a kernel, a sort and a scan.
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/reduce.cuh>
#include <gpuprim/scan.cuh>
#include <gpuprim/sort.cuh>

#include "../measure.hpp"

#include <cuda_fp8.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <tuple>
#include <vector>

// [front]
__global__ void add_up(const float* in, float* out) {  // a kernel of yours: one block adds up 256 numbers
  const float sum = gpuprim::block_reduce<256>(gpuprim::this_block{}, in[threadIdx.x], gpuprim::plus{});
  if (threadIdx.x == 0) *out = sum;
}

cudaError_t sort_and_scan(const float* in, int n, float* sorted, float* sums) {  // arrays in device memory
  const cudaError_t error = gpuprim::sort(in, n, sorted);
  return error ? error : gpuprim::inclusive_scan(sorted, n, sums, gpuprim::plus{});
}
// [front]

/// Whether they are right.
bool front_is_right() {
  std::vector<float> numbers;
  for (int i = 0; i < 256; ++i) numbers.push_back(float(i * 37 % 256));
  const measure::device_array<float> in(numbers), sorted(256), sums(256), sum(1);
  if (sort_and_scan(in.data(), 256, sorted.data(), sums.data()) != cudaSuccess ||
      gpuprim::launch(add_up, 1, 256, nullptr, in.data(), sum.data()) != cudaSuccess) {
    return false;
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<float> want(numbers.size());
  std::partial_sum(numbers.begin(), numbers.end(), want.begin());
  return sorted.on_host() == numbers && sums.on_host() == want && sum.on_host()[0] == want.back();
}

// [row]
struct flight {
  short day;
  float delay;
  int number;
};
/// What rows are sorted by: the day, and on each day the delay.
struct by_day_and_delay {
  __host__ __device__ gpuprim::tuple<short, float> operator()(const flight& f) const { return {f.day, f.delay}; }
};
// [row]

// [other]
struct by_halves {  // of 128 bits: the upper number counts most
  __host__ __device__ gpuprim::tuple<std::int64_t, std::uint64_t> operator()(gpuprim::int128 key) const {
    return {std::int64_t(key >> 64), std::uint64_t(key)};
  }
};
struct colour {  // 5 bits of red, 6 of green, 5 of blue
  std::uint16_t bits;
};
struct by_bits {
  __host__ __device__ std::uint16_t operator()(colour c) const { return c.bits; }
};

cudaError_t sort_others(gpuprim::int128* wide, colour* colours, __nv_fp8_e4m3* floats, int n) {
  cudaError_t e = gpuprim::sort(wide, n, wide, gpuprim::ascending.by(by_halves{}));
  if (e == cudaSuccess) e = gpuprim::sort(colours, n, colours, gpuprim::ascending.by(by_bits{}));
  return e == cudaSuccess ? gpuprim::sort(floats, n, floats, gpuprim::descending) : e;
}
// [other]

/// Whether they are right.
bool others_are_right() {
  std::vector<gpuprim::int128> wide;
  std::vector<colour> colours;
  std::vector<__nv_fp8_e4m3> floats;
  for (int i = 0; i < 500; ++i) {
    wide.push_back((gpuprim::int128(i * 37 % 11 - 5) << 64) + i % 7);
    colours.push_back({std::uint16_t(i * 997)});
    floats.push_back(__nv_fp8_e4m3(float(i % 29 - 14)));
  }
  const measure::device_array<gpuprim::int128> wide_in(wide);
  const measure::device_array<colour> colours_in(colours);
  const measure::device_array<__nv_fp8_e4m3> floats_in(floats);
  if (sort_others(wide_in.data(), colours_in.data(), floats_in.data(), 500) != cudaSuccess) return false;
  std::sort(wide.begin(), wide.end());
  std::sort(colours.begin(), colours.end(), [](colour a, colour b) { return a.bits < b.bits; });
  std::sort(floats.begin(), floats.end(), [](__nv_fp8_e4m3 a, __nv_fp8_e4m3 b) { return float(a) > float(b); });
  const auto got_colours = colours_in.on_host();
  const auto got_floats = floats_in.on_host();
  return wide_in.on_host() == wide &&
         std::equal(colours.begin(), colours.end(), got_colours.begin(),
                    [](colour a, colour b) { return a.bits == b.bits; }) &&
         std::equal(floats.begin(), floats.end(), got_floats.begin(),
                    [](__nv_fp8_e4m3 a, __nv_fp8_e4m3 b) { return float(a) == float(b); });
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, 50000);
  std::vector<float> delays;
  std::vector<int> numbers(static_cast<std::size_t>(n));
  std::vector<flight> flights;
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int i : numbers) {
    const unsigned random = unsigned(i) * 2654435761u;
    delays.push_back(float(int(random >> 8) % 1000 - 200));
    flights.push_back({short(random % 7), delays.back(), i});
  }
  const measure::device_array<float> keys(delays), sorted(delays.size()), also_sorted(delays.size());
  const measure::device_array<float> first(delays), second(delays.size());
  const measure::device_array<int> order(numbers.size());
  const measure::device_array<flight> rows(flights), sorted_rows(flights.size());

  // [calls]
  cudaError_t e = gpuprim::sort(keys.data(), n, sorted.data());
  // The positions of the keys, from the greatest key to the least. Equal keys stay in their order.
  if (e == cudaSuccess) {
    const gpuprim::positions<int> positions;
    e = gpuprim::sort_pairs(keys.data(), positions, n, also_sorted.data(), order.data(), gpuprim::descending);
  }
  if (e == cudaSuccess) {
    e = gpuprim::sort(rows.data(), n, sorted_rows.data(), gpuprim::ascending.by(by_day_and_delay{}));
  }
  // In two buffers the sort takes no more memory that grows with n.
  gpuprim::double_buffer<float> buffers{first.data(), second.data()};
  if (e == cudaSuccess) e = gpuprim::sort(buffers, n);
  // [calls]
  // [plan]
  gpuprim::sort_plan(keys.data(), n, sorted.data()).print();  // the first launch that moves keys
  // [plan]
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", cudaGetErrorString(e), gpuprim::last_fault());
    return 1;
  }

  std::vector<int> want_order = numbers;
  std::stable_sort(want_order.begin(), want_order.end(),
                   [&](int a, int b) { return delays[std::size_t(a)] > delays[std::size_t(b)]; });
  std::vector<float> want = delays;
  std::sort(want.begin(), want.end());
  std::stable_sort(flights.begin(), flights.end(), [](const flight& a, const flight& b) {
    return std::tie(a.day, a.delay) < std::tie(b.day, b.delay);
  });
  const std::vector<flight> got_rows = sorted_rows.on_host();
  const bool rows_right = std::equal(flights.begin(), flights.end(), got_rows.begin(),
                                     [](const flight& a, const flight& b) { return a.number == b.number; });
  const auto& in_buffers = buffers.current == first.data() ? first : second;
  const bool right = front_is_right() && others_are_right() && sorted.on_host() == want &&
                     order.on_host() == want_order && in_buffers.on_host() == want && rows_right;
  std::printf("%d keys, the least %g, the greatest %g: %s\n", n, double(want.front()), double(want.back()),
              right ? "right" : "wrong");
  return right ? 0 : 1;
}
