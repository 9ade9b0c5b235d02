// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/config.hpp>

#include <cuda.h>
#include <cuda_runtime.h>

namespace gpuprim::inline v0_2_0::detail {

/// The functions of the driver that a call uses besides the runtime's. They are queried from the runtime, which has
/// loaded the driver, so that a program need not link it.
struct driver {
  decltype(&cuCtxGetId) get_context_id = nullptr;
  decltype(&cuLaunchKernelEx) launch_kernel = nullptr;
  decltype(&cuPointerGetAttribute) get_pointer_attribute = nullptr;
  cudaError_t error = cudaSuccess;  ///< why there are none

  static const driver& get() {
    static const driver found;
    if (found.error == cudaSuccess) return found;
    static thread_local driver again;  // the error may be gone, as after a first call in a host callback
    return again = driver();
  }

 private:
  // Not inline, like the functions below, because all kernels share them.
  [[gnu::noinline]] driver() {
    find(get_context_id, "cuCtxGetId");
    find(launch_kernel, "cuLaunchKernelEx");
    find(get_pointer_attribute, "cuPointerGetAttribute");
  }

  template <class Function>
  void find(Function& function, const char* name) {
    if (error != cudaSuccess) return;
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    error = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
    error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
    if (error != cudaSuccess) (void)cudaGetLastError();
    else if (result != cudaDriverEntryPointSuccess) error = cudaErrorCallRequiresNewerDriver;
    else function = reinterpret_cast<Function>(found);
  }
};

/// The number of the calling thread's context, which no other context of the process has, before or after. It tells a
/// device that was reset from what it was before, and takes less time than asking for the device.
[[gnu::noinline]] inline cudaError_t find_context(unsigned long long& context) {
  const driver& calls = driver::get();
  if (calls.error != cudaSuccess) return calls.error;
  if (calls.get_context_id(nullptr, &context) == CUDA_SUCCESS) return cudaSuccess;
  // There is no context: the thread has called nothing yet, or the device was reset. cudaSetDevice makes one, and
  // unlike cudaFree(nullptr) ends no capture of another thread.
  int device = 0;
  if (cudaError_t e = cudaGetDevice(&device)) return e;
  if (cudaError_t e = cudaSetDevice(device)) return e;
  return static_cast<cudaError_t>(calls.get_context_id(nullptr, &context));
}

}  // namespace gpuprim::detail
