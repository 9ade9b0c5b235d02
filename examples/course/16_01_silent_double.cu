// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A literal without f is a double, and makes the whole product one: the float is converted, multiplied in double and
// converted back, at a small part of the speed. Values kept in 8- or 16-bit integers are converted at each use, too.
// sqrt(x) of a float is no such trap: C++ takes the overload for float; sqrt of an integer is one.
// Source: "Arithmetic Instructions" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <type_traits>

using namespace course;

static_assert(std::is_same_v<decltype(std::sqrt(1.0f)), float> && std::is_same_v<decltype(std::sqrt(1)), double>);

constexpr int block_size = 256;

// [steps]
struct float_literal {
  using type = float;
  static __host__ __device__ float step(float x) { return x * 0.999f; }
};
struct double_literal {
  using type = float;
  static __host__ __device__ float step(float x) { return x * 0.999; }  // float(double(x) * 0.999)
};
struct kept_in_short {
  using type = short;
  static __host__ __device__ short step(short x) { return short(x * 0.999f); }
};
struct kept_in_char {
  using type = signed char;
  static __host__ __device__ signed char step(signed char x) { return static_cast<signed char>(x * 0.999f); }
};
// [steps]

template <class Step>
__global__ void repeat(int rounds, typename Step::type* out) {
  using T = typename Step::type;
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  T x = T(thread % 100 + 10), y = T(thread % 90 + 20);  // two chains, so that not only latency counts
  for (int round = 0; round < rounds; ++round) {
    x = Step::step(x);
    y = Step::step(y);
  }
  out[2 * thread] = x;
  out[2 * thread + 1] = y;
}

template <class Step>
bool show(const char* name, int rounds, double& first) {
  using T = typename Step::type;
  const int blocks = on_gpu ? 8 * attribute(cudaDevAttrMultiProcessorCount) : 2;
  const device_array<T> out(std::size_t(blocks) * block_size * 2);
  out.poison();
  const double us = time_us([&] { repeat<Step><<<blocks, block_size>>>(rounds, out.data()); });
  if (first == 0) first = us;
  const std::vector<T> got = out.on_host();
  bool right = true;
  for (int thread = 0; thread < blocks * block_size; thread += 37) {
    T x = T(thread % 100 + 10), y = T(thread % 90 + 20);
    for (int round = 0; round < rounds; ++round) x = Step::step(x), y = Step::step(y);
    right &= got[2 * thread] == x && got[2 * thread + 1] == y;
  }
  std::printf("%-22s %s, %s%s\n", name, figure(us, "us").c_str(), figure(us / first, "times the first").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(50, 2000), 100000);
  double first = 0;
  bool right = show<float_literal>("x * 0.999f", rounds, first);
  right &= show<double_literal>("x * 0.999", rounds, first);
  right &= show<kept_in_short>("kept in a short", rounds, first);
  right &= show<kept_in_char>("kept in a signed char", rounds, first);
  return verdict(right);
}
