// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace bench {

/// A reduce of floats by segments, and what it reads and writes.
struct segmented_pass {
  const float* in;
  const void *begins, *ends;  ///< offsets: begins, with the end of the last; not read where all have one length
  std::int64_t segments, length;
  float* out;
};

/// Each enqueues sums in one of the forms; with 32- or 64-bit offsets, or by 32-bit begins and ends.
cudaError_t gpuprim_offsets32(const segmented_pass& p, cudaStream_t s);
cudaError_t gpuprim_offsets64(const segmented_pass& p, cudaStream_t s);
cudaError_t gpuprim_bounds(const segmented_pass& p, cudaStream_t s);
cudaError_t gpuprim_fixed(const segmented_pass& p, cudaStream_t s);

/// Of a matrix of `segments` rows of `length` columns: means of rows, and maxima of columns.
cudaError_t gpuprim_row_means(const segmented_pass& p, cudaStream_t s);
cudaError_t gpuprim_column_maxima(const segmented_pass& p, cudaStream_t s);

/// CUB's keep the temporary storage of the largest call.
int cub_version();
bool cub_has_fixed();
cudaError_t cub_offsets32(const segmented_pass& p, cudaStream_t s);
cudaError_t cub_bounds(const segmented_pass& p, cudaStream_t s);
cudaError_t cub_fixed(const segmented_pass& p, cudaStream_t s);

}  // namespace bench
