// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/error.hpp>

#include <cuda_runtime.h>

#include <atomic>

namespace gpuprim::detail {

/// Devices whose answers are kept; the ones beyond are asked each time.
inline constexpr int cached_devices = 16;

/// Gives what `ask(device, fit)` finds out, once a device and type of `Ask`: a lambda in a template of the kernel.
/// `Fit` has 8 bytes, so that one atomic holds it, and a number of multiprocessors, which is 0 until it is known.
template <class Fit, class Ask>
cudaError_t ask_once(Fit& fit, const Ask& ask) {
  static std::atomic<Fit> cache[cached_devices];
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  const bool cached = device < cached_devices;
  if (cached) {
    fit = cache[device].load(std::memory_order_relaxed);
    if (fit.multiprocessors > 0) return cudaSuccess;
  }
  if (cudaError_t e = ask(device, fit)) return e;
  if (cached) cache[device].store(fit, std::memory_order_relaxed);
  return cudaSuccess;
}

}  // namespace gpuprim::detail
