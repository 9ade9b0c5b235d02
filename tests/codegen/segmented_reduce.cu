// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels for segments have the registers that as many blocks leave them as their policy says, and spill none, but
// the one that a list in shares has, which is fitted to one architecture; what a lane has under way is 16 bytes a load.
// expect: kernel gpuprim::detail::segmented_kernel<128, 6, float
// expect: registers <= 80
// expect: wide-loads >= 16
// expect: sm_90: no-local-memory
// expect: kernel gpuprim::detail::segmented_kernel<128, 5, double
// expect: registers <= 96
// expect: wide-loads >= 16
// expect: sm_90: no-local-memory
// expect: kernel gpuprim::detail::segment_turns_kernel<128, 7, float
// expect: registers <= 72
// expect: wide-loads >= 8
// expect: kernel gpuprim::detail::few_segments_kernel<256, 2, float
// expect: registers <= 128
// expect: wide-loads >= 16
// expect: kernel gpuprim::detail::segment_bounds_kernel<128, 8, float
// expect: registers <= 64
// expect: wide-loads >= 12
// expect: kernel gpuprim::detail::short_list_kernel<128, 5, float
// expect: registers <= 96
// expect: wide-loads >= 12
// expect: kernel gpuprim::detail::segment_(blocks|parts)_kernel<128, 8, float
// expect: registers <= 64
// expect: wide-loads >= 8
// expect: kernel gpuprim::detail::segment_groups_kernel<256, 5, -1, float
// expect: registers <= 48
// expect: sm_90: together >= 4
// expect: kernel gpuprim::detail::segment_groups_kernel<256, 6, 5, float
// expect: registers <= 40
// expect: sm_90: together >= 4
// expect: kernel gpuprim::detail::(few|long|short|segment)_\w+_kernel<[0-9, ]+float
// expect: no-local-memory
// expect: kernel gpuprim::detail::\w+_kernel<
// expect: ptx <= 0 \bcall
#include <gpuprim/segmented_reduce.cuh>

cudaError_t by_offsets(const float* in, const int* offsets, std::int64_t segments, float* out) {
  return gpuprim::segmented_reduce(in, offsets, segments, out, gpuprim::plus{});
}

cudaError_t doubles_in_shares(const double* in, const int* offsets, std::int64_t segments, double* out) {
  const gpuprim::detail::offset_segments<const int*> all{offsets, segments};
  return gpuprim::detail::launch_segmented(in, all, 2048, out, gpuprim::plus{}, 0.0, {}).code;
}

cudaError_t by_bounds(const float* in, int* begins, const int* ends, std::int64_t segments, float* out) {
  return gpuprim::segmented_reduce(in, gpuprim::segment_bounds{begins, ends}, segments, out, gpuprim::plus{});
}

cudaError_t by_length(const float* in, std::int64_t length, std::int64_t segments, float* out) {
  return gpuprim::segmented_reduce(in, gpuprim::fixed_length{length}, segments, out, gpuprim::plus{});
}
