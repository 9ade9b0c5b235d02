// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many operations a second the device does of each kind that mixed precision chooses from: multiply-adds of float,
// of two halves (half2), of four 8-bit integers (dp4a), of two 16- by 8-bit integers (dp2a). All stay in registers, and
// each thread has chains that do not wait for one another. The published figures beside them are of kernels that read
// their operands from memory once: they measure bytes, and what a type gains there is what it saves in those. A Gop/s
// is 10^9 operations a second, and a multiply-add is two operations.
//   17_05_arithmetic [ROUNDS]
// Source: the mixed-precision chapter of "Learn CUDA Programming" (Han, Sharma).
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

#include <cuda_fp16.h>

struct float_step {  // -1 * x + 3: exact, however often it is done
  using word = float;
  static constexpr int operations = 2;
  static word factor() { return -1; }
  static word other() { return 3; }
  static __device__ word first(int i) { return float(i % 7); }
  static __device__ word step(word x, word factor, word other) { return __fmaf_rn(x, factor, other); }
  static word want(int i, int rounds) { return float(rounds % 2 == 0 ? i % 7 : 3 - i % 7); }
};

struct half2_step {  // the same twice
  using word = half2;
  static constexpr int operations = 4;
  static word factor() { return __float2half2_rn(-1); }
  static word other() { return __floats2half2_rn(3, 4); }
  static __device__ word first(int i) { return __floats2half2_rn(float(i % 7), float(i % 5)); }
  static __device__ word step(word x, word factor, word other) { return __hfma2(x, factor, other); }
  static word want(int i, int rounds) {
    const bool even = rounds % 2 == 0;
    return __floats2half2_rn(float(even ? i % 7 : 3 - i % 7), float(even ? i % 5 : 4 - i % 5));
  }
};

struct dp4a_step {  // + 1 * 5 - 2 * 6 + 3 * 7 + 4 * 8
  using word = int;
  static constexpr int operations = 8;
  static word factor() { return 0x0403fe01; }
  static word other() { return 0x08070605; }
  static __device__ word first(int i) { return i; }
  static __device__ word step(word x, word factor, word other) { return __dp4a(factor, other, x); }
  static word want(int i, int rounds) { return i + 46 * rounds; }
};

struct dp2a_step : dp4a_step {  // - 1000 * 5 + 2 * 6
  static constexpr int operations = 4;
  static word factor() { return 0x0002fc18; }
  static __device__ word step(word x, word factor, word other) { return __dp2a_lo(factor, other, x); }
  static word want(int i, int rounds) { return i - 4988 * rounds; }
};

constexpr int block_size = 256, chains = 8;

// [kernel]
template <class Step>
__global__ void calculate(int rounds, typename Step::word factor, typename Step::word other, typename Step::word* out) {
  const int first = chains * int(blockIdx.x * blockDim.x + threadIdx.x);
  typename Step::word x[chains];
  for (int k = 0; k < chains; ++k) x[k] = Step::first(first + k);
#pragma unroll 16
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < chains; ++k) x[k] = Step::step(x[k], factor, other);
  }
  for (int k = 0; k < chains; ++k) out[first + k] = x[k];
}
// [kernel]

template <class Step>
bool show(const char* name, const char* published, int rounds) {
  int multiprocessors = 1;
  measure::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int blocks = measure::on_gpu ? 8 * multiprocessors : 2, count = blocks * block_size * chains;
  const measure::device_array<typename Step::word> out(static_cast<std::size_t>(count));
  out.poison();
  const double us = measure::event_timer().us([&](int) {
    return gpuprim::launch(calculate<Step>, blocks, block_size, nullptr, rounds, Step::factor(), Step::other(),
                           out.data());
  });
  const auto got = out.on_host();
  bool right = true;
  for (int i = 0; i < count; ++i) right &= got[std::size_t(i)] == Step::want(i, rounds);
  const double operations = double(Step::operations) * count * rounds;
  std::printf("%s: %s; V100 from memory, published: %s: %s\n", name,
              measure::figure(operations * 1e-3 / (us > 0 ? us : 1), "Gop/s").c_str(), published,
              right ? "right" : "WRONG");
  return right;
}

int main(int count, char** arguments) {
  const int rounds = measure::size_to_run(count, arguments, measure::usual_size(33, 65536), 400000);
  bool right = show<float_step>("float multiply-add", "59.4 Gop/s", rounds);
  right &= show<half2_step>("half2 multiply-add", "86.0 Gop/s", rounds);
  right &= show<dp4a_step>("dp4a, 8-bit integers", "196.2 Gop/s", rounds);
  right &= show<dp2a_step>("dp2a, 16- by 8-bit integers", "none", rounds);
  return right ? 0 : 1;
}
