// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one device, and what the chosen model says about it.
#include <cstdio>

#include "device_model.hpp"
#include "host.hpp"
#include "kernel_table.hpp"

using simt::api_call;
using simt::current_model;
using simt::device_model;
using simt::report;

cudaError_t cudaGetDeviceCount(int* count) {
  api_call call("cudaGetDeviceCount");
  if (call.error()) return call.error();
  if (!count) return report(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  if (!device) return report(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  api_call call("cudaSetDevice");
  if (call.error()) return call.error();
  return report(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  api_call call("cudaSetDeviceFlags");
  if (call.error()) return call.error();
  return report(flags > 0x1f ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
  api_call call("cudaDeviceSynchronize");
  if (call.error()) return call.error();
  simt::count_synchronization();
  return report(simt::check_device_waiting());
}

// Ends the context: with it go its memory, what was set for kernels, and errors. Streams, events and graphs stay.
cudaError_t cudaDeviceReset() {
  api_call call("cudaDeviceReset");
  simt::clear_errors();
  simt::free_all_memory();
  simt::clear_function_attributes();
  simt::end_context();
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return report(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  api_call call("cudaDeviceGetStreamPriorityRange");
  if (call.error()) return call.error();
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!p) return report(cudaErrorInvalidValue);
  if (device != 0) return report(cudaErrorInvalidDevice);
  const device_model& model = current_model();
  *p = {};
  std::snprintf(p->name, sizeof(p->name), "%s (simulated)", model.name);
  p->totalGlobalMem = model.memory_bytes;
  p->sharedMemPerBlock = device_model::shared_per_block;
  p->regsPerBlock = device_model::registers_per_block;
  p->warpSize = 32;
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = device_model::threads_per_block;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem = 65536;
  p->major = model.major;
  p->minor = model.minor;
  p->textureAlignment = 512;
  p->multiProcessorCount = model.multiprocessors;
  p->canMapHostMemory = 1;
  p->concurrentKernels = 1;
  p->asyncEngineCount = 3;
  p->unifiedAddressing = 1;
  p->memoryBusWidth = model.memory_bus_bits;
  p->l2CacheSize = model.l2_bytes;
  p->persistingL2CacheMaxSize = model.major >= 8 ? model.l2_bytes / 8 * 5 : 0;
  p->accessPolicyMaxWindowSize = model.major >= 8 ? 128 * 1024 * 1024 : 0;
  p->maxThreadsPerMultiProcessor = model.threads_per_multiprocessor;
  p->streamPrioritiesSupported = 1;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor = std::size_t(model.shared_per_multiprocessor);
  p->regsPerMultiprocessor = device_model::registers_per_multiprocessor;
  p->managedMemory = p->concurrentManagedAccess = 1;
  p->cooperativeLaunch = 1;
  p->sharedMemPerBlockOptin = std::size_t(model.shared_per_block_opt_in);
  p->maxBlocksPerMultiProcessor = model.blocks_per_multiprocessor;
  p->reservedSharedMemPerBlock = std::size_t(model.reserved_shared_per_block);
  p->hostRegisterSupported = 1;
  p->memoryPoolsSupported = 1;
  p->clusterLaunch = model.has_clusters();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!value) return report(cudaErrorInvalidValue);
  if (device != 0) return report(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  auto answer = [&](auto v) {
    *value = int(v);
    return cudaSuccess;
  };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return answer(p.maxThreadsPerBlock);
    case cudaDevAttrMaxBlockDimX:
      return answer(p.maxThreadsDim[0]);
    case cudaDevAttrMaxBlockDimY:
      return answer(p.maxThreadsDim[1]);
    case cudaDevAttrMaxBlockDimZ:
      return answer(p.maxThreadsDim[2]);
    case cudaDevAttrMaxGridDimX:
      return answer(p.maxGridSize[0]);
    case cudaDevAttrMaxGridDimY:
      return answer(p.maxGridSize[1]);
    case cudaDevAttrMaxGridDimZ:
      return answer(p.maxGridSize[2]);
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return answer(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return answer(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return answer(p.warpSize);
    case cudaDevAttrMaxPitch:
      return answer(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return answer(p.regsPerBlock);
    case cudaDevAttrTextureAlignment:
      return answer(p.textureAlignment);
    case cudaDevAttrGpuOverlap:
      return answer(1);
    case cudaDevAttrMultiProcessorCount:
      return answer(p.multiProcessorCount);
    case cudaDevAttrKernelExecTimeout:
      return answer(0);
    case cudaDevAttrIntegrated:
      return answer(p.integrated);
    case cudaDevAttrCanMapHostMemory:
      return answer(p.canMapHostMemory);
    case cudaDevAttrComputeMode:
      return answer(0);
    case cudaDevAttrConcurrentKernels:
      return answer(p.concurrentKernels);
    case cudaDevAttrEccEnabled:
      return answer(p.ECCEnabled);
    case cudaDevAttrPciBusId:
      return answer(p.pciBusID);
    case cudaDevAttrPciDeviceId:
      return answer(p.pciDeviceID);
    case cudaDevAttrPciDomainId:
      return answer(p.pciDomainID);
    case cudaDevAttrTccDriver:
      return answer(p.tccDriver);
    case cudaDevAttrGlobalMemoryBusWidth:
      return answer(p.memoryBusWidth);
    case cudaDevAttrL2CacheSize:
      return answer(p.l2CacheSize);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return answer(p.maxThreadsPerMultiProcessor);
    case cudaDevAttrAsyncEngineCount:
      return answer(p.asyncEngineCount);
    case cudaDevAttrUnifiedAddressing:
      return answer(p.unifiedAddressing);
    case cudaDevAttrComputeCapabilityMajor:
      return answer(p.major);
    case cudaDevAttrComputeCapabilityMinor:
      return answer(p.minor);
    case cudaDevAttrStreamPrioritiesSupported:
      return answer(p.streamPrioritiesSupported);
    case cudaDevAttrGlobalL1CacheSupported:
      return answer(p.globalL1CacheSupported);
    case cudaDevAttrLocalL1CacheSupported:
      return answer(p.localL1CacheSupported);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return answer(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return answer(p.regsPerMultiprocessor);
    case cudaDevAttrManagedMemory:
      return answer(p.managedMemory);
    case cudaDevAttrIsMultiGpuBoard:
      return answer(p.isMultiGpuBoard);
    case cudaDevAttrPageableMemoryAccess:
      return answer(p.pageableMemoryAccess);
    case cudaDevAttrConcurrentManagedAccess:
      return answer(p.concurrentManagedAccess);
    case cudaDevAttrComputePreemptionSupported:
      return answer(1);
    case cudaDevAttrCooperativeLaunch:
      return answer(p.cooperativeLaunch);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return answer(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported:
      return answer(p.hostRegisterSupported);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return answer(p.maxBlocksPerMultiProcessor);
    case cudaDevAttrMaxPersistingL2CacheSize:
      return answer(p.persistingL2CacheMaxSize);
    case cudaDevAttrMaxAccessPolicyWindowSize:
      return answer(p.accessPolicyMaxWindowSize);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return answer(p.reservedSharedMemPerBlock);
    case cudaDevAttrMemoryPoolsSupported:
      return answer(p.memoryPoolsSupported);
    case cudaDevAttrClusterLaunch:
      return answer(p.clusterLaunch);
    default:
      return report(cudaErrorInvalidValue);  // nothing here has such a thing
  }
}
