// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's keywords as a plain C++ compiler has to see them.
#pragma once

#define SIMT_DEVICE 1

#define __host__
#define __device__
#define __global__
#define __managed__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline  // not forced, which costs compile time: see docs/lab/simt.md
#define __align__(bytes) __attribute__((aligned(bytes)))

// A `static` would be shared by all resident blocks, so there is no right expansion: refuse with a sentence.
// clang-format off
#define __shared__ _Pragma("GCC error \"simt: no __shared__ here: use GPUPRIM_SHARED(name, type)\"")
// Textures, surfaces and arrays are not simulated.
#define SIMT_NO_TEXTURES _Pragma("GCC error \"simt: textures and surfaces are not simulated: read global memory\"")
// clang-format on
#define cudaTextureObject_t SIMT_NO_TEXTURES
#define cudaSurfaceObject_t SIMT_NO_TEXTURES
#define cudaArray_t SIMT_NO_TEXTURES

// Code that models the machine (and not the program under test) must not take part in race detection.
#if defined(SIMT_TSAN)
#define SIMT_NOT_RACE_CHECKED __attribute__((no_sanitize("thread")))
#else
#define SIMT_NOT_RACE_CHECKED
#endif
