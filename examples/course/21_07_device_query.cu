// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All of what a program may want to know of the device, by attributes, which are quick to ask for one by one: limits of
// blocks and grids, memories, engines, what it can do. A device or a driver that does not know one says so. All
// properties in one call take longer. The largest block is put to the test: it runs, and one thread more is refused,
// which compute-sanitizer reports unless it is called with --report-api-errors no.
// Source: the device management of NVIDIA's "CUDA Runtime API"; deviceQuery of its samples.
#include "course.hpp"

using namespace course;

__global__ void count_threads(int* threads) { atomicAdd(threads, 1); }

struct row {
  const char* name;
  cudaDeviceAttr which;
};

// [rows]
constexpr row rows[] = {
    {"compute capability, major", cudaDevAttrComputeCapabilityMajor},
    {"compute capability, minor", cudaDevAttrComputeCapabilityMinor},
    {"multiprocessors", cudaDevAttrMultiProcessorCount},
    {"clock, kHz", cudaDevAttrClockRate},
    {"memory clock, kHz", cudaDevAttrMemoryClockRate},
    {"memory bus, bits", cudaDevAttrGlobalMemoryBusWidth},
    {"L2 cache, bytes", cudaDevAttrL2CacheSize},
    {"L2 cache that can be set aside, bytes", cudaDevAttrMaxPersistingL2CacheSize},
    {"constant memory, bytes", cudaDevAttrTotalConstantMemory},
    {"shared memory of a block, bytes", cudaDevAttrMaxSharedMemoryPerBlock},
    {"shared memory of a block on request, bytes", cudaDevAttrMaxSharedMemoryPerBlockOptin},
    {"shared memory of a multiprocessor, bytes", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {"registers of a block", cudaDevAttrMaxRegistersPerBlock},
    {"registers of a multiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor},
    {"threads of a warp", cudaDevAttrWarpSize},
    {"threads of a block", cudaDevAttrMaxThreadsPerBlock},
    {"threads of a multiprocessor", cudaDevAttrMaxThreadsPerMultiProcessor},
    {"blocks of a multiprocessor", cudaDevAttrMaxBlocksPerMultiprocessor},
    {"block, x", cudaDevAttrMaxBlockDimX},
    {"block, y", cudaDevAttrMaxBlockDimY},
    {"block, z", cudaDevAttrMaxBlockDimZ},
    {"grid, x", cudaDevAttrMaxGridDimX},
    {"grid, y", cudaDevAttrMaxGridDimY},
    {"grid, z", cudaDevAttrMaxGridDimZ},
    {"pitch of a copy, bytes", cudaDevAttrMaxPitch},
    {"alignment of textures, bytes", cudaDevAttrTextureAlignment},
    {"texture in two dimensions, x", cudaDevAttrMaxTexture2DWidth},
    {"texture in two dimensions, y", cudaDevAttrMaxTexture2DHeight},
    {"texture in three dimensions, x", cudaDevAttrMaxTexture3DWidth},
    {"copy engines", cudaDevAttrAsyncEngineCount},
    {"kernels at the same time", cudaDevAttrConcurrentKernels},
    {"priorities of streams", cudaDevAttrStreamPrioritiesSupported},
    {"maps host memory", cudaDevAttrCanMapHostMemory},
    {"unified addressing", cudaDevAttrUnifiedAddressing},
    {"managed memory", cudaDevAttrManagedMemory},
    {"host and device use it at the same time", cudaDevAttrConcurrentManagedAccess},
    {"reaches pageable memory", cudaDevAttrPageableMemoryAccess},
    {"memory pools", cudaDevAttrMemoryPoolsSupported},
    {"error correction", cudaDevAttrEccEnabled},
    {"cooperative launches", cudaDevAttrCooperativeLaunch},
    {"clusters", cudaDevAttrClusterLaunch},
    {"time limit of kernels", cudaDevAttrKernelExecTimeout},
    {"float operations for one of double", cudaDevAttrSingleToDoublePrecisionPerfRatio},
    {"memory node of the host", cudaDevAttrHostNumaId},
};
// [rows]

int main() {
  int device = 0, told = 0;
  check(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  const double one = host_time_us([] { (void)attribute(cudaDevAttrMultiProcessorCount); });
  const double all = host_time_us([&] { check(cudaGetDeviceProperties(&properties, device)); });
  std::printf("one attribute %s, all properties %s\n", figure(one, "us").c_str(), figure(all, "us").c_str());
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes));
  std::printf("%s: %.1f GB of memory, of which %.1f are free\n", properties.name, 1e-9 * double(all_bytes),
              1e-9 * double(free_bytes));
  for (const row& r : rows) {
    int value = 0;
    const cudaError_t e = cudaDeviceGetAttribute(&value, r.which, device);
    if (e == cudaSuccess) {
      std::printf("%-45s %d\n", r.name, value);
      ++told;
    } else {
      (void)cudaGetLastError();
      std::printf("%-45s not told: %s\n", r.name, cudaGetErrorString(e));
    }
  }
  const int largest = properties.maxThreadsPerBlock;
  const device_array<int> threads(std::vector<int>{0});
  count_threads<<<1, largest>>>(threads.data());
  check(cudaGetLastError());
  count_threads<<<1, largest + 1>>>(threads.data());
  const cudaError_t refused = cudaGetLastError();
  std::printf("a block of %d threads runs; one thread more: %s\n", largest, cudaGetErrorString(refused));
  const bool right = refused != cudaSuccess && threads.on_host()[0] == largest &&
                     attribute(cudaDevAttrMaxThreadsPerBlock) == largest &&
                     attribute(cudaDevAttrMaxGridDimX) == properties.maxGridSize[0];
  return verdict(right && told > 20 && free_bytes <= all_bytes);
}
