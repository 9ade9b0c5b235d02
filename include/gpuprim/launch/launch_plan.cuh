// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace gpuprim {

/// How a kernel is launched, and how well it fills the GPU.
struct launch_plan {
  int grid_size = 0;                 ///< blocks
  int block_size = 0;                ///< threads in a block
  int registers_per_thread = 0;      ///< as compiled
  int shared_bytes = 0;              ///< static and dynamic shared memory of a block
  int blocks_per_multiprocessor = 0; ///< that fit at once, from the occupancy API
  int multiprocessors = 0;
  double theoretical_occupancy = 0;  ///< resident threads over the most that the GPU holds, 0 to 1
  std::int64_t bytes_in_flight = 0;  ///< that the resident threads have requested at once, on the whole GPU

  /// Writes one line.
  void print(std::FILE* to = stdout) const {
    std::fprintf(to,
                 "grid %d x block %d, %d registers, %d B shared, %d blocks on each of %d multiprocessors, "
                 "occupancy %.0f %%, %lld B in flight\n",
                 grid_size, block_size, registers_per_thread, shared_bytes, blocks_per_multiprocessor, multiprocessors,
                 100 * theoretical_occupancy, static_cast<long long>(bytes_in_flight));
  }
};

namespace detail {

/// What a launch needs to know of a kernel on a device; 8 bytes, so that one atomic holds it.
struct kernel_fit {
  std::int16_t multiprocessors;
  std::int16_t blocks_per_multiprocessor;
  std::int16_t ptx_version;    ///< of the code that the driver picked for the device, 10 x compute capability
  std::int16_t reserved_kib;   ///< dynamic shared memory that a block is launched with and does not use

  int reserved_bytes() const { return reserved_kib * 1024; }
};

/// Devices whose answers are kept; the ones beyond are asked each time.
inline constexpr int cached_devices = 16;

/// Asks the occupancy API once a kernel and device. `Kernel` makes the cache one for each kernel. `MostBlocks` on a
/// multiprocessor, if not 0, is kept to by reserving shared memory: nothing else also holds back the blocks of the next
/// kernel, if that starts early.
template <auto Kernel, int MostBlocks = 0>
cudaError_t find_kernel_fit(int block_size, kernel_fit& fit) {
  static std::atomic<kernel_fit> cache[cached_devices];
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  const bool cached = device < cached_devices;
  if (cached) {
    fit = cache[device].load(std::memory_order_relaxed);
    if (fit.multiprocessors > 0) return cudaSuccess;
  }
  int multiprocessors = 0, blocks = 0, reserved_kib = 0;
  cudaFuncAttributes attributes;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(Kernel))) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) return e;
  if constexpr (MostBlocks > 0) {
    int shared_bytes = 0;
    if (cudaError_t e = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)) {
      return e;
    }
    reserved_kib = shared_bytes / (MostBlocks + 1) / 1024;  // a block has static and reserved bytes besides
    if (cudaError_t e = cudaFuncSetAttribute(reinterpret_cast<const void*>(Kernel),
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, reserved_kib * 1024)) {
      return e;
    }
  }
  if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, block_size,
                                                                    std::size_t(reserved_kib) * 1024)) {
    return e;
  }
  if (blocks < 1) return cudaErrorInvalidConfiguration;
  fit = {std::int16_t(multiprocessors), std::int16_t(blocks), std::int16_t(attributes.ptxVersion),
         std::int16_t(reserved_kib)};
  if (cached) cache[device].store(fit, std::memory_order_relaxed);
  return cudaSuccess;
}

/// Completes a plan with what only the driver knows. Slow; for people, not for the launch path.
template <auto Kernel, int MostBlocks>
cudaError_t describe_launch(int grid_size, int block_size, std::int64_t bytes_per_thread, launch_plan& plan) {
  kernel_fit fit;
  if (cudaError_t e = find_kernel_fit<Kernel, MostBlocks>(block_size, fit)) return e;
  cudaFuncAttributes attributes;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(Kernel))) return e;
  int device = 0, threads = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device)) return e;
  const std::int64_t resident_blocks = std::int64_t(fit.blocks_per_multiprocessor) * fit.multiprocessors;
  plan.grid_size = grid_size;
  plan.block_size = block_size;
  plan.registers_per_thread = attributes.numRegs;
  plan.shared_bytes = int(attributes.sharedSizeBytes) + fit.reserved_bytes();
  plan.blocks_per_multiprocessor = fit.blocks_per_multiprocessor;
  plan.multiprocessors = fit.multiprocessors;
  plan.theoretical_occupancy = double(fit.blocks_per_multiprocessor) * block_size / threads;
  plan.bytes_in_flight = (resident_blocks < grid_size ? resident_blocks : grid_size) * block_size * bytes_per_thread;
  return cudaSuccess;
}

}  // namespace detail

}  // namespace gpuprim
