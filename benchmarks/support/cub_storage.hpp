// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.hpp"

#include <cstddef>

namespace bench {

/// Asks a call of CUB for its temporary storage and keeps that: the first call is outside of a capture. Each call has
/// its own, and each CUB too, because the sources that call it are compiled once for each.
template <class Call>
cudaError_t with_cub_storage(const Call& call) {
  static void* storage = nullptr;
  static std::size_t kept = 0;
  std::size_t bytes = 0;
  if (cudaError_t e = call(nullptr, bytes)) return e;
  if (bytes > kept || storage == nullptr) {
    check(cudaFree(storage), "free");
    check(cudaMalloc(&storage, bytes), "allocate CUB's storage");
    kept = bytes;
  }
  return call(storage, bytes);
}

}  // namespace bench
