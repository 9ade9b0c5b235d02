// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __nv_bfloat16 and __nv_bfloat162, in software: no toolkit is needed. The macros that take conversions and operators
// away do so here.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <simt/small_float_functions.hpp>

struct __nv_bfloat16_raw {
  unsigned short x;
};

#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define SIMT_BFLOAT16_CONVERTS false
#else
#define SIMT_BFLOAT16_CONVERTS true
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define SIMT_BFLOAT16_OPERATES false
#else
#define SIMT_BFLOAT16_OPERATES true
#endif

struct __nv_bfloat16 : simt::small_float<__nv_bfloat16, 8, 7, SIMT_BFLOAT16_CONVERTS, SIMT_BFLOAT16_OPERATES> {
  using small_float::small_float;
  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw& raw) : small_float(from_bits(raw.x)) {}
#if SIMT_BFLOAT16_CONVERTS
  explicit __nv_bfloat16(const __half& other) : small_float(__half2float(other)) {}
#endif
  operator __nv_bfloat16_raw() const { return {bits()}; }
};
using nv_bfloat16 = __nv_bfloat16;

#if SIMT_HALF_CONVERTS
inline __half::__half(const __nv_bfloat16& other) : small_float(other.value()) {}
#endif

SIMT_SMALL_FLOAT_SCALAR(__nv_bfloat16)
SIMT_SMALL_FLOAT_PAIR(__nv_bfloat16, __nv_bfloat162)
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
SIMT_SMALL_FLOAT_PAIR_OPERATORS(__nv_bfloat162)
#endif
using nv_bfloat162 = __nv_bfloat162;

SIMT_SMALL_FLOAT_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)

#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000U)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80U)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7FU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
