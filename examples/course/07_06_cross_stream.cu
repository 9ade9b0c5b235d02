// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of work in two streams. An event sees its own stream alone: to time both, the second stream starts after the
// first event, and the first stream waits for the second before the last event. Without that join the time is too
// short.
//   07_06_cross_stream [ROUNDS]
// Source: the event functions of NVIDIA's "CUDA C++ Programming Guide".
#include "../measure.hpp"

#include <gpuprim/launch/launch.cuh>

__host__ __device__ inline unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

__global__ void iterate(int rounds, unsigned* out) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) x = next(x);
  out[threadIdx.x] = x;
}

int main(int count, char** arguments) {
  const int rounds = measure::size_to_run(count, arguments, measure::usual_size(1000, 1 << 20), 1 << 28), threads = 64;
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr, fork = nullptr, join = nullptr, too_early = nullptr;
  measure::check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  measure::check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  for (cudaEvent_t* e : {&begin, &end, &too_early}) measure::check(cudaEventCreate(e));
  for (cudaEvent_t* e : {&fork, &join}) measure::check(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  const measure::device_array<unsigned> out(2 * threads);
  float joined = 0, alone = 0;
  for (int run = 0; run < 3; ++run) {  // the last one counts
    out.poison();
    measure::check(cudaDeviceSynchronize());
    // [events]
    measure::check(cudaEventRecord(begin, first));
    measure::check(cudaEventRecord(fork, first));
    measure::check(cudaStreamWaitEvent(second, fork, 0));
    measure::check(gpuprim::launch(iterate, 1, threads, first, rounds, out.data()));
    measure::check(gpuprim::launch(iterate, 1, threads, second, 4 * rounds, out.data() + threads));
    measure::check(cudaEventRecord(too_early, first));  // the second stream is still at work
    measure::check(cudaEventRecord(join, second));
    measure::check(cudaStreamWaitEvent(first, join, 0));
    measure::check(cudaEventRecord(end, first));
    measure::check(cudaEventSynchronize(end));
    measure::check(cudaEventElapsedTime(&joined, begin, end));
    measure::check(cudaEventElapsedTime(&alone, begin, too_early));
    // [events]
  }
  bool right = true;
  const std::vector<unsigned> got = out.on_host();
  for (int stream = 0; stream < 2; ++stream) {
    unsigned x = 5;
    for (int i = 0; i < (stream == 0 ? rounds : 4 * rounds); ++i) x = next(x);
    right &= got[std::size_t(stream * threads + 5)] == x;
  }
  if (measure::on_gpu) {
    std::printf("both streams: %.1f us; without the join: %.1f us\n", 1e3 * double(joined), 1e3 * double(alone));
    if (rounds >= 1 << 16) right &= alone < 0.5f * joined;
  }
  for (cudaEvent_t e : {begin, end, fork, join, too_early}) measure::check(cudaEventDestroy(e));
  for (cudaStream_t s : {first, second}) measure::check(cudaStreamDestroy(s));
  std::printf("two streams: %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
