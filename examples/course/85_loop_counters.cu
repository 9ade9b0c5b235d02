// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signed or unsigned loop counters: an unsigned sum may wrap around, so offset + stride * i of 32 bits has to be
// computed anew for each 64-bit address; a signed one may not overflow, and the compiler may keep an address and add to
// it. One guide says signed, one book unsigned; measure. To see the instructions: cuobjdump -sass.
// Source: "Loop Counters Signed vs. Unsigned" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

// [kernel]
template <class Counter>
__global__ void add_up(const float* in, Counter offset, Counter stride, Counter n, float* out) {
  const Counter thread = Counter(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0;
  for (Counter i = 0; i < n; ++i) sum += in[offset + thread + stride * i];
  out[thread] = sum;
}
// [kernel]

template <class Counter>
bool show(const char* name, int rounds) {
  const int blocks = on_gpu ? 4 * attribute(cudaDevAttrMultiProcessorCount) : 2, threads = blocks * block_size;
  const int stride = 64, offset = 5;  // a small array, which the caches hold: what counts are the instructions
  std::vector<float> values;
  for (int i = 0; i < offset + threads + stride * rounds; ++i) values.push_back(float(i % 13));
  const device_array<float> in(values), out(static_cast<std::size_t>(threads));
  out.poison();
  const double us = time_us([&] {
    add_up<Counter><<<blocks, block_size>>>(in.data(), Counter(offset), Counter(stride), Counter(rounds), out.data());
  });
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, add_up<Counter>));
  const std::vector<float> got = out.on_host();
  bool right = true;
  for (int thread = 0; thread < threads; thread += 53) {
    float sum = 0;
    for (int i = 0; i < rounds; ++i) sum += values[std::size_t(offset + thread + stride * i)];
    right &= got[thread] == sum;  // whole numbers: exact
  }
  std::printf("%-9s %s, %d registers%s\n", name, figure(us, "us").c_str(), attributes.numRegs, right ? "" : ": WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(20, 2000), 1 << 20);
  bool right = show<int>("signed", rounds);
  right &= show<unsigned>("unsigned", rounds);
  right &= show<long long>("64-bit", rounds);
  return verdict(right);
}
