// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The shapes that the tuner tries. Each file of this folder enters some while the program starts, so that they compile
// side by side.
#include <gpuprim/policy/reduce_policy.hpp>

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tune {

/// One sum of one type with one shape.
struct candidate {
  std::string type;
  int element_bytes;
  gpuprim::reduce_policy policy;
  cudaError_t (*run)(const void* in, std::int64_t n, void* out, cudaStream_t s);
};

inline std::vector<candidate>& candidates() {
  static std::vector<candidate> all;
  return all;
}

}  // namespace tune
