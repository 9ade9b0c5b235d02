// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division of integers has no instruction of its own: quotient and remainder by a divisor that is known only at run
// time take many. Some of them make the reciprocal of the divisor: of a divisor that stays the same in a loop the
// compiler makes it once, of one that changes each time. A constant divisor becomes a multiplication, a constant power
// of two a shift and a mask. Where the divisor is a power of two at run time, pass its exponent: the compiler cannot
// know it. Unsigned is cheaper than signed, whose shift has to round towards 0.
// Source: "Division Modulo Operations" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

// [forms]
struct by_divisor {
  __host__ __device__ static unsigned value(unsigned x, unsigned d, unsigned) { return x / d ^ x % d; }
};
struct by_signed_divisor {
  __host__ __device__ static unsigned value(unsigned x, unsigned d, unsigned) {
    const int y = int(x) >> 1;
    return unsigned(y / int(d) ^ y % int(d));
  }
};
/// As above, but the divisor is another one for each x.
struct by_changing_divisor {
  __host__ __device__ static unsigned value(unsigned x, unsigned d, unsigned) {
    const unsigned divisor = d | (x & 16);
    return x / divisor ^ x % divisor;
  }
};
struct by_changing_signed_divisor {
  __host__ __device__ static unsigned value(unsigned x, unsigned d, unsigned) {
    const int y = int(x) >> 1, divisor = int(d | (x & 16));
    return unsigned(y / divisor ^ y % divisor);
  }
};
struct by_changing_exponent {
  __host__ __device__ static unsigned value(unsigned x, unsigned, unsigned e) {
    const unsigned exponent = e + (x & 1);
    return x >> exponent ^ (x & ((1u << exponent) - 1));
  }
};
struct by_exponent {
  __host__ __device__ static unsigned value(unsigned x, unsigned, unsigned exponent) {
    return x >> exponent ^ (x & ((1u << exponent) - 1));
  }
};
struct by_constant_7 {
  __host__ __device__ static unsigned value(unsigned x, unsigned, unsigned) { return x / 7 ^ x % 7; }
};
struct by_constant_8 {
  __host__ __device__ static unsigned value(unsigned x, unsigned, unsigned) { return x / 8 ^ x % 8; }
};
struct by_signed_constant_8 {
  __host__ __device__ static unsigned value(unsigned x, unsigned, unsigned) {
    const int y = int(x) >> 1;
    return unsigned(y / 8 ^ y % 8);
  }
};
// [forms]

template <class Form>
__host__ __device__ unsigned repeat(unsigned x, unsigned divisor, unsigned exponent, int rounds) {
  for (int round = 0; round < rounds; ++round) x = Form::value(x, divisor, exponent) + 0x9e3779b9u * unsigned(round);
  return x;
}

template <class Form>
__global__ void divide(unsigned divisor, unsigned exponent, int rounds, unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = repeat<Form>(thread * 2654435761u, divisor, exponent, rounds);
}

template <class Form>
bool show(const char* name, int rounds) {
  const int blocks = on_gpu ? 8 * attribute(cudaDevAttrMultiProcessorCount) : 2;
  const device_array<unsigned> out(std::size_t(blocks) * block_size);
  out.poison();
  const unsigned exponent = 3, divisor = 1u << exponent;
  const double us = time_us([&] { divide<Form><<<blocks, block_size>>>(divisor, exponent, rounds, out.data()); });
  const std::vector<unsigned> got = out.on_host();
  bool right = true;
  for (unsigned thread = 0; thread < got.size(); thread += 41) {
    right &= got[thread] == repeat<Form>(thread * 2654435761u, divisor, exponent, rounds);
  }
  std::printf("%-34s %s%s\n", name, figure(1e-3 * blocks * block_size * rounds / us, "G/s").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(20, 1000), 1 << 20);
  bool right = show<by_divisor>("unsigned, one divisor at run time", rounds);
  right &= show<by_changing_divisor>("unsigned, divisor changes", rounds);
  right &= show<by_signed_divisor>("signed, one divisor at run time", rounds);
  right &= show<by_changing_signed_divisor>("signed, divisor changes", rounds);
  right &= show<by_exponent>("shift and mask, one exponent", rounds);
  right &= show<by_changing_exponent>("shift and mask, exponent changes", rounds);
  right &= show<by_constant_7>("unsigned, constant 7", rounds);
  right &= show<by_constant_8>("unsigned, constant 8", rounds);
  right &= show<by_signed_constant_8>("signed, constant 8", rounds);
  return verdict(right);
}
