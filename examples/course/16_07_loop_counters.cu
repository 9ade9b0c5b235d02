// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signed or unsigned loop counters: an unsigned sum may wrap around, so offset + stride * i of 32 bits has to be
// computed anew for each 64-bit address; a signed one may not overflow, and the compiler may keep an address and add to
// it. One guide says signed, one book unsigned; measure. A time by itself does not say why: left alone, nvcc unrolls
// the signed loop further than the unsigned one. So each loop is also compiled with the same unrolling, and with a
// stride that is a constant, as in p[i * 8] of the book. To see the instructions: cuobjdump -sass.
// Source: "Loop Counters Signed vs. Unsigned" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

enum class unrolling { own, none, sixteen };  // own: as the compiler chooses

// [kernel]
template <class Counter, unrolling Unrolling, int ConstantStride>
__global__ void add_up(const float* in, Counter offset, Counter stride, Counter n, float* out) {
  const Counter thread = Counter(blockIdx.x * blockDim.x + threadIdx.x);
  const Counter step = ConstantStride == 0 ? stride : Counter(ConstantStride);
  float sum = 0;
  if constexpr (Unrolling == unrolling::own) {
    for (Counter i = 0; i < n; ++i) sum += in[offset + thread + step * i];
  } else {
#pragma unroll(Unrolling == unrolling::none ? 1 : 16)
    for (Counter i = 0; i < n; ++i) sum += in[offset + thread + step * i];
  }
  out[thread] = sum;
}
// [kernel]

template <class Counter, unrolling Unrolling, int ConstantStride>
bool time_one(int rounds) {
  const int blocks = on_gpu ? 4 * attribute(cudaDevAttrMultiProcessorCount) : 2, threads = blocks * block_size;
  // A small array, which the caches hold: what counts are the instructions.
  const int stride = ConstantStride == 0 ? 64 : ConstantStride, offset = 5;
  std::vector<float> values;
  for (int i = 0; i < offset + threads + stride * rounds; ++i) values.push_back(float(i % 13));
  const device_array<float> in(values), out(static_cast<std::size_t>(threads));
  out.poison();
  const auto kernel = add_up<Counter, Unrolling, ConstantStride>;
  const double us = time_us([&] {
    kernel<<<blocks, block_size>>>(in.data(), Counter(offset), Counter(stride), Counter(rounds), out.data());
  });
  const std::vector<float> got = out.on_host();
  bool right = true;
  for (int thread = 0; thread < threads; thread += 53) {
    float sum = 0;
    for (int i = 0; i < rounds; ++i) sum += values[std::size_t(offset + thread + stride * i)];
    right &= got[thread] == sum;  // whole numbers: exact
  }
  std::printf(" %12s%s", figure(us, "us").c_str(), right ? "" : ": WRONG");
  return right;
}

template <class Counter, int ConstantStride>
bool show(const char* name, int rounds) {
  std::printf("%-9s %-19s", name, ConstantStride == 0 ? "stride an argument:" : "stride 8:");
  bool right = time_one<Counter, unrolling::own, ConstantStride>(rounds);
  right &= time_one<Counter, unrolling::none, ConstantStride>(rounds);
  right &= time_one<Counter, unrolling::sixteen, ConstantStride>(rounds);
  std::printf("\n");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(20, 2000), 1 << 20);
  std::printf("unrolled as the compiler chooses, not at all, 16 times:\n");
  bool right = show<int, 0>("signed", rounds);
  right &= show<unsigned, 0>("unsigned", rounds);
  right &= show<long long, 0>("64-bit", rounds);
  right &= show<int, 8>("signed", rounds);
  right &= show<unsigned, 8>("unsigned", rounds);
  right &= show<long long, 8>("64-bit", rounds);
  return verdict(right);
}
