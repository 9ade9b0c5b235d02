// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels for segments have the registers that as many blocks leave them as their policy says, and what a lane has
// in flight is 16 bytes a load. None has local memory.
// expect: kernel detail::segmented_kernel<\([^)]*list_size\)1, 128, 6, float
// expect: registers <= 80
// expect: wide-loads >= 16
// expect: sm_90: no-local-memory
// expect: kernel detail::segmented_kernel<\([^)]*list_size\)1, 128, 5, double
// expect: registers <= 96
// expect: wide-loads >= 16
// expect: sm_90: no-local-memory
// expect: kernel detail::segmented_kernel<\([^)]*list_size\)0, 256, 2, float
// expect: registers <= 128
// expect: wide-loads >= 16
// expect: sm_90: together >= 16
// expect: no-local-memory
// expect: kernel detail::bounds_kernel<\([^)]*bounds_pass\)0, 128, 8, float
// expect: registers <= 64
// expect: wide-loads >= 12
// expect: sm_90: no-local-memory
// expect: kernel detail::bounds_kernel<\([^)]*bounds_pass\)1, 128, 6, float
// expect: registers <= 80
// expect: sm_90: no-local-memory
// expect: kernel detail::parts_kernel<128, 8, float
// expect: registers <= 64
// expect: wide-loads >= 8
// expect: no-local-memory
// expect: kernel detail::groups_kernel<256, 4, -1, float
// expect: registers <= 52
// expect: sm_90: together >= 4
// expect: no-local-memory
// expect: kernel detail::rows_kernel<256, float
// expect: registers <= 64
// expect: wide-loads >= 8
// expect: no-local-memory
// expect: kernel detail::\w+_kernel<
// expect: ptx <= 0 \bcall
#include <gpuprim/segmented_reduce.cuh>

cudaError_t by_offsets(const float* in, const int* offsets, std::int64_t segments, float* out) {
  return gpuprim::segmented_reduce(in, offsets, segments, out, gpuprim::plus{});
}

cudaError_t doubles_by_offsets(const double* in, const int* offsets, std::int64_t segments, double* out) {
  return gpuprim::segmented_reduce(in, offsets, segments, out, gpuprim::plus{});
}

cudaError_t by_bounds(const float* in, int* begins, const int* ends, std::int64_t segments, float* out) {
  return gpuprim::segmented_reduce(in, gpuprim::segment_bounds{begins, ends}, segments, out, gpuprim::plus{});
}

cudaError_t by_length(const float* in, std::int64_t length, std::int64_t segments, float* out) {
  return gpuprim::segmented_reduce(in, gpuprim::fixed_length{length}, segments, out, gpuprim::plus{});
}
