// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum over a cluster of four blocks through distributed shared memory. Without a GPU of compute capability 9.0 or
// newer, or without code for one, it prints "unsupported".
#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

#include <cstdio>

__global__ void sum_cluster(int* out) {
#if defined(SIMT_DEVICE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  // [kernel]
  auto cluster = cooperative_groups::this_cluster();
  auto block = cooperative_groups::this_thread_block();
  const int total = gpuprim::cluster_reduce<128>(cluster, block, 1, gpuprim::plus{});
  if (cluster.block_rank() == 0 && block.thread_rank() == 0) *out = total;
  // [kernel]
#endif
}

int main() {
  int device = 0, major = 0, got = 0;
  int* out = nullptr;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  // On a GPU that has clusters, code for an older one may run, in which the kernel is empty: the kernel is asked too.
  cudaFuncAttributes code{};
  if (e == cudaSuccess && major >= 9) e = cudaFuncGetAttributes(&code, sum_cluster);
  if (e == cudaSuccess && code.ptxVersion < 90) {
    std::printf("unsupported: clusters need compute capability 9.0, and code that is compiled for it\n");
    return 0;
  }
  if (e == cudaSuccess) e = cudaMalloc(&out, sizeof(int));
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 4;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(128);
  config.attrs = &cluster;
  config.numAttrs = 1;
  if (e == cudaSuccess) e = cudaLaunchKernelEx(&config, sum_cluster, out);
  if (e == cudaSuccess) e = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  (void)cudaFree(out);
  std::printf("threads in the cluster: %d (%s)\n", got, cudaGetErrorString(e));
  return e == cudaSuccess && got == 512 ? 0 : 1;
}
