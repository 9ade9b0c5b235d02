// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Little's law for arithmetic: to keep the units of a multiprocessor busy, latency times throughput operations have to
// be under way. Latency is measured with one chain of one warp, throughput with many. The share of the throughput that
// a launch is expected to reach is its operations under way (threads times chains) over those needed, up to one. That
// holds if a warp can issue in each cycle. Registers lie in banks, and an instruction that reads two registers of one
// bank may take a cycle more; several chains of one warp read the same factor again, and spare that. So there are two
// forms: one reads three registers, the other has a number in place of the third.
//   06_06_little_arithmetic [SAMPLES [THREADS]]   all numbers of threads, or one; the best of so many launches counts
// Source: "Professional CUDA C Programming" (Cheng, Grossman, McKercher), latency hiding.
#include "course.hpp"

#include <array>

using namespace course;

constexpr int rounds = 512;

enum class operands { three_registers, two_registers };

// [kernel]
template <operands Operands, int Chains>
__global__ void multiply_add(float factor, float other, float* out, long long* cycles) {
  float x[Chains];
  for (int k = 0; k < Chains; ++k) x[k] = float(int(threadIdx.x) % 5 + k);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 16
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < Chains; ++k) x[k] = x[k] * factor + (Operands == operands::three_registers ? other : 3.0f);
  }
  float sum = 0;
  for (int k = 0; k < Chains; ++k) sum += x[k];
  out[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}
// [kernel]

/// Cycles of a round in which each thread does one operation a chain.
template <operands Operands, int Chains>
double cycles_of_round(int threads, int samples, bool& right) {
  const device_array<float> out(1024);
  const device_array<long long> cycles(1);
  double best = 1e30;
  for (int sample = 0; sample < samples; ++sample) {
    out.poison();
    multiply_add<Operands, Chains><<<1, threads>>>(-1, 3, out.data(), cycles.data());  // x, 3 - x, x, ...
    check(cudaGetLastError());
    best = std::min(best, double(cycles.on_host()[0]) / rounds);
  }
  const std::vector<float> got = out.on_host();
  for (int t = 0; t < threads; ++t) right &= got[t] == float(Chains * (t % 5) + Chains * (Chains - 1) / 2);
  return best;
}

/// Operations a cycle that a block of so many threads reaches, with one chain, two and four.
template <operands Operands>
std::array<double, 3> rates(int threads, int samples, bool& right) {
  return {threads / cycles_of_round<Operands, 1>(threads, samples, right),
          2 * threads / cycles_of_round<Operands, 2>(threads, samples, right),
          4 * threads / cycles_of_round<Operands, 4>(threads, samples, right)};
}

template <operands Operands>
bool show(const char* name, int samples, int only_threads) {
  bool right = true;
  if (only_threads > 0) {
    const auto reached = rates<Operands>(only_threads, samples, right);
    std::printf("%s, %d threads: 1, 2, 4 chains reach %s, %s, %s\n", name, only_threads,
                figure(reached[0], "a cycle").c_str(), figure(reached[1], "a cycle").c_str(),
                figure(reached[2], "a cycle").c_str());
    return right;
  }
  const double latency = cycles_of_round<Operands, 1>(32, samples, right);
  const double throughput = 1024 * 4 / cycles_of_round<Operands, 4>(1024, samples, right);
  const double needed = latency * throughput;
  std::printf("%s: latency %s, throughput %s: %s needed under way\n", name, figure(latency, "cycles").c_str(),
              figure(throughput, "a cycle").c_str(), figure(needed, "operations").c_str());
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    const auto reached = rates<Operands>(threads, samples, right);
    for (int form = 0; form < 3; ++form) {
      const int under_way = threads << form;
      std::printf("%4d threads, %d chains: %4d under way, expected %s, reached %s\n", threads, 1 << form, under_way,
                  figure(100 * std::min(1.0, under_way / needed), "%").c_str(),
                  figure(100 * reached[form] / throughput, "%").c_str());
    }
  }
  return right;
}

int main(int count, char** arguments) {
  const int samples = size_to_run(count, arguments, 3);
  const int threads = count > 2 ? size_to_run(count - 1, arguments + 1, 0, 1024) : 0;
  bool right = show<operands::three_registers>("three registers", samples, threads);
  right &= show<operands::two_registers>("two registers and a number", samples, threads);
  return verdict(right);
}
