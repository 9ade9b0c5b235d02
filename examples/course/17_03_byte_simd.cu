// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four bytes in a word, by one call: sums (__vadd4), sums that stop at 255 (__vaddus4), means (__vavgu4), maxima
// (__vmaxu4), absolute differences (__vabsdiffu4), comparisons (__vcmpgtu4). Some are one instruction of a GPU and some
// are several; the time beside that of the plain loop over bytes tells which pay.
// Source: "SIMD Intrinsics" in NVIDIA's "CUDA Math API".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

// [forms]
struct add {
  static __device__ unsigned words(unsigned a, unsigned b) { return __vadd4(a, b); }
  static __host__ __device__ unsigned bytes(unsigned a, unsigned b) { return (a + b) & 255; }
};
struct add_to_255 {
  static __device__ unsigned words(unsigned a, unsigned b) { return __vaddus4(a, b); }
  static __host__ __device__ unsigned bytes(unsigned a, unsigned b) { return a + b > 255 ? 255 : a + b; }
};
struct mean {
  static __device__ unsigned words(unsigned a, unsigned b) { return __vavgu4(a, b); }
  static __host__ __device__ unsigned bytes(unsigned a, unsigned b) { return (a + b + 1) / 2; }
};
struct larger {
  static __device__ unsigned words(unsigned a, unsigned b) { return __vmaxu4(a, b); }
  static __host__ __device__ unsigned bytes(unsigned a, unsigned b) { return a > b ? a : b; }
};
struct difference {
  static __device__ unsigned words(unsigned a, unsigned b) { return __vabsdiffu4(a, b); }
  static __host__ __device__ unsigned bytes(unsigned a, unsigned b) { return a > b ? a - b : b - a; }
};
struct is_greater {
  static __device__ unsigned words(unsigned a, unsigned b) { return __vcmpgtu4(a, b); }
  static __host__ __device__ unsigned bytes(unsigned a, unsigned b) { return a > b ? 255 : 0; }
};
// [forms]

template <class Form>
__host__ __device__ unsigned byte_by_byte(unsigned a, unsigned b) {
  unsigned result = 0;
  for (int bit = 0; bit < 32; bit += 8) result |= Form::bytes(a >> bit & 255, b >> bit & 255) << bit;
  return result;
}

enum class way { words, bytes };

template <class Form, way Way>
__global__ void repeat(int rounds, unsigned* out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = thread * 2654435761u, y = thread * 40503u + 1;
  for (int round = 0; round < rounds; ++round) {
    if constexpr (Way == way::words) x = Form::words(x, y);
    else x = byte_by_byte<Form>(x, y);
    y = y * 1664525u + 1013904223u;
  }
  out[thread] = x;
}

template <class Form>
bool show(const char* name, int rounds) {
  const int blocks = on_gpu ? 8 * attribute(cudaDevAttrMultiProcessorCount) : 2;
  const device_array<unsigned> out(std::size_t(blocks) * block_size), plain(std::size_t(blocks) * block_size);
  out.poison();
  const double us = time_us([&] { repeat<Form, way::words><<<blocks, block_size>>>(rounds, out.data()); });
  const double plain_us = time_us([&] { repeat<Form, way::bytes><<<blocks, block_size>>>(rounds, plain.data()); });
  const std::vector<unsigned> got = out.on_host();
  bool right = got == plain.on_host();
  for (unsigned thread = 0; thread < got.size(); thread += 43) {
    unsigned x = thread * 2654435761u, y = thread * 40503u + 1;
    for (int round = 0; round < rounds; ++round) x = byte_by_byte<Form>(x, y), y = y * 1664525u + 1013904223u;
    right &= got[thread] == x;
  }
  std::printf("%-12s %s, byte by byte %s%s\n", name, figure(us, "us").c_str(), figure(plain_us, "us").c_str(),
              right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(20, 1000), 1 << 20);
  bool right = show<add>("__vadd4", rounds) & show<add_to_255>("__vaddus4", rounds);
  right &= show<mean>("__vavgu4", rounds) & show<larger>("__vmaxu4", rounds);
  right &= show<difference>("__vabsdiffu4", rounds) & show<is_greater>("__vcmpgtu4", rounds);
  return verdict(right);
}
