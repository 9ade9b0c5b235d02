// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few threads can keep a memory as busy as many, if each has several loads in flight: occupancy is one way to have
// enough bytes on their way, independent loads of one thread are the other. Dynamic shared memory that nobody uses
// keeps blocks off the multiprocessors.
//   06_07_low_occupancy [N]
// Source: Volkov, "Better performance at lower occupancy".
#include "../measure.hpp"

#include <algorithm>
#include <numeric>

constexpr int block_size = 256;

// [kernel]
template <int Loads>
__global__ void sum_by_threads(const unsigned* in, int n, unsigned* out) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x), threads = int(gridDim.x * blockDim.x);
  unsigned sum = 0;
  int i = thread;
#pragma unroll 1  // the compiler would put loads of several rounds in flight
  for (; i < n - (Loads - 1) * threads; i += Loads * threads) {
    unsigned loaded[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) loaded[k] = in[i + k * threads];  // none waits for another
#pragma unroll
    for (int k = 0; k < Loads; ++k) sum += loaded[k];
  }
#pragma unroll 1
  for (; i < n; i += threads) sum += in[i];
  out[thread] = sum;
}
// [kernel]

template <int Loads>
bool check(const measure::device_array<unsigned>& in, int n, unsigned want) {
  const auto kernel = sum_by_threads<Loads>;
  int device = 0, multiprocessors = 0, threads = 0, shared = 0, reserved = 0, most = 0;
  measure::check(cudaGetDevice(&device));
  const auto ask = [&](int& to, cudaDeviceAttr what) { measure::check(cudaDeviceGetAttribute(&to, what, device)); };
  ask(multiprocessors, cudaDevAttrMultiProcessorCount);
  ask(threads, cudaDevAttrMaxThreadsPerMultiProcessor);
  ask(shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  ask(reserved, cudaDevAttrReservedSharedMemoryPerBlock);
  ask(most, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  measure::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  bool right = true;
  for (int wanted : {1, 2, 4, 8}) {
    int blocks = 0;
    cudaLaunchConfig_t config{};
    config.dynamicSmemBytes = std::size_t(std::min(shared / wanted / 1024 * 1024 - reserved, most));
    measure::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, config.dynamicSmemBytes));
    config.gridDim = dim3(unsigned(blocks * (measure::on_gpu ? multiprocessors : 1)));  // one full wave
    config.blockDim = dim3(block_size);
    const measure::device_array<unsigned> out(config.gridDim.x * block_size);
    out.poison();
    measure::event_timer timer;
    const unsigned* from = in.data();
    const double us = timer.us([&](int) { return cudaLaunchKernelEx(&config, kernel, from, n, out.data()); });
    const std::vector<unsigned> sums = out.on_host();
    const bool same = std::accumulate(sums.begin(), sums.end(), 0u) == want;
    std::printf("occupancy %.1f %%, %d loads in flight: %s: %s\n", 100.0 * blocks * block_size / threads, Loads,
                measure::rate(4.0 * n, us).c_str(), same ? "right" : "WRONG");
    right &= same;
  }
  return right;
}

int main(int count, char** arguments) {
  const int n = measure::size_to_run(count, arguments, measure::usual_size(10007, 1 << 28));
  std::vector<unsigned> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[i] = unsigned(i) * 2654435761u;
  const unsigned want = std::accumulate(values.begin(), values.end(), 0u);
  const measure::device_array<unsigned> in(values);
  bool right = check<1>(in, n, want);
  right &= check<2>(in, n, want);
  right &= check<4>(in, n, want);
  right &= check<8>(in, n, want);
  right &= check<16>(in, n, want);
  return right ? 0 : 1;
}
