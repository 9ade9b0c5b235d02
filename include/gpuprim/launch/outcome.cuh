// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gpuprim/core/error.hpp>

#include <cuda_runtime.h>

namespace gpuprim::detail {

/// What a call came to: CUDA's code, and in words where the library found the fault.
struct outcome {
  cudaError_t code = cudaSuccess;
  const char* fault = "CUDA reported an error";

  constexpr bool failed() const { return code != cudaSuccess; }
};

inline void throw_if_failed(const char* call, outcome o) {
  if (o.failed()) throw cuda_error(o.code, call, o.fault, cudaGetErrorString(o.code));
}

}  // namespace gpuprim::detail
