// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes with events, each beside the right time. Every wrong figure here is deliberate.
//   begin after the launch     the first event waits for the kernel too: almost nothing is left between the two
//   asked too early            the elapsed time before the second event has happened is an error, cudaErrorNotReady
//   end in another stream      which has nothing to wait for, so that its event may come long before the kernel's end
//   clock(), with a wait       processor time of the host: right if the host waits in a loop, hardly anything if it
//                              sleeps, as it does for an event with cudaEventBlockingSync
// Source: "Timing" in NVIDIA's "CUDA C++ Best Practices Guide".
#include "course.hpp"

#include <ctime>

using namespace course;

__host__ __device__ inline unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

__global__ void iterate(int rounds, unsigned* out) {
  unsigned x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) x = next(x);
  out[threadIdx.x] = x;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(1000, 1 << 20), 1 << 28), threads = 64;
  const device_array<unsigned> out(threads);
  const stream work, other;
  const event begin, end, late, elsewhere, slept_for(cudaEventBlockingSync);
  out.poison();
  double right_us = 0, late_us = 0, elsewhere_us = 0, by_clock = 0, asleep = 0;
  cudaError_t early = cudaSuccess;
  for (int run = 0; run < 2; ++run) {  // the last one counts
    check(cudaDeviceSynchronize());
    // [events]
    begin.record(work);
    iterate<<<1, threads, 0, work>>>(rounds, out.data());
    check(cudaGetLastError());
    late.record(work);        // wrong: it should have been recorded before the launch
    elsewhere.record(other);  // wrong: this stream has nothing to do
    end.record(work);
    float milliseconds = 0;
    early = cudaEventElapsedTime(&milliseconds, begin, end);  // wrong: nobody has waited for the end
    (void)cudaGetLastError();
    check(cudaEventSynchronize(end));
    check(cudaEventSynchronize(elsewhere));
    right_us = end.us_since(begin);
    late_us = end.us_since(late);
    elsewhere_us = elsewhere.us_since(begin);
    // [events]
    std::clock_t ticks = std::clock();
    iterate<<<1, threads, 0, work>>>(rounds, out.data());
    work.wait();
    by_clock = 1e6 * double(std::clock() - ticks) / CLOCKS_PER_SEC;
    ticks = std::clock();
    iterate<<<1, threads, 0, work>>>(rounds, out.data());
    slept_for.record(work);
    check(cudaEventSynchronize(slept_for));
    asleep = 1e6 * double(std::clock() - ticks) / CLOCKS_PER_SEC;
  }
  std::printf("right: %s\n", figure(right_us, "us").c_str());
  std::printf("begin after the launch: %s\n", figure(late_us, "us").c_str());
  std::printf("asked too early: %s\n", on_gpu ? cudaGetErrorString(early) : "not timed");
  std::printf("end in another stream: %s\n", figure(elsewhere_us, "us").c_str());
  std::printf("clock(), with a wait: %s, with one that sleeps: %s\n", figure(by_clock, "us").c_str(),
              figure(asleep, "us").c_str());
  unsigned x = 5;
  for (int i = 0; i < rounds; ++i) x = next(x);
  bool right = out.on_host()[5] == x;
  if (on_gpu && rounds >= 1 << 18) {
    right &= late_us < 0.1 * right_us && early == cudaErrorNotReady && elsewhere_us < 0.5 * right_us;
  }
  return verdict(right);
}
