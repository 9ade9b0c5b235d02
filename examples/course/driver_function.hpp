// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "course.hpp"

#include <cuda.h>

namespace course {

// [entry]
/// A function of the driver as of CUDA 12.0, which the runtime has loaded: the program need not link it.
template <class Function>
Function* driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) std::exit(1);
  return reinterpret_cast<Function*>(function);
}
// [entry]

}  // namespace course
