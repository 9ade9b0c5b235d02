// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/error.hpp>

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

namespace gpuprim::detail {

/// Devices whose answers are kept; the ones beyond are asked each time.
inline constexpr int cached_devices = 16;

/// Gives what `ask(device, fit)` finds out, once a device and type of `Ask`: a lambda in a template of the kernel.
/// `Fit` has 8 bytes, so that one atomic holds it, and a number of multiprocessors, which is 0 until it is known.
template <class Fit, class Ask>
cudaError_t ask_once(Fit& fit, const Ask& ask) {
  static std::uint64_t cache[cached_devices];  // the compiler's own atomics: decision 9
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  const bool cached = device < cached_devices;
  if (cached) {
    fit = std::bit_cast<Fit>(__atomic_load_n(&cache[device], __ATOMIC_RELAXED));
    if (fit.multiprocessors > 0) return cudaSuccess;
  }
  if (cudaError_t e = ask(device, fit)) return e;
  if (cached) __atomic_store_n(&cache[device], std::bit_cast<std::uint64_t>(fit), __ATOMIC_RELAXED);
  return cudaSuccess;
}

}  // namespace gpuprim::detail
