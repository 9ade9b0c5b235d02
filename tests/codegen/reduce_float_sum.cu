// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of floats reads 16 bytes a load, all its loads in flight, and keeps everything in registers: 80 of them let
// three blocks of 256 threads live on a multiprocessor of 65,536, with 96 KiB in flight. For sm_100 the compiler takes
// more. A block asks behind its loads whether it was the last to be counted in, so that they do not wait for the
// counter.
// expect: kernel reduce_kernel<256, 8,
// expect: wide-loads >= 8
// expect: no-local-memory
// expect: late ^ATOMG
// expect: sm_80: registers <= 80
// expect: sm_90: registers <= 80
// expect: sm_100: registers <= 88
// expect: ptx <= 0 \bcall
#include <gpuprim/reduce.cuh>

cudaError_t sum(const float* in, std::int64_t n, float* out, gpuprim::workspace& workspace) {
  return gpuprim::reduce<gpuprim::plus<float>, 256, 8>(in, n, out, {.workspace = &workspace});
}
