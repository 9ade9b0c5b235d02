// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Occupancy from the toolkit's cuda_occupancy.h, which is made for use without a device. This file sees the
// toolkit's headers and not the shims.
#include "occupancy.hpp"

#include <cuda_occupancy.h>

namespace simt {

int occupancy_by_toolkit(const device_model& model, const kernel_resources& kernel, int block_threads,
                         std::size_t dynamic_bytes) {
  cudaOccDeviceProp device;
  device.computeMajor = model.major;
  device.computeMinor = model.minor;
  device.maxThreadsPerBlock = device_model::threads_per_block;
  device.maxThreadsPerMultiprocessor = model.threads_per_multiprocessor;
  device.regsPerBlock = device_model::registers_per_block;
  device.regsPerMultiprocessor = device_model::registers_per_multiprocessor;
  device.warpSize = 32;
  device.sharedMemPerBlock = device_model::shared_per_block;
  device.sharedMemPerMultiprocessor = std::size_t(model.shared_per_multiprocessor);
  device.numSms = model.multiprocessors;
  device.sharedMemPerBlockOptin = std::size_t(model.shared_per_block_opt_in);
  device.reservedSharedMemPerBlock = std::size_t(model.reserved_shared_per_block);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = kernel.max_threads_per_block;
  function.numRegs = kernel.registers_per_thread;
  function.sharedSizeBytes = kernel.static_shared_bytes;
  function.partitionedGCConfig = PARTITIONED_GC_OFF;
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = kernel.max_dynamic_shared_bytes;
  function.numBlockBarriers = 1;
  cudaOccDeviceState state;
  cudaOccResult result{};
  if (dynamic_bytes > kernel.max_dynamic_shared_bytes) return 0;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, block_threads, dynamic_bytes) !=
      CUDA_OCC_SUCCESS) {
    return 0;
  }
  return result.activeBlocksPerMultiprocessor;
}

int active_blocks(const device_model& model, const kernel_resources& kernel, int block_threads,
                  std::size_t dynamic_bytes) {
  return occupancy_by_toolkit(model, kernel, block_threads, dynamic_bytes);
}

}  // namespace simt
