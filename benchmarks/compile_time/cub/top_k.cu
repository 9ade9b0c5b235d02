// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cub/device/device_topk.cuh>

#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/stream_ref>

cudaError_t call(void* storage, size_t& bytes, const float* in, long long n, long long k, float* out) {
  namespace how = cuda::execution;
  const auto environment = cuda::std::execution::env{
      cuda::stream_ref{cudaStream_t{}}, how::require(how::determinism::not_guaranteed, how::output_ordering::unsorted)};
  return cub::DeviceTopK::MaxKeys(storage, bytes, in, out, n, k, environment);
}
