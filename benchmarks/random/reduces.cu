// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../support/numbers.cuh"
#include "workspace.hpp"

#include <gpuprim/extrema.cuh>
#include <gpuprim/reduce.cuh>

#include <cub/device/device_reduce.cuh>

namespace {

using namespace bench;

template <class T>
const T* place(random_numbers& random, const call_memory& memory, std::int64_t& n, std::string& details) {
  n = random.size(double(call_memory::bytes) / double(sizeof(T)) - 16);
  const std::int64_t past = random.one_of(3) ? random.below(16) : 0;
  details = "n " + std::to_string(n) + " past " + std::to_string(past);
  return reinterpret_cast<const T*>(memory.in) + past;
}

template <class T, class Sum>
comparison sum(random_numbers& random, const call_memory& memory) {
  std::int64_t n = 0;
  std::string details;
  const T* const in = place<T>(random, memory, n, details);
  auto* const out = reinterpret_cast<Sum*>(memory.out);
  return {"sum of " + std::to_string(sizeof(T)) + " bytes", details,
          [=](std::int64_t, cudaStream_t s) { return gpuprim::reduce(in, n, out, gpuprim::plus{}, options_of(s)); },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceReduce::Sum(memory.temporary, bytes, in, out, n, s);
          }};
}

template <int Words>
comparison sum_of_lists(random_numbers& random, const call_memory& memory) {
  using T = numbers<int, Words>;
  std::int64_t n = 0;
  std::string details;
  const T* const in = place<T>(random, memory, n, details);
  auto* const out = reinterpret_cast<T*>(memory.out);
  return {"reduce of " + std::to_string(sizeof(T)) + " bytes", details,
          [=](std::int64_t, cudaStream_t s) { return gpuprim::reduce(in, n, out, add_numbers{}, T{}, options_of(s)); },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            return cub::DeviceReduce::Reduce(memory.temporary, bytes, in, out, n, add_numbers{}, T{}, s);
          }};
}

template <class T>
comparison least(random_numbers& random, const call_memory& memory) {
  std::int64_t n = 0;
  std::string details;
  const T* const in = place<T>(random, memory, n, details);
  return {"place of the least of " + std::to_string(sizeof(T)) + " bytes", details,
          [=](std::int64_t, cudaStream_t s) {
            auto* const out = reinterpret_cast<gpuprim::extremum<T>*>(memory.out);
            return gpuprim::min_element(in, n, out, options_of(s));
          },
          [=](std::int64_t, cudaStream_t s) {
            std::size_t bytes = call_memory::bytes;
            auto* const value = reinterpret_cast<T*>(memory.out);
            auto* const position = reinterpret_cast<std::int64_t*>(memory.second_out);
            return cub::DeviceReduce::ArgMin(memory.temporary, bytes, in, value, position, n, s);
          }};
}

const enter_comparisons entered({sum<unsigned char, int>, sum<short, int>, sum<int, int>, sum<float, float>,
                                 sum<double, double>, sum_of_lists<3>, sum_of_lists<5>, sum_of_lists<8>,
                                 sum_of_lists<16>, least<unsigned char>, least<float>, least<long long>});

}  // namespace
