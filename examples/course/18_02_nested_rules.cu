// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of nested launches, tested. A child sees what its launching thread could see at the launch: after a
// barrier, what its block wrote. A tail launch begins when the whole grid, with its other children, has ended. A grid
// counts as ended, for the stream and for the host, when all that it launched have. Pointers to local or shared memory
// mean nothing to a child: __isGlobal says which may be passed. The device cannot wait for a child since CUDA 12.
// GPU only: the SIMT device launches nothing from a kernel.
// Compile it with -rdc=true.
// Source: "CUDA Dynamic Parallelism" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 128, blocks = 16, n = blocks * block_size;

struct findings {
  int seen_by_child, late_writes, ended_at_tail, seen_by_tail, global, shared, local;
};

// [kernels]
__global__ void child(const int* written, findings* found) {
  atomicAdd(&found->seen_by_child, written[threadIdx.x] == int(threadIdx.x) + 1);
  for (const long long begin = clock64(); clock64() - begin < 100'000;) {  // so that it ends late
  }
  atomicAdd(&found->late_writes, 1);
}

__global__ void tail(findings* found) {
  found->ended_at_tail = *static_cast<volatile int*>(&found->late_writes);
  found->seen_by_tail = found->seen_by_child;
}

__global__ void parent(int* data, findings* found) {
  __shared__ int in_shared[1];
  int in_local[1] = {int(threadIdx.x)};
  const int first = int(blockIdx.x) * block_size;
  data[first + int(threadIdx.x)] = int(threadIdx.x) + 1;
  __syncthreads();  // now the first thread sees what the block wrote, and so will its child
  if (threadIdx.x > 0) return;
  child<<<1, block_size>>>(data + first, found);
  if (blockIdx.x == 0) {
    tail<<<1, 1, 0, cudaStreamTailLaunch>>>(found);
    found->global = int(__isGlobal(data));
    found->shared = int(__isGlobal(in_shared));
    found->local = int(__isGlobal(in_local));
  }
  if (cudaGetLastError() != cudaSuccess) __trap();
}

__global__ void next_in_stream(findings* found, int* seen) { *seen = found->late_writes; }
// [kernels]

int main() {
  const device_array<int> data(n), seen(1);
  const device_array<findings> found(1);
  bool right = true;
  for (int run = 0; run < 5; ++run) {
    data.poison();
    seen.poison();
    check(cudaMemset(found.data(), 0, sizeof(findings)));
    parent<<<blocks, block_size>>>(data.data(), found.data());
    next_in_stream<<<1, 1>>>(found.data(), seen.data());
    check(cudaGetLastError());
    const findings got = found.on_host()[0];
    const int after = seen.on_host()[0];
    std::printf(
        "children saw %d of %d values; %d of their threads ended before the tail launch, %d before the next "
        "kernel\n",
        got.seen_by_child, n, got.ended_at_tail, after);
    right &= got.seen_by_child == n && got.ended_at_tail == n && got.seen_by_tail == n && after == n;
    right &= got.global == 1 && got.shared == 0 && got.local == 0;
  }
  return verdict(right);
}
