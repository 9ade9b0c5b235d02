// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device is: cudaGetDeviceProperties for a report, cudaDeviceGetAttribute for one value in a program (the
// properties take far longer to fetch). Good before choosing a block size or using a feature. The limits are put to the
// test: the two answers agree, the largest block launches, one thread more does not. That refused launch is deliberate:
// compute-sanitizer counts it as two errors, and as none with --report-api-errors no. Source: CUDA Runtime API.
#include <gpuprim/launch/launch.cuh>

#include <cstdio>

__global__ void count_threads(int* threads) { atomicAdd(threads, 1); }

/// The value of an attribute, or -1.
int attribute(cudaDeviceAttr which, int device) {
  int value = -1;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : -1;
}

int main() {
  int device = 0, runtime = 0, driver = 0;
  cudaDeviceProp p{};
  cudaError_t e = cudaGetDevice(&device);
  // [properties]
  if (e == cudaSuccess) e = cudaGetDeviceProperties(&p, device);
  // [properties]
  if (e == cudaSuccess) e = cudaRuntimeGetVersion(&runtime);
  if (e == cudaSuccess) e = cudaDriverGetVersion(&driver);
  if (e != cudaSuccess) {
    std::printf("no device: %s\n", cudaGetErrorString(e));
    return 1;
  }
  // [attribute]
  const int memory_khz = attribute(cudaDevAttrMemoryClockRate, device);
  // [attribute]
  std::printf("device %d: %s, compute capability %d.%d\n", device, p.name, p.major, p.minor);
  std::printf("CUDA: runtime %d.%d, driver %d.%d\n", runtime / 1000, runtime % 1000 / 10, driver / 1000,
              driver % 1000 / 10);
  std::printf("memory: %.1f GB, %d bits wide, L2 cache %.1f MB\n", 1e-9 * double(p.totalGlobalMem), p.memoryBusWidth,
              1e-6 * p.l2CacheSize);
  if (memory_khz > 0) {  // two transfers a clock; bits to bytes
    std::printf("theoretical bandwidth: %.0f GB/s\n", 2e-6 * memory_khz * (p.memoryBusWidth / 8.0));
  }
  std::printf("multiprocessors: %d, each with %d threads, %d blocks, %d registers, %d B of shared memory\n",
              p.multiProcessorCount, p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor,
              p.regsPerMultiprocessor, int(p.sharedMemPerMultiprocessor));
  std::printf("block: %d threads, %d x %d x %d at most, %d B of shared memory, %d B on request\n", p.maxThreadsPerBlock,
              p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], int(p.sharedMemPerBlock),
              int(p.sharedMemPerBlockOptin));
  std::printf("warp: %d lanes; clusters: %s; cooperative launch: %s; ECC: %s\n", p.warpSize,
              p.clusterLaunch ? "yes" : "no", p.cooperativeLaunch ? "yes" : "no", p.ECCEnabled ? "on" : "off");

  bool right = attribute(cudaDevAttrComputeCapabilityMajor, device) == p.major &&
               attribute(cudaDevAttrComputeCapabilityMinor, device) == p.minor &&
               attribute(cudaDevAttrWarpSize, device) == p.warpSize &&
               attribute(cudaDevAttrMultiProcessorCount, device) == p.multiProcessorCount &&
               attribute(cudaDevAttrMaxThreadsPerBlock, device) == p.maxThreadsPerBlock &&
               attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) == p.maxThreadsPerMultiProcessor &&
               attribute(cudaDevAttrMaxSharedMemoryPerBlock, device) == int(p.sharedMemPerBlock) &&
               attribute(cudaDevAttrL2CacheSize, device) == p.l2CacheSize;

  int *threads = nullptr, got = 0;
  e = cudaMalloc(&threads, sizeof(int));
  if (e == cudaSuccess) e = cudaMemset(threads, 0, sizeof(int));
  if (e == cudaSuccess) e = gpuprim::launch(count_threads, 1, p.maxThreadsPerBlock, nullptr, threads);
  const cudaError_t too_large = gpuprim::launch(count_threads, 1, p.maxThreadsPerBlock + 1, nullptr, threads);
  if (e == cudaSuccess) e = cudaMemcpy(&got, threads, sizeof(int), cudaMemcpyDeviceToHost);
  (void)cudaFree(threads);
  right &= got == p.maxThreadsPerBlock && too_large != cudaSuccess;
  std::printf("a block of %d threads: %s; of %d: %s\n", got, cudaGetErrorString(e), p.maxThreadsPerBlock + 1,
              cudaGetErrorString(too_large));
  return e == cudaSuccess && right ? 0 : 1;
}
