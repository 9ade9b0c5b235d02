// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace bench {

/// A segmented sum of floats, and what it reads and writes.
struct segmented_pass {
  const float* in;
  const void* offsets;  ///< segments + 1 of them; not read where all have one length
  std::int64_t segments, length;
  float* out;
};

/// Each enqueues the pass in one of its forms; 32- or 64-bit offsets.
cudaError_t gpuprim_offsets32(const segmented_pass& p, cudaStream_t s);
cudaError_t gpuprim_offsets64(const segmented_pass& p, cudaStream_t s);
cudaError_t gpuprim_fixed(const segmented_pass& p, cudaStream_t s);

/// CUB's keep the temporary storage of the largest call.
int cub_version();
bool cub_has_fixed();
cudaError_t cub_offsets32(const segmented_pass& p, cudaStream_t s);
cudaError_t cub_fixed(const segmented_pass& p, cudaStream_t s);

}  // namespace bench
