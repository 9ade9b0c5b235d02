// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda_runtime.h>

#include <atomic>
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
  std::int32_t multiprocessors;
  std::int32_t blocks_per_multiprocessor;
};

/// Devices whose answers are kept; the ones beyond are asked each time.
inline constexpr int cached_devices = 16;

/// Asks the occupancy API once a kernel and device. `Kernel` makes the cache one for each kernel.
template <auto Kernel>
cudaError_t find_kernel_fit(int block_size, kernel_fit& fit) {
  static std::atomic<std::uint64_t> cache[cached_devices];
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  const bool cached = device < cached_devices;
  if (cached) {
    if (const std::uint64_t known = cache[device].load(std::memory_order_relaxed)) {
      fit = {std::int32_t(known >> 32), std::int32_t(known)};
      return cudaSuccess;
    }
  }
  if (cudaError_t e = cudaDeviceGetAttribute(&fit.multiprocessors, cudaDevAttrMultiProcessorCount, device)) return e;
  if (cudaError_t e =
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit.blocks_per_multiprocessor, Kernel, block_size, 0)) {
    return e;
  }
  if (fit.blocks_per_multiprocessor < 1) return cudaErrorInvalidConfiguration;
  if (cached) {
    cache[device].store(std::uint64_t(fit.multiprocessors) << 32 | std::uint32_t(fit.blocks_per_multiprocessor),
                        std::memory_order_relaxed);
  }
  return cudaSuccess;
}

/// Completes a plan with what only the driver knows. Slow; for people, not for the launch path.
template <auto Kernel>
cudaError_t describe_launch(int grid_size, int block_size, std::int64_t bytes_per_thread, launch_plan& plan) {
  kernel_fit fit;
  if (cudaError_t e = find_kernel_fit<Kernel>(block_size, fit)) return e;
  cudaFuncAttributes attributes;
  if (cudaError_t e = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(Kernel))) return e;
  int device = 0, threads = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device)) return e;
  const std::int64_t resident_blocks = std::int64_t(fit.blocks_per_multiprocessor) * fit.multiprocessors;
  plan.grid_size = grid_size;
  plan.block_size = block_size;
  plan.registers_per_thread = attributes.numRegs;
  plan.shared_bytes = int(attributes.sharedSizeBytes);
  plan.blocks_per_multiprocessor = fit.blocks_per_multiprocessor;
  plan.multiprocessors = fit.multiprocessors;
  plan.theoretical_occupancy = double(fit.blocks_per_multiprocessor) * block_size / threads;
  plan.bytes_in_flight = (resident_blocks < grid_size ? resident_blocks : grid_size) * block_size * bytes_per_thread;
  return cudaSuccess;
}

}  // namespace detail

}  // namespace gpuprim
