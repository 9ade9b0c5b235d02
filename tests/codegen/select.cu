// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles come to shared memory by asynchronous copies of 16 bytes, or, from sm_90 on and in many tiles a block, by one
// copy for the whole tile; their elements are read from there in words of 16 bytes. Nothing is put into local memory.
// expect: kernel select_kernel<|select_few_kernel<
// expect: no-local-memory
// expect: ptx >= 1 \bcp\.async\.cg\.shared\.global.* 16;
// expect: sass >= 1 \bLDGSTS\S*\.128
// expect: sass >= 1 \bLDS\S*\.128
// expect: kernel select_kernel<
// expect: sm_90: ptx >= 1 \bcp\.async\.bulk\.shared
// expect: sm_100: ptx >= 1 \bcp\.async\.bulk\.shared
#include <gpuprim/select.cuh>

struct is_even {
  GPUPRIM_HOST_DEVICE bool operator()(int x) const { return x % 2 == 0; }
};

cudaError_t select(const int* in, int* out, int* count) { return gpuprim::select_if(in, 1, out, count, is_even{}); }
cudaError_t drop_repeats(const float* in, float* out, int* count) { return gpuprim::unique(in, 1, out, count); }
cudaError_t part(const int* in, int* out, int* count) { return gpuprim::partition_if(in, 1, out, count, is_even{}); }
