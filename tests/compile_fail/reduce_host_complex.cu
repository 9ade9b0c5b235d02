// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error of nvcc: error: calling a constexpr __host__ function... from a __host__ __device__ function
#include <gpuprim/reduce.cuh>

#if defined(GPUPRIM_TEST_CONTROL)
#include <cuda/std/complex>
using complex = cuda::std::complex<double>;
#else
#include <complex>
using complex = std::complex<double>;
#endif

cudaError_t call(const complex* in, complex* out) { return gpuprim::reduce(in, 9, out, gpuprim::plus<>{}, complex{}); }
