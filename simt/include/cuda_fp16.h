// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half and __half2, in software: no toolkit is needed. The macros that take conversions and operators away do so
// here.
#pragma once

#include <cuda_runtime.h>

#include <simt/small_float_functions.hpp>

struct __half_raw {
  unsigned short x;
};

struct __nv_bfloat16;

#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define SIMT_HALF_CONVERTS false
#else
#define SIMT_HALF_CONVERTS true
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define SIMT_HALF_OPERATES false
#else
#define SIMT_HALF_OPERATES true
#endif

struct __half : simt::small_float<__half, 5, 10, SIMT_HALF_CONVERTS, SIMT_HALF_OPERATES> {
  using small_float::small_float;
  __half() = default;
  __half(const __half_raw& raw) : small_float(from_bits(raw.x)) {}
#if SIMT_HALF_CONVERTS
  explicit __half(const __nv_bfloat16& other);  // defined where that type is: cuda_bf16.h
#endif
  operator __half_raw() const { return {bits()}; }
};
using half = __half;

SIMT_SMALL_FLOAT_SCALAR(__half)
SIMT_SMALL_FLOAT_PAIR(__half, __half2)
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
SIMT_SMALL_FLOAT_PAIR_OPERATORS(__half2)
#endif
using half2 = __half2;

SIMT_SMALL_FLOAT_CONVERSIONS(__half, __half2, half)

#define CUDART_ZERO_FP16 __ushort_as_half(0x0000U)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000U)
#define CUDART_ONE_FP16 __ushort_as_half(0x3C00U)
#define CUDART_INF_FP16 __ushort_as_half(0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half(0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
