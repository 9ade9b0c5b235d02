// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A window of memory for the L2 cache to keep, set for one kernel of a graph: the node carries the attribute, so the
// other nodes and the stream know nothing of it. The kernel adds into a table again and again while a large array
// streams by.
// GPU only: the SIMT device has no caches.
// Source: "L2 Persistence Access" in NVIDIA's "CUDA C++ Programming Guide".
#include "course.hpp"

using namespace course;

constexpr int block_size = 256;

__global__ void step(unsigned* table, int entries, unsigned* streamed, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  streamed[i] += 1;
  atomicAdd(&table[i % entries], 1u);
}

int main(int count, char** arguments) {
  int n = size_to_run(count, arguments, usual_size(1 << 16, 1 << 26));
  const std::size_t set_aside = std::size_t(attribute(cudaDevAttrMaxPersistingL2CacheSize));
  if (set_aside == 0) {
    std::printf("skipped: this GPU cannot set a part of its L2 cache aside\n");
    return 0;
  }
  std::size_t before = 0;
  check(cudaDeviceGetLimit(&before, cudaLimitPersistingL2CacheSize));
  check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, set_aside));
  const std::size_t window = std::min(set_aside, std::size_t(attribute(cudaDevAttrMaxAccessPolicyWindowSize)));
  int entries = std::min(n, int(window / sizeof(unsigned)));
  const device_array<unsigned> table(static_cast<std::size_t>(entries)), streamed(static_cast<std::size_t>(n));
  const stream queue;

  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphCreate(&graph, 0));
  unsigned *table_data = table.data(), *streamed_data = streamed.data();
  void* parameters[] = {&table_data, &entries, &streamed_data, &n};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(step);
  kernel.gridDim = dim3(unsigned(blocks_for(n, block_size)));
  kernel.blockDim = dim3(block_size);
  kernel.kernelParams = parameters;
  check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  bool right = true;
  for (const bool keep : {false, true}) {
    // [window]
    cudaLaunchAttributeValue value{}, got{};
    value.accessPolicyWindow.base_ptr = keep ? table.data() : nullptr;
    value.accessPolicyWindow.num_bytes = keep ? std::size_t(entries) * sizeof(unsigned) : 0;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = keep ? cudaAccessPropertyPersisting : cudaAccessPropertyNormal;
    value.accessPolicyWindow.missProp = keep ? cudaAccessPropertyStreaming : cudaAccessPropertyNormal;
    check(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &value));
    // [window]
    check(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &got));
    right &= got.accessPolicyWindow.num_bytes == value.accessPolicyWindow.num_bytes;
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph, 0));
    check(cudaMemsetAsync(streamed.data(), 0, std::size_t(n) * sizeof(unsigned), queue));
    check(cudaMemsetAsync(table.data(), 0, std::size_t(entries) * sizeof(unsigned), queue));
    unsigned runs = 0;
    const double us = time_us([&] { ++runs, check(cudaGraphLaunch(executable, queue)); }, 2, queue);
    queue.wait();
    const std::vector<unsigned> passed = streamed.on_host(), added = table.on_host();
    right &= std::all_of(passed.begin(), passed.end(), [&](unsigned x) { return x == runs; });
    for (int i = 0; i < entries; ++i) right &= added[i] == runs * unsigned((n - 1 - i) / entries + 1);
    std::printf("table of %.1f MB, %s: %s\n", 4e-6 * entries, keep ? "kept in L2" : "no window",
                figure(us, "us").c_str());
    check(cudaGraphExecDestroy(executable));
    check(cudaCtxResetPersistingL2Cache());
  }
  check(cudaGraphDestroy(graph));
  check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, before));
  return verdict(right);
}
