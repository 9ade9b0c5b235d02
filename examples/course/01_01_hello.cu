// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hello from a kernel, and asynchrony. A launch only puts the kernel into a queue, and the host goes on at once; what a
// kernel prints waits in a buffer on the device until the host synchronises. So the host's line that stands after the
// launch comes first on a GPU. The stream, which is still busy after the launch, and two times show the overlap.
// The host SIMT device runs a kernel at its launch: there the kernel's lines come first, and the stream is done.
// Source: "Hello World from GPU" in "Professional CUDA C Programming" (Cheng, Grossman, McKercher).
#include "course.hpp"

using namespace course;

// [kernel]
__global__ void hello(int* greetings) {
  if (threadIdx.x % 32 == 0) std::printf("hello from block %d, warp %d\n", int(blockIdx.x), int(threadIdx.x / 32));
  atomicAdd(greetings, 1);
}

__global__ void work(long long cycles, int* done) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *done = 1;
}
// [kernel]

int main() {
  constexpr int blocks = 2, block_size = 64;
  const device_array<int> greetings(1), done(1);
  check(cudaMemset(greetings.data(), 0, sizeof(int)));
  hello<<<blocks, block_size>>>(greetings.data());
  check(cudaGetLastError());  // of the launch itself: a shape that cannot be, for one
  std::printf("hello from the host, after the launch\n");
  check(cudaDeviceSynchronize());  // of what the kernel did; it also prints what the kernel has printed

  check(cudaMemset(done.data(), 0, sizeof(int)));
  work<<<1, 1>>>(1, done.data());  // the first launch also loads the kernel
  check(cudaDeviceSynchronize());
  const double begin = host_us();
  work<<<1, 1>>>(on_gpu ? 20'000'000 : 10, done.data());
  const double launched = host_us();
  const cudaError_t state = cudaStreamQuery(nullptr);
  check(cudaDeviceSynchronize());
  const double ended = host_us();
  std::printf("the launch took %s, the kernel ended after %s; just after the launch the stream was %s\n",
              figure(launched - begin, "us").c_str(), figure(ended - begin, "us").c_str(),
              state == cudaErrorNotReady ? "busy" : "done");
  return verdict(greetings.on_host()[0] == blocks * block_size && done.on_host()[0] == 1);
}
