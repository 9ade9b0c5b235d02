// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first event in one stream, the last one in another, and a third stream that is busy all the while. Work that goes
// from stream to stream is timed from an event of the first to an event of the last, because the last waits for the
// first. What the third stream does is not in that time. If the last event is recorded in the default stream it is:
// that stream waits for all others, but for those that were made with cudaStreamNonBlocking.
// Source: "Event Management" in NVIDIA's "CUDA Runtime API"; "Default Stream" in its "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

__host__ __device__ inline unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

__global__ void iterate(int rounds, unsigned* data) {
  unsigned x = data[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) x = next(x);
  data[threadIdx.x] = x;
}

int main(int count, char** arguments) {
  const int rounds = size_to_run(count, arguments, usual_size(1000, 1 << 19), 1 << 26), threads = 64;
  const std::vector<unsigned> zeros(threads, 0u);
  const device_array<unsigned> passed_on(zeros), other(zeros);
  const stream first, last;
  cudaStream_t busy = nullptr;
  check(cudaStreamCreate(&busy));  // one that the default stream waits for
  const event begin, handed_over, end, in_default;
  double chain_us[2] = {}, default_us[2] = {};
  for (int run = 0; run < 4; ++run) {  // two alone, two beside the busy stream; of each pair the second counts
    check(cudaDeviceSynchronize());
    if (run >= 2) iterate<<<1, threads, 0, busy>>>(8 * rounds, other.data());
    // [events]
    begin.record(first);
    iterate<<<1, threads, 0, first>>>(rounds, passed_on.data());
    handed_over.record(first);
    check(cudaStreamWaitEvent(last, handed_over, 0));
    iterate<<<1, threads, 0, last>>>(rounds, passed_on.data());
    end.record(last);
    check(cudaStreamWaitEvent(nullptr, end, 0));
    in_default.record(nullptr);  // waits for the busy stream as well
    // [events]
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    chain_us[run / 2] = end.us_since(begin);
    default_us[run / 2] = in_default.us_since(begin);
  }
  check(cudaStreamDestroy(busy));
  for (int i = 0; i < 2; ++i) {
    std::printf("%s: to the event of the last stream %s, to one of the default stream %s\n",
                i == 0 ? "alone" : "beside a busy stream", figure(chain_us[i], "us").c_str(),
                figure(default_us[i], "us").c_str());
  }
  unsigned x = 0, y = 0;
  for (int i = 0; i < 8 * rounds; ++i) x = next(x);
  for (int i = 0; i < 16 * rounds; ++i) y = next(y);
  bool right = passed_on.on_host()[7] == x && other.on_host()[7] == y;
  if (on_gpu && rounds >= 1 << 18) right &= chain_us[1] < 0.7 * default_us[1];
  return verdict(right);
}
