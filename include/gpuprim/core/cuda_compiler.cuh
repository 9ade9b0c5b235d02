// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What every header with device code includes before any other header of CUDA.
#if !defined(__CUDACC__) && !__has_include(<simt/qualifiers.hpp>)
#error \
    "gpuprim: this header has device code: compile the file by nvcc as CUDA (name it .cu, or pass -x cu), or by g++ \
for the host SIMT device (-x c++ -I simt/include). A plain C++ file may include the .hpp headers."
#include <gpuprim/core/see_the_error_above>  // ends the compilation, where others would follow
#endif

#include <cuda_runtime.h>
