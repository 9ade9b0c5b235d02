// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of small integers take dp4a and dp2a, 8-bit floats are widened in pairs where the GPU can, and both inputs
// are read 16 bytes a load with all loads of a turn in flight; where the two are apart, three loads for two.
// expect: kernel reduce_kernel<512, 8, .*zipped_input<signed char
// expect: wide-loads >= 16
// expect: ptx >= 32 dp4a\.s32\.s32
// expect: kernel reduce_kernel<512, 8, .*zipped_shifted_input<signed char
// expect: wide-loads >= 24
// expect: registers <= 128
// expect: kernel reduce_kernel<512, 8, .*zipped_input<(short|unsigned short)
// expect: wide-loads >= 16
// expect: ptx >= 64 dp2a\.
// expect: kernel reduce_kernel<512, 8, .*zipped_input<__nv_fp8_e4m3
// expect: wide-loads >= 16
// expect: sm_90: ptx >= 128 cvt\.rn\.f16x2\.e4m3x2
// expect: kernel reduce_kernel<512, 8, .*projected_input<int const\*
// expect: ptx >= 32 mul\.wide\.s32
// expect: kernel reduce_kernel<512, 8, .*zipped_input<__half
// expect: wide-loads >= 16
// expect: ptx >= 64 fma\.rn\.f32
// expect: kernel reduce_kernel<
// expect: no-local-memory
// expect: ptx <= 0 \bcall
#include <gpuprim/dot.cuh>

#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <class A, class B, class Acc>
cudaError_t run(const A* a, const B* b, std::int64_t n, Acc* out, gpuprim::workspace& workspace) {
  return gpuprim::dot(a, b, n, out, {.workspace = &workspace});
}

using gpuprim::workspace;
template cudaError_t run(const signed char*, const signed char*, std::int64_t, std::int64_t*, workspace&);
template cudaError_t run(const short*, const unsigned short*, std::int64_t, std::int64_t*, workspace&);
template cudaError_t run(const __half*, const __half*, std::int64_t, float*, workspace&);
template cudaError_t run(const __nv_fp8_e4m3*, const __nv_fp8_e4m3*, std::int64_t, float*, workspace&);
cudaError_t squares(const int* in, std::int64_t n, std::int64_t* out) { return gpuprim::squared_norm(in, n, out); }
